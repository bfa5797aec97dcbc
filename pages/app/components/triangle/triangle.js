// Sizes of d L_t / d h_k: rows are losses, columns are states. The cell under the pointer highlights its path in the
// drawing of the network.

import { _ } from "../shared/messages.js";
import { ARROWS, changed, el, elements, setText, setTexts } from "../shared/component.js";
import { markLetters, svg, write } from "../shared/drawn.js";
import { scaleOf } from "../shared/scales.js";
import { follower } from "../shared/follower.js";

// px: cells; room for the last row's letter; letters and bars below
const WIDTH = 244, HEIGHT = 184, RIGHT = 20, LETTERS = 18, BARS = 30;
const MOST_WIDTH = 34, MOST_HEIGHT = 26; // px: largest cell, so that a small triangle leaves room for words beside it
const LEAST_WIDTH = 9.5, LEAST_HEIGHT = 11; // px: smallest cell whose letter can be read
const LONGEST = 9; // characters of a word, at most
const ZERO = -1, NOT_FINITE = -2;

export default follower("triangle", { steps: (data) => data.drawing.inputs.length, build, offer, show });

function build(root, state) {
  state.title = el("h3", { "aria-level": 2 });
  Object.assign(state, elements({ value: "b.value", where: "span.where", unit: "span.where", scale: "div.scale",
    ends: "div.ends", notes: "p.notes", sums: "p.sums" }));
  state.dropped = el("div.dropped", {}, el("i"), _("dropped"));
  state.cells = el("div.cells", { tabindex: 0, role: "group", onkeydown: (event) => keys(event, state) });
  state.cells.onblur = () => state.link.set({ cell: state.link.at.held });
  root.replaceChildren(el("section.panel", {}, state.title, el("div.both", {}, state.cells,
    el("div.corner", {}, el("div", { "aria-live": "polite" }, state.value, state.where, state.unit),
      state.key = el("div.key", {}, state.scale, state.ends, state.dropped))), state.sums, state.notes));
}

function offer(root, /** @type {State<"triangle">} */ state) {
  const { drawing, title, unit } = state.data, T = drawing.inputs.length;
  state.size = scaleOf(root, "sequential");
  state.T = T;
  if (changed(state, "shape", [T, Boolean(drawing.below)])) draw(state);
  setTexts(state, { title, unit, notes: drawing.notes.join(" · ") });
  const shades = [10, 31, 52, 73, 94].map((shade) => state.size.css(shade));
  state.scale.style.background = `linear-gradient(to right, ${shades.join(",")})`;
  state.ends.replaceChildren(...drawing.ends.map((end) => el("span", {}, end)));
  state.key.dataset.long = drawing.ends.join("").length > 13;
  fill(state);
  const roomy = (side, letters, least) => side >= least && letters.every((letter) => [...letter].length === 1);
  state.roomy = { columns: roomy(state.wide, drawing.inputs, LEAST_WIDTH),
    rows: roomy(state.high, drawing.targets, LEAST_HEIGHT) };
  state.worded = [...drawing.inputs, ...drawing.targets].some((symbol) => [...symbol].length > 1);
  state.columns.forEach((node, k) => setText(node, drawing.inputs[k]));
  state.rows.forEach((node, t) => setText(node, drawing.targets[t]));
  drawing.below?.bars.forEach(([one, other], k) => state.pairs[k].forEach((node, i) => {
    const length = Math.max(((i ? other : one) / 1000) * BARS, 0.5);
    write(node, "y", (state.T * state.high + LETTERS + BARS - length).toFixed(1));
    write(node, "height", length.toFixed(1));
  }));
  renew(state);
}

/** For each loss, the first state that its gradient reaches; if the page has a slider for tau, at its position. */
function reachOf(/** @type {State<"triangle">} */ { data, link }) {
  return data.reaches && link.at.stop in data.reaches ? data.reaches[link.at.stop] : data.reach;
}

/** Give every cell its shade, or mark it as dropped. */
function fill(/** @type {State<"triangle">} */ state) {
  const { drawing } = state.data, reach = (state.reach = reachOf(state));
  state.dropped.style.visibility = reach ? "inherit" : "hidden";
  state.nodes.forEach(({ node, t, k }) => {
    const shade = drawing.shades[t][k], dropped = reach && k + 1 < reach[t];
    write(node, "class", dropped ? "dropped" : shade === ZERO ? "zero" : shade === NOT_FINITE ? "infinite" : "size");
    write(node, "fill", dropped ? "url(#hatch)" : shade < 0 ? (shade === ZERO ? "none" : "url(#exploded)")
      : state.size.css(shade));
  });
}

// Building the triangle, once per shape

function draw(state) {
  const { T } = state, bars = Boolean(state.data.drawing.below), height = HEIGHT + LETTERS + (bars ? BARS + 1 : 0);
  const wide = state.wide = Math.min(WIDTH / T, MOST_WIDTH), high = state.high = Math.min(HEIGHT / T, MOST_HEIGHT);
  const gap = wide > 8 ? 1.5 : 0.5, inset = gap / 2;
  state.nodes = [];
  const cell = { width: wide - gap, height: high - gap, rx: wide > 8 ? 2 : 0 };
  for (let t = 0; t < T; t++) for (let k = 0; k <= t; k++)
    state.nodes.push({ t, k, node: svg("rect", { x: k * wide + inset, y: t * high + inset, ...cell }) });
  const letter = (x, y, anchor) => svg("text", { class: "letter", x, y, "text-anchor": anchor });
  state.columns = Array.from({ length: T }, (_, k) => letter((k + 0.5) * wide, T * high + 10, "middle"));
  state.rows = Array.from({ length: T }, (_, t) => letter((t + 1) * wide + 4, (t + 0.5) * high, "start"));
  state.pairs = Array.from({ length: bars ? T : 0 }, (_, k) => ["sum", "all"].map((name) =>
    svg("rect", { class: `bar ${name}`, x: k * wide + inset, width: wide - gap })));
  [state.row, state.column, state.here] = ["thin", "thin", "here"].map((name) => svg("rect", { class: name }));
  const picture = state.picture = svg("svg",
    { viewBox: `-2 -2 ${WIDTH + RIGHT + 4} ${height + 4}`, width: WIDTH + RIGHT + 4, height: height + 4,
      "aria-hidden": "true" },
    svg("defs", {}, pattern("hatch", "M-1 1l2 -2M0 6l6 -6M5 7l2 -2"), pattern("exploded", "M0 0l6 6M0 6l6 -6")),
    ...state.nodes.map(({ node }) => node), ...state.pairs.flat().reverse(), ...state.columns, ...state.rows, state.row,
    state.column, state.here);
  picture.onpointermove = (event) => event.pointerType !== "touch" && point(state, at(state, event));
  picture.onpointerleave = () => state.link.set({ cell: state.link.at.held });
  picture.onclick = (event) => hold(state, at(state, event));
  state.cells.dataset.bars = String(bars);
  state.cells.replaceChildren(picture);
}

const pattern = (id, d) =>
  svg("pattern", { id, width: 6, height: 6, patternUnits: "userSpaceOnUse" }, svg("path", { d }));

// Pointing

function at(state, event) {
  const box = state.picture.getBoundingClientRect(), scale = (WIDTH + RIGHT + 4) / box.width;
  const k = Math.floor(((event.clientX - box.left) * scale - 2) / state.wide);
  const y = (event.clientY - box.top) * scale - 2;
  const t = Math.min(Math.floor(y / state.high), state.T - 1); // below the cells, the last loss
  return k >= 0 && k <= t ? cellOf(state, t, k) : null;
}

function cellOf(/** @type {State<"triangle">} */ state, t, k) {
  const { drawing, joint } = state.data;
  const words = _("loss at {loss} {joint} {state}: {size}",
    { loss: t + 1, joint, state: k + 1, size: drawing.words[t][k] });
  return { t, k, source: state, words };
}

/** Update the words of the cell under the pointer and of the held cell, if they are in this triangle. */
function renew(state) {
  const { cell, held } = state.link.at, mine = (one) => one?.source === state && one.t < state.T;
  const renewed = (one) => (mine(one) ? cellOf(state, one.t, one.k) : one);
  if (mine(cell) || mine(held)) state.link.set({ cell: renewed(cell), held: renewed(held) });
}

const same = (one, other) => one?.t === other?.t && one?.k === other?.k;

function point(state, cell) {
  const now = cell ?? state.link.at.held;
  if (!same(now, state.link.at.cell)) state.link.set({ cell: now });
}

function hold(state, cell) {
  const held = same(cell, state.link.at.held) ? null : cell;
  if (held) state.link.go(held.k, { held, cell: held }); // all components show the step of its state
  else state.link.set({ held, cell: held });
}

/** Arrow keys move from cell to cell, Escape clears the selection. */
function keys(event, state) {
  const { t, k } = shown(state);
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key in ARROWS) {
    const [down, right] = ARROWS[event.key], row = Math.max(0, Math.min(state.T - 1, t + down));
    point(state, cellOf(state, row, Math.max(0, Math.min(row, k + right))));
  } else if (event.key === "Escape" && (state.link.at.held ?? state.link.at.cell)) {
    state.link.set({ held: null, cell: null });
  } else return;
  event.preventDefault();
  event.stopPropagation();
}

/** The cell whose number is shown: the cell under the pointer, else that of the last loss and the play head's state. */
function shown(state) {
  const { cell, step } = state.link.at, last = state.T - 1;
  if (cell && cell.t <= last) return cell;
  return { t: last, k: Math.min(step, last) };
}

function show(/** @type {State<"triangle">} */ state) {
  if (reachOf(state) !== state.reach) fill(state);
  const { drawing } = state.data, { reach } = state, { t, k } = shown(state), { wide, high } = state;
  const pointed = Boolean(state.link.at.cell);
  const where = whereOf(state, t, k);
  setTexts(state, { value: drawing.words[t][k],
    where: reach && k + 1 < reach[t] ? _("{where}: dropped", { where }) : where });
  place(state.here, k * wide, t * high, wide, high);
  place(state.row, k * wide, t * high, (t - k + 1) * wide, high);
  place(state.column, k * wide, k * high, wide, (t - k + 1) * high);
  state.here.classList.toggle("pointed", pointed);
  markLetters(state.rows, state.worded ? -1 : t, () => state.roomy.rows);
  markLetters(state.columns, state.worded ? -1 : k, () => state.roomy.columns);
  state.pairs.forEach((pair, i) => pair[0].classList.toggle("present", i === k));
  state.cells.setAttribute("aria-label",
    _("{title}. {where}: {size}. Arrow keys move.",
      { title: state.data.title, where: state.where.textContent, size: drawing.words[t][k] }));
  if (!drawing.below) return;
  const [one, other] = drawing.below.words[k], left = drawing.below.left[k];
  if (!changed(state, "told", [k, one, other])) return;
  state.sums.replaceChildren(el("span.swatch.sum"), _("size of the sum {size}", { size: one }), el("span.swatch.all"),
    _("sum of sizes {size}", { size: other }));
  state.sums.title = left ? _("{left} is left at step {step}: the rest cancels", { left, step: k + 1 }) : "";
}

/** The loss and the state of a cell in words; with their tokens if these are too long for the edge of the triangle. */
function whereOf(/** @type {State<"triangle">} */ { data: { drawing, joint }, worded }, t, k) {
  const places = { loss: t + 1, joint, state: k + 1, target: cut(drawing.targets[t]), input: cut(drawing.inputs[k]) };
  return worded ? _("loss at {loss} “{target}” {joint} {state} “{input}”", places)
    : _("loss at {loss} {joint} {state}", places);
}

const cut = (word) => ([...word].length > LONGEST ? `${[...word].slice(0, LONGEST - 1).join("")}…` : word);

function place(node, x, y, width, height) {
  for (const [name, value] of Object.entries({ x, y, width, height })) write(node, name, value.toFixed(1));
}
