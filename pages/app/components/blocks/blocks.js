// Equations of matrices as coloured blocks with numbers. A result cell under the pointer highlights its row and column
// in the factors; its sum is written out beside them. Cells of given matrices can be edited.
// With `each`, every equation has a panel of its own, {second, first, words, items}, and a highlighted cell of its own.

import { _ } from "../shared/messages.js";
import { ARROWS, changed, el, elements, onRemoval, rootOf, setText } from "../shared/component.js";
import { maths } from "../shared/maths.js";
import { scaleOf } from "../shared/scales.js";

export default function (/** @type {Component<"blocks">} */ { parentElement, data, setTriggerValue }) {
  const [root, state] = rootOf(parentElement, "blocks");
  state.edit = (id, row, column, text) => setTriggerValue("edit", { id, row, column, text });
  state.data = data;
  state.lines = data.equations.map((equation) => (Array.isArray(equation) ? equation : equation.items));
  if (changed(state, "shape", [data.cell, state.lines.map((items) => items.map(outline)), data.sum?.title, data.each]))
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
  return onRemoval(root, () => state.watcher.disconnect());
}

const outline = (/** @type {Matrix | string} */ item) => typeof item === "string" ? item
  : [item.name, item.shape, item.lights,
    item.parts.map((part) => [part.id, part.tone, part.cells.length, part.cells[0].length, part.edit])];

function build(root, /** @type {State<"blocks">} */ state) {
  const { data } = state;
  Object.assign(state, { cells: [], bodies: [], at: {}, words: [] });
  const equations = state.lines.map((items, line) => {
    const group = data.each ? line : 0;
    return el("div.equation", {},
      ...items.map((item) => typeof item === "string" ? el("span.operator", {}, item) : matrix(state, item, group)));
  });
  if (data.each) return panels(root, state, equations);
  const place = data.beside ?? equations.length - 1;
  if (data.sum) equations[place] = el("div.beside", {}, equations[place], sumPanel(state));
  state.notice = el("p.notice", { role: "status" });
  root.replaceChildren(...equations, state.notice);
  size(root, data);
}

function size(root, /** @type {Data<"blocks">} */ data) {
  const [width, height, font] = data.cell;
  for (const [name, value] of [["--w", width], ["--h", height], ["--font", font]])
    root.style.setProperty(name, `${value}px`);
  root.classList.toggle("narrow", width < 38);
  root.classList.toggle("wide", width > 45);
}

function panels(root, /** @type {State<"blocks">} */ state, equations) {
  const { data } = state;
  state.notice = el("p.notice");
  root.replaceChildren(el(data.wide ? "div.panels.wide" : "div.panels", {}, ...equations.map((equation, i) => {
    const { second, first } = /** @type {Equation} */ (data.equations[i]);
    state.words[i] = el("span");
    return el("section.panel", {},
      el("div.head", {}, el(first ? "code" : "b", {}, second), first ? maths(first) : null), equation,
      el("div.small.muted", {}, state.words[i]));
  })));
  size(root, data);
}

function matrix(state, /** @type {Matrix} */ item, group) {
  const body = el(`div.body.${item.stack}`, {}, ...item.parts.map((part) => partOf(state, item, part, group)));
  state.bodies.push({ body, item, group });
  if (item.lights) body.append(el("div.band", { "aria-hidden": "true" }));
  return el("figure.matrix", { "aria-label": item.name.replace(/[{}_]/g, "") },
    el("figcaption", {}, maths(item.name), " ", el("span.shape", {}, item.shape)), body);
}

function partOf(state, /** @type {Matrix} */ item, /** @type {MatrixPart} */ part, group) {
  const style = `grid-template-columns: repeat(${part.cells[0].length}, var(--w))`;
  const grid = el(`div.part.${part.tone || "plain"}`, { style });
  part.cells.forEach((cells, row) =>
    cells.forEach((_, column) => grid.append(cellOf(state, item, part, row, column, group))));
  return grid;
}

function cellOf(state, /** @type {Matrix} */ item, /** @type {MatrixPart} */ part, row, column, group) {
  const words = _("{matrix} row {row}, column {column}", { matrix: part.id, row: row + 1, column: column + 1 });
  const node = part.edit
    ? el("input.cell", { type: "text", inputmode: "decimal", "aria-label": words, maxlength: 12, autocomplete: "off" })
    : el("div.cell", {});
  if (part.edit) editing(state, node, part, row, column);
  if (item.lights === "cell") lighting(state, node, row, column, group);
  state.cells.push({ node, words, item, part: item.parts.indexOf(part), row, column, group });
  return node;
}

function editing(state, node, /** @type {MatrixPart} */ part, row, column) {
  node.onchange = () => state.edit(part.id, row, column, node.value);
  node.onfocus = () => {
    node.value = node.dataset.full;
    node.select();
  };
  node.onblur = () => { node.value = node.dataset.says; };
  node.onkeydown = (event) => {
    if (event.key === "Enter") node.blur();
    if (event.key === "Escape") {
      node.value = node.dataset.full;
      node.blur();
    }
    event.stopPropagation();
  };
}

function lighting(state, node, row, column, group) {
  node.classList.add("result");
  node.setAttribute("role", "button");
  node.tabIndex = -1;
  node.onpointerenter = node.onclick = node.onfocus = () => light(state, group, [row, column]);
  node.onkeydown = (event) => {
    const step = ARROWS[event.key];
    if (!step) return;
    event.preventDefault();
    const matrix = node.parentElement;
    const wide = matrix.style.gridTemplateColumns.match(/\d+/)[0];
    matrix.children[(row + step[0]) * wide + column + step[1]]?.focus();
  };
}

/** Write the numbers and colours that changed. */
function paint(root, /** @type {State<"blocks">} */ state) {
  const scale = scaleOf(root, "diverging");
  const items = state.lines.flat().filter((item) => typeof item !== "string");
  const drawn = state.bodies.map(({ item }) => item);
  for (const cell of state.cells) {
    const [says, level, full] = items[drawn.indexOf(cell.item)].parts[cell.part].cells[cell.row][cell.column];
    Object.assign(cell.node.dataset, { says, full });
    cell.node.title = full;
    if (cell.item.lights === "cell")
      cell.node.setAttribute("aria-label", _("{cell}: {number}", { cell: cell.words, number: says }));
    if (cell.node.tagName !== "INPUT") setText(cell.node, says);
    else if (!cell.node.matches(":focus")) cell.node.value = says;
    scale.shade(cell.node, 100 * level);
  }
  setText(state.notice, state.data.notice ?? "");
  state.words.forEach((node, i) => setText(node, /** @type {Equation} */ (state.data.equations[i]).words));
}

/** Highlight result cell (row, column) of a group of equations: its band in every matrix, and its sum written out. */
function light(/** @type {State<"blocks">} */ state, group, [row, column]) {
  const { sum } = state.data;
  const bodies = state.bodies.filter((body) => body.group === group);
  const result = bodies.find(({ item }) => item.lights === "cell")?.item.parts[0].cells;
  if (!result) return;
  [row, column] = [Math.min(row, result.length - 1), Math.min(column, result[0].length - 1)];
  state.at[group] = [row, column];
  for (const { body, item } of bodies) band(body, item, row, column);
  for (const { node, item, row: r, column: c } of state.cells.filter((cell) => cell.group === group)) {
    const through = (r === row || item.lights === "column") && (c === column || item.lights === "row")
      && Boolean(item.lights);
    node.classList.toggle("lit", through);
    if (item.lights === "cell") node.tabIndex = r === row && c === column ? 0 : -1;
  }
  if (sum) writeSum(state, sum, row, column);
}

function band(body, /** @type {Matrix} */ item, row, column) {
  const frame = body.querySelector(".band");
  if (!frame) return;
  const grids = [...body.querySelectorAll(".part")];
  const cells = grids.flatMap((grid) => {
    const wide = Number(grid.style.gridTemplateColumns.match(/\d+/)[0]);
    return [...grid.children].filter((_, i) => (item.lights === "column" || Math.floor(i / wide) === row)
      && (item.lights === "row" || i % wide === column));
  });
  const [first, last] = [cells[0], cells.at(-1)];
  Object.assign(frame.style, { left: `${first.offsetLeft - 3}px`, top: `${first.offsetTop - 3}px`,
    width: `${last.offsetLeft + last.offsetWidth - first.offsetLeft + 6}px`,
    height: `${last.offsetTop + last.offsetHeight - first.offsetTop + 6}px` });
}

function sumPanel(state) {
  Object.assign(state, elements({ sumTitle: "b", sumPlace: "div.small.muted", sumRows: "div.addends", sumTotal: "b",
    sumNote: "div.note" }));
  return el("section.panel.sum", { "aria-live": "polite" }, state.sumTitle, state.sumPlace, state.sumRows,
    el("div.total", {}, el("span", {}, _("sum")), state.sumTotal), state.sumNote);
}

function writeSum(state, /** @type {WrittenSums} */ sum, row, column) {
  setText(state.sumTitle, sum.title);
  setText(state.sumPlace, _("row {row}, column {column}", { row: row + 1, column: column + 1 }));
  const key = JSON.stringify([row, column, sum.addends[row][column]]);
  if (state.written !== key)
    state.sumRows.replaceChildren(...sum.addends[row][column].map(([a, b, product, tone]) =>
      el(`div.addend.${tone}`, {}, el("span", {}, `${a} · ${b}`), el("span", {}, product))));
  state.written = key;
  setText(state.sumTotal, sum.totals[row][column]);
  if (state.noted !== JSON.stringify(sum.note))
    state.sumNote.replaceChildren(...sum.note.map(([words, value]) =>
      el("div", {}, el("span.muted", {}, words), " ", el("b", {}, value))));
  state.noted = JSON.stringify(sum.note);
}
