// The parts of the drawing of the unrolled network: a column for every step, and the elements beside the columns. They
// are built once per shape; `fill` writes the numbers of a column at every update.

/** @import { Layout } from "./layout.js" */
import { strip } from "../shared/strip.js";
import { _ } from "../shared/messages.js";
import { BOTTOM, dotOf, fitted, HEIGHT, INPUT_Y, shownOf, TOP } from "./layout.js";
import { svg, write } from "../shared/drawn.js";
import { drawnLaw } from "../shared/maths.js";
import { setText, setTexts } from "../shared/component.js";

const PARTS = ["input", "arrive", "state", "leave", "prediction", "loss"]; // the groups of a column, one per sub-step
export const MEAN_X = 78; // px
const MEAN_Y = 45; // px

export const rowNames = (/** @type {Layout} */ { rows }) =>
  rows.map(([name, y]) => svg("text", { class: "row", x: 0, y, "dominant-baseline": "central" }, name));

/** The node of the mean of the losses so far, and the line to it from the losses up to the play head. */
export function mean() {
  const line = svg("rect", { class: "feed", x: MEAN_X, y: MEAN_Y - 1, width: 1, height: 2 });
  const dot = svg("circle", { class: "dot", cx: MEAN_X, cy: MEAN_Y });
  const words = svg("text", { class: "mean", x: 0, y: MEAN_Y });
  return { line, dot, words, node: svg("g", { class: "mean-node" }, line, dot, words) };
}

export function start() {
  return svg("g", {},
    svg("rect", { class: "start", x: 66, y: TOP, width: 9, height: BOTTOM - TOP, rx: 3 },
      svg("title", {},
        _("The network begins with an empty state: of what came before this text it has read nothing."))),
    svg("text", { class: "empty", x: 70, y: TOP - 6 }, "h₀ = 0"));
}

export function column(/** @type {State<"network">} */ state, t) {
  const { drawing } = state.data, /** @type {Layout} */ layout = state.layout;
  const { edge, track } = layout, x = layout.x[t];
  const aside = drawing.backward ? (layout.density === "tight" ? -4 : -6) : 0;
  const from = t ? edge - layout.pitch : 79 - x;
  const box = svg("rect",
    { class: "box", x: -layout.box / 2, y: INPUT_Y, width: layout.box, height: 32, rx: Math.min(8, layout.box / 2) });
  const letter = svg("text", { class: "letter", y: 270, "font-size": layout.font });
  const height = BOTTOM - TOP, many = drawing.units.length;
  const units = strip(
    { x: -layout.strip / 2, y: TOP, width: layout.strip, height, many, gap: height / many > 4 ? 1 : 0 });
  const frame = svg("rect",
    { class: "frame", x: -layout.strip / 2 - 1, y: TOP - 1, width: layout.strip + 2, height: height + 2,
      rx: Math.min(4, layout.strip / 3) });
  const rows = Array.from({ length: layout.density === "roomy" ? 3 : 1 }, (_, i) => predictionRow(layout, i));
  const [dotX, natsX, font] = layout.loss;
  const dot = svg("circle", { class: "dot", cy: 26, cx: dotX });
  const nats = svg("text", { class: "nats", y: 27, x: natsX, "font-size": font });
  const content = [[box, letter], [arrow(0, 252, 0, 241), arrow(from, track, -edge, track)],
    [...units.cells, ...units.minus, frame], [arrow(aside, 121, aside, 109)], rows.map((row) => row.node), [dot, nats]];
  const parts = content.map((nodes, i) => svg("g", { class: `part ${PARTS[i]}` }, ...nodes));
  const node = svg("g", { class: `column ${layout.density}` }, ...parts);
  node.style.transform = `translateX(${x}px)`;
  const hit = svg("rect",
    { class: "hit", x: x - layout.pitch / 2, y: 0, width: layout.pitch, height: HEIGHT });
  hit.onpointerenter = (event) => state.link.hover(t, event);
  hit.onpointerleave = () => state.link.hover(null);
  hit.onclick = () => state.link.go(t);
  return { node, parts, hit, letter, units, rows, dot, nats };
}

/** Roomy: mark, symbol, bar, probability side by side (words are drawn on their bars). Else: symbol above bar. */
function predictionRow(/** @type {Layout} */ layout, i) {
  const { half, density, words } = layout, roomy = density === "roomy", middle = density === "middle";
  const y = 61 + 18 * i, above = { "text-anchor": "middle" };
  const room = !roomy ? place(middle ? 92 : 90, -half, 2 * half, 6)
    : words ? place(y - 8, -half + 11, 2 * half - 11, 16) : place(y - 6, -half + 27, 2 * half - 63, 12);
  const bar = svg("rect", { class: roomy && words ? "bar under" : "bar", rx: 2, ...room });
  const mark = svg("path", { class: "mark", d: roomy ? `M${-half} ${y - 5}v10l7 -5z` : "" });
  const symbol = svg("text", { class: "symbol",
    ...(roomy ? { y, x: -half + (words ? 14 : 12) } : { y: middle ? 60 : 70, ...above }) });
  const p = svg("text", { class: "p",
    ...(roomy ? { y, x: half, "text-anchor": "end" } : { y: middle ? 79 : -100, ...above }) });
  const back = roomy ? [] : [svg("rect", { class: "back", rx: 2, ...room })];
  return { node: svg("g", { class: "row" }, ...back, bar, mark, symbol, p), symbol, bar, p, room: room.width };
}

const place = (y, x, width, height) => ({ x, y, width: Math.max(width, 0), height });

function arrow(x1, y1, x2, y2) {
  const length = Math.hypot(x2 - x1, y2 - y1), ux = (x2 - x1) / length, uy = (y2 - y1) / length;
  const head = Math.min(8, length * 0.7), side = Math.min(4, head * 0.6), bx = x2 - ux * head, by = y2 - uy * head;
  return svg("path", { class: "arrow",
    d: `M${x1} ${y1}L${bx} ${by}M${x2} ${y2}`
      + `L${bx - uy * side} ${by + ux * side}L${bx + uy * side} ${by - ux * side}Z` });
}

/** The names of the weight matrices, on the arrows of the current step only; they need room between two columns. */
export function names(/** @type {BothWays} */ drawing, /** @type {Layout} */ layout) {
  const label = (name, x, y, anchor) => matrix(drawing, name, { class: `matrix ${name}`, x, y, "text-anchor": anchor });
  const beside = layout.strip / 2 + 5;
  return { xh: label("xh", beside, 248, "start"), hq: label("hq", beside, 120, "start"),
    hh: label("hh", -layout.pitch / 2 - 4, layout.track - 10, "middle") };
}

function matrix(/** @type {BothWays} */ { names }, name, place) {
  const node = svg("text", place);
  drawnLaw(node, names[name], 0);
  return node;
}

/** The arrow from the state to itself, which the folded network has in place of arrows between steps. */
export function loop(/** @type {BothWays} */ drawing, /** @type {Layout} */ layout) {
  const { x, path, tip: [tx, ty], label: [lx, ly] } = layout.loop;
  const name = matrix(drawing, "hh", { class: "matrix", x: lx, y: ly });
  const says = svg("text", { class: "says", x: lx + 46, y: ly }, _("the same weights at every step"));
  return svg("g", { class: "loop", transform: `translate(${x} 0)` }, svg("path", { class: "back-again", d: path }),
    svg("path", { class: "arrow", d: `M${tx} ${ty}l9 -4l-2 8.500z` }), name, says);
}

// Writing the numbers of a column, at every update

export function fill(/** @type {State<"network">} */ state, column, /** @type {Column} */ drawing) {
  const { units } = state.data.drawing, /** @type {Layout} */ layout = state.layout;
  setText(column.letter, fitted(drawing.labels[0], layout.box - 6, layout.font, layout));
  column.units.fill(state.signed, drawing.state, (i) => _("unit {unit}", { unit: units[i] }));
  const shown = shownOf(drawing.prediction, layout);
  column.rows.forEach((row, i) => {
    row.node.style.visibility = i < shown.length ? "" : "hidden";
    if (i >= shown.length) return;
    const { symbol, p, share, target } = shown[i];
    row.node.classList.toggle("target", target);
    setTexts(row, { symbol, p });
    write(row.bar, "width", Math.max(share * row.room, 1).toFixed(1));
  });
  const { radius, shade, text } = dotOf(drawing.loss, layout);
  write(column.dot, "r", radius);
  write(column.dot, "fill", state.size.css(shade));
  setText(column.nats, layout.density === "tight" ? "" : text);
}
