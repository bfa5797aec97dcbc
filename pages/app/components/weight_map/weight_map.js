// A gradient as a heat map: a click, the arrow keys or two numbers pick a weight. One pixel per cell, enlarged by CSS.

import { _ } from "../shared/messages.js";
import { ARROWS, changed, el, elements, rootOf, setTexts } from "../shared/component.js";
import { bytes, cellAt, pixels } from "../shared/drawn.js";
import { scaleOf } from "../shared/scales.js";

export default function (/** @type {Component<"weight_map">} */ { parentElement, data, setTriggerValue }) {
  const [root, state] = rootOf(parentElement, "weight_map");
  state.tell = (what, row, column) => setTriggerValue(what, { row, column });
  state.choose = (matrix) => setTriggerValue("matrix", matrix);
  state.data = data;
  if (!state.canvas) build(root, state);
  show(root, state);
}

function build(root, state) {
  state.select = el("select", { "aria-label": _("Matrix"), onchange: () => state.choose(state.select.value) });
  const number = (label) => el("input",
    { type: "number", min: 0, step: 1, "aria-label": label, onchange: () => index(state) });
  state.row = number(_("Row"));
  state.column = number(_("Column"));
  Object.assign(state, elements({ leads: "div.leads", mark: "i.mark", note: "div.small.muted" }));
  state.canvas = el("canvas", { role: "img" });
  state.cells = el("div.cells", { tabindex: "0", role: "application" }, state.canvas, state.mark);
  state.cells.onclick = (event) => pick(state, cellAt(state.canvas, event, ...state.data.shape));
  state.cells.onkeydown = (event) => step(state, event);
  state.ends = el("div.ends.small.muted", { "aria-hidden": "true" });
  root.replaceChildren(el("section.panel", {},
    el("div.head", {}, state.select, el("label", {}, el("span.muted", {}, _("row")), state.row),
      el("label", {}, el("span.muted", {}, _("column")), state.column)),
    state.leads, state.cells, state.ends, state.note));
}

function index(/** @type {State<"weight_map">} */ state) {
  const [rows, columns] = state.data.sizes;
  const inside = (input, size) => Math.max(0, Math.min(size - 1, Math.round(Number(input.value)) || 0));
  state.tell("index", inside(state.row, rows), inside(state.column, columns));
}

function step(/** @type {State<"weight_map">} */ state, event) {
  const move = ARROWS[event.key];
  if (!move) return;
  event.preventDefault();
  event.stopPropagation();
  pick(state, state.at.map((place, i) => Math.max(0, Math.min(state.data.shape[i] - 1, place + move[i]))));
}

/** Move the mark at once; the numbers follow with the answer from Python. */
function pick(state, cell) {
  state.at = cell;
  place(state);
  state.tell("cell", ...cell);
}

function show(root, /** @type {State<"weight_map">} */ state) {
  const { data } = state, [R, C] = data.shape;
  if (changed(state, "matrices", data.matrices))
    state.select.replaceChildren(...data.matrices.map(([id, words]) => el("option", { value: id }, words)));
  state.select.value = data.matrix;
  [state.row, state.column].forEach((input, i) => {
    input.max = data.sizes[i] - 1;
    if (input !== root.getRootNode().activeElement || Number(input.value) !== data.index[i])
      input.value = data.index[i];
  });
  state.row.disabled = data.flat;
  state.at = data.at;
  state.cells.setAttribute("aria-label",
    _("{title}, row {row}, column {column}. Arrow keys pick another weight.",
      { title: data.title, row: data.index[0], column: data.index[1] }));
  state.canvas.setAttribute("aria-label", data.says);
  state.cells.style.aspectRatio = `${C} / ${Math.max(R, C / 7)}`;
  paint(root, state);
  setTexts(state, { leads: data.leads, note: data.pooled ? _("each cell is the strongest weight of a block") : "",
    ends: _("colours reach from −{limit} (purple) over 0 to +{limit} (green)", { limit: data.limit.slice(1) }) });
  place(state);
}

function paint(root, /** @type {State<"weight_map">} */ state) {
  const { shape: [R, C], cells } = state.data;
  if (!changed(state, "painted", [root.dataset.theme, cells])) return;
  const shades = bytes(cells), { rgb } = scaleOf(root, "diverging");
  const colour = (level) => (level === -128 ? [128, 128, 128] : rgb(level / 1.27));
  pixels(state.canvas, C, R, (x, y) => colour(shades[y * C + x]));
}

function place(/** @type {State<"weight_map">} */ state) {
  const [R, C] = state.data.shape, [r, c] = state.at;
  Object.assign(state.mark.style,
    { left: `${(100 * c) / C}%`, top: `${(100 * r) / R}%`, width: `${100 / C}%`, height: `${100 / R}%` });
}
