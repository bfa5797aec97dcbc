// A drawing of boxes, wires, words and small matrices. If matrices belong to a place ("opens"), the place under the
// pointer or the focus is opened below the drawing: its numbers in the forward and in the backward pass.

import { changed, el, rootOf } from "../shared/component.js";
import { svg } from "../shared/drawn.js";
import { drawnLaw, maths } from "../shared/maths.js";
import { scaleOf } from "../shared/scales.js";

const FINGER = 24; // px of what is pressed, at least
const MINUS_FROM = 6; // px: a cell as large as this has room for a minus bar

export default function (/** @type {Component<"diagram">} */ { parentElement, data }) {
  const [root, state] = rootOf(parentElement, "diagram");
  if (!changed(state, "drawn", [data, root.dataset.theme])) return;
  const held = /** @type {any} */ (root.getRootNode()).activeElement?.dataset?.opens;
  const scale = scaleOf(root, "diverging"), [width, height] = data.size;
  state.opened = el("div.opened", { role: "status" });
  state.grids = data.grids.map((grid) => gridOf(grid, scale, () => open(state, data, scale, grid.opens)));
  const sheet = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: data.places.length ? "group" : "img",
    "aria-label": data.label, style: `--wide: ${width}px` },
  ...data.wires.map(wireOf), ...data.boxes.map(boxOf), ...data.words.map(wordsOf), ...state.grids);
  root.replaceChildren(el("div.stage", {}, sheet), ...(data.places.length ? [state.opened] : []));
  state.place = Math.min(state.place ?? data.open, data.places.length - 1);
  if (data.places.length) open(state, data, scale, state.place);
  if (held) state.grids.find((grid) => grid.dataset.opens === held)?.focus();
}

/** A wire through its points, with an arrowhead at the last one. */
function wireOf(/** @type {Wire} */ { points, tone }) {
  const [[fromX, fromY], [x, y]] = points.slice(-2);
  const turn = Math.atan2(y - fromY, x - fromX) * 180 / Math.PI;
  return svg("g", { class: `wire ${tone}` }, svg("polyline", { points: points.join(" ") }),
    svg("path", { d: "M-9 -5L0 0L-9 5Z", transform: `translate(${x} ${y}) rotate(${turn})` }));
}

function boxOf(/** @type {Box} */ { x, y, w, h, lines }) {
  const text = lines.map(([words, tone], i) =>
    svg("text", { class: tone, x, y: y + 5 + 18 * (i - (lines.length - 1) / 2) }, words));
  return svg("g", { class: "node" }, svg("rect", { x: x - w / 2, y: y - h / 2, width: w, height: h, rx: 8 }), ...text);
}

function wordsOf(/** @type {Words} */ { x, y, text, tone, anchor, step }) {
  if (tone === "muted") return svg("text", { class: tone, x, y, "text-anchor": anchor }, text);
  const node = svg("text", { class: `law ${tone}`, x, y, "text-anchor": anchor });
  drawnLaw(node, text, step);
  return node;
}

function gridOf(/** @type {CellGrid} */ { x, y, w, h, tone, opens, cells }, scale, show) {
  const bars = { dark: "", light: "" };
  const rects = cells.flatMap((row, i) => row.map(([, level, full], j) => {
    const minus = Math.min(w, h) >= MINUS_FROM && scale.minus(100 * level);
    if (minus) bars[minus] += `M${x + (j + 0.5) * w - 2} ${y + (i + 0.5) * h}h4`;
    return svg("rect", { x: x + j * w, y: y + i * h, width: w, height: h, fill: scale.css(100 * level) },
      svg("title", {}, full));
  }));
  const frame = svg("rect", { class: "frame", x: x - 1, y: y - 1, width: cells[0].length * w + 2,
    height: cells.length * h + 2, rx: 2 });
  const button = opens === null ? {} : { "data-opens": opens, tabindex: 0, role: "button" };
  const wide = Math.max(cells[0].length * w, FINGER), high = Math.max(cells.length * h, FINGER);
  const around = svg("rect", { x: x + (cells[0].length * w - wide) / 2, y: y + (cells.length * h - high) / 2,
    width: wide, height: high, fill: "transparent" });
  const node = svg("g", { class: `grid ${tone}`, ...button }, ...(opens === null ? [] : [around]), ...rects,
    ...Object.entries(bars).map(([ink, d]) => svg("path", { class: `minus ${ink}`, d })), frame);
  if (opens !== null) Object.assign(node, { onpointerenter: show, onclick: show, onfocus: show });
  return node;
}

/** Show the matrices of one place with their numbers. */
function open(state, /** @type {Data<"diagram">} */ data, scale, place) {
  const { title, matrices } = data.places[place];
  state.place = place;
  for (const grid of state.grids) grid.classList.toggle("open", grid.dataset.opens === String(place));
  state.opened.replaceChildren(el("b", {}, title), ...matrices.map(({ name, shape, tone, cells }) => {
    const table = el(`div.numbers.${tone}`, { style: `--columns: ${cells[0].length}` },
      ...cells.flat().map(([text, level, full]) => {
        const cell = el("span", { title: full }, text);
        scale.shade(cell, 100 * level);
        return cell;
      }));
    return el("figure", {}, el("figcaption", {}, maths(name), " ", el("span.small.muted", {}, shape)), table);
  }));
}
