// Equations of matrices as coloured blocks with numbers. A result cell under the pointer highlights its row and column
// in the factors; its sum is written out beside them. Cells of given matrices can be edited: typed, by arrow keys up or
// down, or by dragging them sideways.
// With `hidden`, the results are filled in by the reader, each is checked at once, and a result that is a factor
// elsewhere shows there what was filled in rightly.
// With `each`, every equation has a panel of its own, {second, first, words, items}, and a highlighted cell of its own.
// The panel under the pointer or the focus is the sub-step of the `link`, whose code is lit in a listing.

import { _, sentences } from "../shared/messages.js";
import { link } from "../shared/link.js";
import { ARROWS, changed, conflated, el, elements, onRemoval, rootOf, setText, setTexts } from "../shared/component.js";
import { maths } from "../shared/maths.js";
import { scaleOf } from "../shared/scales.js";

const STEP = 0.1, LEAP = 1; // of an arrow key, and with Shift
const PIXELS = 5; // of a drag for each step
const SLACK = 2; // units of the last decimal
const RIGHT = "right"; // the verdict on a result that was filled in rightly; others are sentences

export default function (/** @type {Component<"blocks">} */ { parentElement, data, setTriggerValue }) {
  const [root, state] = rootOf(parentElement, "blocks");
  state.edit = (id, row, column, text) => setTriggerValue("edit", { id, row, column, text });
  state.data = data;
  state.lines = data.equations.map((equation) => (Array.isArray(equation) ? equation : equation.items));
  const items = state.lines.map((line) => line.map(outline));
  if (changed(state, "shape", [data.cell, items, data.sum?.title, data.each, data.hidden]))
    build(root, state);
  paint(root, state);
  const relight = () => {
    if (!state.data.lit) return;
    for (const group of state.data.each ? state.data.equations.keys() : [0])
      light(state, group, state.at[group] ?? state.data.lit);
  };
  relight();
  state.watcher?.disconnect();
  state.watcher = new ResizeObserver(relight); // bands follow the cells when the layout changes
  state.watcher.observe(root);
  if (data.link) {
    state.unfollow ??= link(data.link).listen(() => mark(state), root);
    mark(state);
  }
  return onRemoval(root, () => {
    state.watcher.disconnect();
    state.unfollow?.();
  });
}

const outline = (/** @type {Matrix | string} */ item) => typeof item === "string" ? item
  : [item.name, item.shape, item.lights,
    item.parts.map((part) => [part.id, part.tone, part.cells.length, part.cells[0].length, part.edit])];

function build(root, /** @type {State<"blocks">} */ state) {
  const { data } = state;
  Object.assign(state, { matrices: [], at: {}, words: [], filled: {}, written: "", parted: "", noted: "" });
  const equations = state.lines.map((items, line) => {
    const group = data.each ? line : 0;
    return el("div.equation", {},
      ...items.map((item) => typeof item === "string" ? el("span.operator", {}, item) : matrix(state, item, group)));
  });
  if (data.sum) {
    const place = data.beside ?? equations.length - 1;
    equations[place].append(el("button.outlined.asks.local", {}, _("One product"))); // the scene waits for it
    equations[place] = el("div.beside", {}, equations[place], sumPanel(state));
  }
  state.notice = el("p.notice", { role: "status" });
  state.tally = el("p.tally", { role: "status" });
  const shown = data.each ? [panels(state, equations)] : equations;
  root.replaceChildren(...(data.hidden ? [state.tally] : []), ...shown, state.notice);
  const [width, height, font] = data.cell;
  for (const [name, value] of [["--w", width], ["--h", height], ["--font", font]])
    root.style.setProperty(name, `${value}px`);
  root.classList.toggle("narrow", width < 38);
  root.classList.toggle("wide", width > 45);
}

function panels(/** @type {State<"blocks">} */ state, equations) {
  const { wide, equations: written } = state.data;
  state.words = equations.map(() => el("span"));
  return el(wide ? "div.panels.wide" : "div.panels", {}, ...equations.map((equation, i) => {
    const { second, first } = /** @type {Equation} */ (written[i]);
    const enter = () => state.data.link && link(state.data.link).set({ sub: i });
    const panel = el("section.panel", { onpointerenter: enter },
      el("div.head", {}, el(first ? "code" : "b", {}, second), first ? maths(first) : null), equation,
      el("div.small.muted", {}, state.words[i]));
    panel.addEventListener("focusin", enter);
    return panel;
  }));
}

/** Mark the panel whose code is lit, if a listing is open. */
function mark(/** @type {State<"blocks">} */ state) {
  const { at, shared } = link(state.data.link);
  state.words.forEach((node, i) =>
    node.closest("section").classList.toggle("present", Boolean(shared.isListed) && i === at.sub));
}

function matrix(state, /** @type {Matrix} */ item, group) {
  const asked = state.data.hidden && item.lights === "cell";
  const drawn = { item, group, cells: [], asked, body: el(`div.body.${item.stack}`) };
  drawn.body.append(...item.parts.map((part) => partOf(state, drawn, part)));
  if (item.lights) drawn.body.append(el("div.band", { "aria-hidden": "true" }));
  state.matrices.push(drawn);
  return el("figure.matrix", { "aria-label": item.name.replace(/[{}_]/g, "") },
    el("figcaption", {}, maths(item.name), " ", el("span.shape", {}, item.shape)), drawn.body);
}

function partOf(state, drawn, /** @type {MatrixPart} */ part) {
  const style = `grid-template-columns: repeat(${part.cells[0].length}, var(--w))`;
  return el(`div.part.${part.tone || "plain"}`, { style }, ...part.cells.flatMap((cells, row) =>
    cells.map((_, column) => cellOf(state, drawn, part, row, column))));
}

function cellOf(state, { item, group, cells, asked }, /** @type {MatrixPart} */ part, row, column) {
  const words = _("{matrix} row {row}, column {column}", { matrix: part.id, row: row + 1, column: column + 1 });
  const node = part.edit || asked
    ? el("input.cell", { type: "text", "aria-label": words, maxlength: 12, autocomplete: "off" }) // with a minus
    : el("div.cell", {});
  if (part.edit) editing(state, node, part, row, column);
  if (item.lights === "cell") lighting(state, node, row, column, part.cells[0].length, group);
  const key = `${state.matrices.length} ${row} ${column}`;
  if (asked) filling(state, node, key, () => light(state, group, [row, column]));
  cells.push({ node, words, part: item.parts.indexOf(part), row, column, key });
  return node;
}

function editing(state, node, /** @type {MatrixPart} */ part, row, column) {
  const send = conflated((text) => state.edit(part.id, row, column, text), 50);
  const set = (value) => {
    node.value = node.dataset.full = node.dataset.says = String(Math.round(100 * value) / 100).replace("-", "−");
    send(node.value);
  };
  dragging(node, set);
  node.onchange = () => state.edit(part.id, row, column, node.value);
  node.onfocus = () => {
    node.value = node.dataset.full;
    node.select();
  };
  node.onblur = () => { node.value = node.dataset.says; };
  node.onkeydown = (event) => {
    const up = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (up) {
      event.preventDefault();
      set(valueOf(node) + up * (event.shiftKey ? LEAP : STEP));
    }
    if (event.key === "Enter") node.blur();
    if (event.key === "Escape") {
      node.value = node.dataset.full;
      node.blur();
    }
  };
}

/** A cell of a hidden result: what is typed is checked, and Enter goes on to the next one. */
function filling(state, node, key, relight) {
  node.classList.add("asked");
  node.removeAttribute("role");
  node.tabIndex = 0;
  node.onkeydown = ({ key: pressed }) => {
    if (pressed !== "Enter") return;
    const cells = [...state.root.querySelectorAll(".asked")];
    const next = cells[cells.indexOf(node) + 1];
    if (next) next.focus();
    else node.blur(); // the change comes with it
  };
  node.onchange = () => {
    state.filled[key] = node.value.trim();
    state.newest = key;
    paint(state.root, state);
    relight();
  };
}

const numberOf = (/** @type {string} */ text) => text.trim() ? Number(text.replace("−", "-").replace(",", ".")) : NaN;

/** Whether a typed number is the one of a cell, as far as it follows from numbers that were rounded, too. */
function isRight(/** @type {string} */ typed, /** @type {MatrixPart["cells"][0][0]} */ [says, , full]) {
  const digits = says.split(".")[1]?.length ?? 0, unit = 10 ** -digits, wanted = numberOf(full);
  const slack = digits < 2 ? unit / 2 : SLACK * unit; // of results with one decimal the factors are exact
  return Math.abs(numberOf(typed) - wanted) <= Math.max(slack + 1e-9, 1e-3 * Math.abs(wanted));
}

/** Paint a hidden result: what was typed, and whether it is right; its number and colour only then. */
function paintAsked(state, { node, words, key, row, column }, cells, scale) {
  const cell = cells[row][column], typed = state.filled[key] ?? "", right = typed !== "" && isRight(typed, cell);
  node.classList.toggle("right", right);
  node.classList.toggle("wrong", typed !== "" && !right);
  node.readOnly = right;
  if (!node.matches(":focus") || right) node.value = right ? cell[0] : typed;
  if (right) scale.shade(node, 100 * cell[1]);
  else node.removeAttribute("style");
  const verdict = right ? _("right") : typed ? mistake(typed, cells, cell) : _("to be filled in");
  node.setAttribute("aria-label", _("{cell}: {number}", { cell: words, number: verdict }));
  node.title = typed ? verdict : "";
  return right ? RIGHT : typed ? verdict : "";
}

/** What is wrong with a typed number. */
function mistake(typed, /** @type {MatrixPart["cells"]} */ cells, cell) {
  if (Number.isNaN(numberOf(typed))) return _("This is no number.");
  if (isRight(String(-numberOf(typed)), cell)) return _("The sign is the other one.");
  const row = cells.findIndex((one) => one.some((other) => isRight(typed, other)));
  if (row < 0) return _("Not yet.");
  const column = cells[row].findIndex((other) => isRight(typed, other));
  return _("That number belongs to row {row}, column {column}.", { row: row + 1, column: column + 1 });
}

/** The results that were filled in rightly, by the name of their part, as "row column". */
function known(state) {
  const found = {};
  for (const { item, cells, asked } of state.matrices)
    for (const { node, part, row, column } of asked ? cells : [])
      (found[item.parts[part].id] ??= new Set()).add(node.classList.contains("right") ? `${row} ${column}` : "");
  return found;
}

const valueOf = (node) => Number(node.value.replace("−", "-").replace(",", ".")) || 0;

/** Dragged sideways, a cell is moved by a step for every few pixels; a press without a move selects it for typing. */
function dragging(node, set) {
  let from = null;
  node.onpointerdown = ({ clientX, pointerType }) => {
    if (pointerType !== "touch") from = { x: clientX, value: valueOf(node), steps: 0 }; // a finger scrolls
  };
  node.onpointermove = ({ clientX, pointerId }) => {
    const steps = from && Math.trunc((clientX - from.x) / PIXELS);
    if (!from || steps === from.steps) return;
    if (!node.classList.contains("dragged")) {
      node.setPointerCapture(pointerId);
      node.blur();
      node.classList.add("dragged");
    }
    from.steps = steps;
    set(from.value + steps * STEP);
  };
  node.onpointerup = node.onpointercancel = () => {
    from = null;
    node.classList.remove("dragged");
    const { says } = node.dataset; // the answer may have come before: "2.40" for 2.4
    if (numberOf(says ?? "") === valueOf(node)) node.value = says;
  };
}

function lighting(state, node, row, column, wide, group) {
  node.classList.add("result");
  node.setAttribute("role", "button");
  node.tabIndex = -1;
  node.onpointerenter = node.onclick = node.onfocus = () => light(state, group, [row, column]);
  node.onkeydown = (event) => {
    const step = ARROWS[event.key];
    if (!step) return;
    event.preventDefault();
    node.parentElement.children[(row + step[0]) * wide + column + step[1]]?.focus();
  };
}

/** Write the numbers and colours that changed. */
function paint(root, /** @type {State<"blocks">} */ state) {
  const scale = scaleOf(root, "diverging");
  const items = state.lines.flat().filter((item) => typeof item !== "string");
  state.root = root;
  const verdicts = state.matrices.flatMap(({ asked, cells }, i) => asked
    ? cells.map((cell) => [cell.key, paintAsked(state, cell, items[i].parts[cell.part].cells, scale)]) : []);
  const rightly = known(state);
  const given = state.matrices.flatMap(({ item, cells, asked }, i) =>
    asked ? [] : cells.map((cell) => [item, i, cell]));
  given.forEach(([item, i, { node, words, part, row, column }]) => {
    const of = rightly[item.parts[part].id], covered = of && !of.has(`${row} ${column}`);
    const [says, level, full] = covered ? ["?", 0, ""] : items[i].parts[part].cells[row][column];
    Object.assign(node.dataset, { says, full });
    node.title = full;
    if (item.lights === "cell") node.setAttribute("aria-label", _("{cell}: {number}", { cell: words, number: says }));
    if (node.tagName !== "INPUT") setText(node, says);
    else if (!node.matches(":focus, .dragged")) node.value = says;
    scale.shade(node, 100 * level);
  });
  setText(state.notice, state.data.notice ?? "");
  if (state.data.hidden) setText(state.tally, tally(state, verdicts));
  state.words.forEach((node, i) => setText(node, /** @type {Equation} */ (state.data.equations[i]).words));
}

/** How many results are right, and what is wrong with the newest one. */
function tally(state, /** @type {string[][]} */ verdicts) {
  const right = verdicts.filter(([, one]) => one === RIGHT).length;
  const newest = verdicts.find(([key]) => key === state.newest)?.[1] ?? RIGHT;
  return sentences([_("{right} of {all} results are right.", { right, all: verdicts.length })],
    ...(newest === RIGHT ? [] : [[newest]])).join("");
}

/** Highlight result cell (row, column) of a group of equations: its band in every matrix, and its sum written out. */
function light(/** @type {State<"blocks">} */ state, group, [row, column]) {
  const matrices = state.matrices.filter((drawn) => drawn.group === group && drawn.item.lights);
  const result = matrices.find(({ item }) => item.lights === "cell")?.item.parts[0].cells;
  if (!result) return;
  [row, column] = [Math.min(row, result.length - 1), Math.min(column, result[0].length - 1)];
  state.at[group] = [row, column];
  for (const { body, item: { lights }, cells } of matrices) {
    const lit = cells.filter((cell) =>
      (cell.row === row || lights === "column") && (cell.column === column || lights === "row"));
    for (const cell of cells) {
      cell.node.classList.toggle("lit", lit.includes(cell));
      if (lights === "cell" && !state.data.hidden) cell.node.tabIndex = lit.includes(cell) ? 0 : -1;
    }
    frame(body.lastChild, lit[0].node, lit.at(-1).node);
  }
  if (state.data.sum) writeSum(state, state.data.sum, row, column);
}

/** Place the band around the cells from the first to the last one. */
function frame(band, first, last) {
  Object.assign(band.style, { left: `${first.offsetLeft - 3}px`, top: `${first.offsetTop - 3}px`,
    width: `${last.offsetLeft + last.offsetWidth - first.offsetLeft + 6}px`,
    height: `${last.offsetTop + last.offsetHeight - first.offsetTop + 6}px` });
}

function sumPanel(state) {
  Object.assign(state, elements({ sumTitle: "b", sumPlace: "div.small.muted", sumRows: "div.addends",
    sumParts: "div.addends.parts", sumTotal: "b", sumNote: "div.note" }));
  return el("section.panel.sum", { "aria-live": "polite" }, state.sumTitle, state.sumPlace, state.sumRows,
    state.sumParts, el("div.total", {}, el("span", {}, _("sum")), state.sumTotal), state.sumNote);
}

function writeSum(state, /** @type {WrittenSums} */ sum, row, column) {
  const covered = state.data.hidden && !state.matrices.some(({ asked, cells }) => asked && cells.some((cell) =>
    cell.row === row && cell.column === column && cell.node.classList.contains("right")));
  const addends = sum.addends[row][column].map((one) => covered ? [one[0], one[1], "?", one[3]] : one);
  const parts = sum.parts[row][column].map((part) => covered ? "?" : part);
  setTexts(state, { sumTitle: sum.title, sumTotal: covered ? "?" : sum.totals[row][column],
    sumPlace: _("row {row}, column {column}", { row: row + 1, column: column + 1 }) });
  if (changed(state, "written", [row, column, addends]))
    state.sumRows.replaceChildren(...addends.map(([a, b, product, tone]) =>
      el(`div.addend.${tone}`, {}, el("span", {}, `${a} · ${b}`), el("span", {}, product))));
  if (changed(state, "parted", parts))
    state.sumParts.replaceChildren(...parts.map((part, i) =>
      el(`div.addend.${["input", "memory"][i]}`, {}, maths(sum.names[i]), el("b", {}, part))));
  if (changed(state, "noted", sum.note))
    state.sumNote.replaceChildren(...sum.note.map(([words, value]) =>
      el("div", {}, el("span.muted", {}, words), " ", el("b", {}, value))));
}
