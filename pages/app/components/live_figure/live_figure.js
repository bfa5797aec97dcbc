// A plotly figure that is updated in place: its DOM node stays the same, zoom and hover survive every update.

import { el, loadPlotly, onRemoval, rootOf } from "../shared/component.js";
import { allPainted } from "../shared/loading.js";
import { windowScale } from "../shared/window_scale.js";
import { makeRoom, placeNames } from "./edges.js";

const CONFIG = { displayModeBar: false, responsive: false, doubleClick: false, scrollZoom: false };
const LEAST = 13; // px: the smallest font size, before the page is enlarged
const NARROWEST = 80; // px: less has no room between the margins of a figure
const SHARE = { alone: 0.38, low: 0.46, scene: 0.68 }; // of the window's height; a question above the figure takes room
const LOWEST = 200, LOW = 174; // px: the smallest height of a figure, and of a `low` one
const ROOM = 12; // px more for the legend, whose font grows
const TITLE = 15; // px: the line of the title below the tick labels of an axis
const TICKS = 8; // px from an axis to its tick labels
const LONG = 22; // characters: a title that is longer takes two lines beside the tick labels

const waiting = []; // figures that wait to be drawn after plotly.js has loaded

/** `onseek(update)` handles a click on a curve whose meta is "seek", or on an annotation, whose name is the update.
 * `onpick({x, y})` handles a click at this place of a trace whose meta is "pick" or "path". In presentation mode, a
 * `low` figure is lower, with room for the elements above it. `ondraw` is called after each drawing. */
export default function (
  /** @type {Component<"live_figure"> & {onseek?: Function, onpick?: Function, ondraw?: Function, low?: boolean}} */
  { parentElement, data, setTriggerValue, onseek, onpick, ondraw, low = false }
) {
  const [root, state] = rootOf(parentElement, "live_figure");
  state.pick = onpick ?? ((place) => setTriggerValue("pick", place));
  Object.assign(state, { data, low, seek: onseek, ondraw });
  if (!state.node) mount(root, state);
  setHeight(root, state);
  state.node.setAttribute("aria-label", data.label);
  state.plot.then(() => draw(root, state));
  return onRemoval(root, () => leave(state));
}

async function leave(state) {
  state.gone = true;
  state.watcher.disconnect();
  await state.reacting; // plotly still reads the figure in a microtask after its drawing
  if (window.Plotly) Plotly.purge(state.node);
}

function mount(root, /** @type {State<"live_figure">} */ state) {
  state.node = el("div.plot", { role: "img" });
  state.drawing = 0; // number of redraws that are not finished
  root.append(state.node);
  const library = new URL(state.data.plotly, document.baseURI).href;
  // once per browser tab, after all else: while it is started nothing can be drawn, for up to two seconds
  window.plotlyLoading ??= allPainted().then(() => loadPlotly(library));
  state.plot = window.plotlyLoading.then(() => inOrder(root));
  // a figure that is removed shrinks to width 0, before or after Plotly.purge()
  state.watcher = new ResizeObserver(() => {
    const width = root.clientWidth, drawn = state.node._fullLayout?.width;
    if (width && (state.waits || (drawn && width !== drawn))) draw(root, state); // its margins depend on its width
  });
  state.watcher.observe(root);
}

/** A promise that is resolved when `root` may be drawn: figures that waited for plotly.js are drawn from the top of the
 * page downward, each in a task of its own, so that the browser paints the first one before the others are drawn. */
function inOrder(root) {
  return new Promise((draws) => {
    if (waiting.push({ root, draws }) === 1) queueMicrotask(next);
  });
}

function next() {
  waiting.sort((one, other) => top(one.root) - top(other.root));
  waiting.shift().draws();
  if (waiting.length) setTimeout(next);
}

const top = (root) => (root.offsetParent ? root.getBoundingClientRect().top : Infinity);

async function draw(root, /** @type {State<"live_figure">} */ state) {
  if (state.gone) return; // the page has changed while plotly.js was loading
  state.waits = root.clientWidth > 0 && root.clientWidth < NARROWEST;
  if (state.waits) return; // for the watcher: the columns of the page have no width yet
  const { figure, keep } = state.data;
  if (state.kept !== keep) state.zoom = {};
  state.kept = keep;
  const { data, layout } = /** @type {Figure} */ (inColour(figure, getComputedStyle(root)));
  layout.width = root.clientWidth;
  layout.height = setHeight(root, state);
  if (root.dataset.presenting !== undefined) presented(layout, isBound(root, state.low));
  for (const axis in state.zoom) layout[axis].range = state.zoom[axis];
  makeRoom(layout, data);
  placeNames(layout, data);
  state.drawing += 1;
  state.reacting = Plotly.react(state.node, data, layout, CONFIG);
  await state.reacting;
  state.drawing -= 1;
  if (state.gone) return;
  fixShape(root, state.node, layout);
  if (!state.drawn) listen(root, state);
  state.drawn = true;
  state.node.dataset.drawn = String(Number(state.node.dataset.drawn ?? 0) + 1);
  if (state.hovered) keepHover(state.node, state.hovered);
  state.ondraw?.();
}

/** Let the drawing be scaled to the width of a sheet of paper. */
function fixShape(root, node, layout) {
  const { width, height } = layout;
  root.style.setProperty("--drawn", `${width}px`);
  root.style.setProperty("--shape", `${width} / ${height}`);
  for (const drawing of node.querySelectorAll(".main-svg")) drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
}

/** Set the height of the figure, even before plotly.js is loaded; return it in px. */
function setHeight(root, /** @type {State<"live_figure">} */ { data, low }) {
  const most = isBound(root, low) ? roomOf(root, low) : root.clientWidth < 480 ? 300 : Infinity;
  const height = Math.min(data.figure.layout.height, most);
  root.style.height = root.style.minHeight = `${height}px`;
  return height;
}

/** Whether the height of the window limits the height of the figure. */
const isBound = ({ dataset: { presenting } }, low) => presenting === "scene" || (presenting === "" && low);

/** The largest height in px of a figure that has to be `low`, or is below the question of a scene. */
function roomOf(root, low) {
  const share = root.dataset.presenting !== "scene" ? SHARE.alone : low ? SHARE.low : SHARE.scene;
  return Math.max(share * window.innerHeight / windowScale(), low ? LOW : LOWEST);
}

/** Adapt a layout to presentation mode: enlarge small type and, if it is `low`, put the title of the x-axis beside its
 * tick labels and keep the legend at the top edge. */
export function presented(layout, low = true) {
  enlarge(layout);
  if (!low) return;
  const { height, margin, legend, showlegend, xaxis } = layout;
  if (!margin) return;
  if (xaxis?.title?.text) moveTitle(layout);
  if (!showlegend) return;
  Object.assign(legend, { y: 1 + margin.t / (height - margin.t - margin.b), yanchor: "top" });
  margin.r += ROOM;
}

/** Move the title of the x-axis to the right of its tick labels; the line that it leaves is for what is below. */
function moveTitle(layout) {
  const { text, font } = layout.xaxis.title;
  const title = { text: text.length > LONG ? text.replace(" (", "<br>(") : text, font: { ...layout.font, ...font },
    showarrow: false, align: "left", xref: "paper", x: 1, xanchor: "left", xshift: 14, yref: "paper", y: 0,
    yanchor: "top", yshift: -TICKS };
  const inCorner = ({ x, y, yanchor }) => x === 1 && y === 0 && yanchor === "top"; // not for the hall
  layout.annotations = [...(layout.annotations ?? []).filter((note) => !inCorner(note)), title];
  layout.xaxis.title = { text: "" };
  if (text.length <= LONG) layout.margin.b -= TITLE;
}

function enlarge(value) {
  if (typeof value !== "object" || value === null) return;
  if (value.font?.size < LEAST) value.font.size = LEAST;
  Object.values(value).forEach(enlarge);
}

function listen(root, state) {
  state.node.on("plotly_hover", (event) => {
    if (!state.drawing) state.hovered = { curve: event.points[0].curveNumber, at: event.points[0].x };
  });
  // also fired by a redraw
  state.node.on("plotly_unhover", () => { if (!state.drawing) state.hovered = null; });
  state.node.on("plotly_click", ({ points }) => {
    const point = points.find(({ data }) => data.meta === "seek");
    if (point) state.seek?.(point.customdata);
    const place = points.find(({ data }) => ["pick", "path"].includes(data.meta)); // a path lies over what is picked
    if (place) state.pick({ x: place.x, y: place.y });
  });
  state.node.on("plotly_clickannotation", ({ annotation }) => annotation.name && state.seek?.(Number(annotation.name)));
  state.node.on("plotly_relayout", (change) => zoomed(state.zoom, change));
  state.node.on("plotly_doubleclick", () => {
    state.zoom = {};
    draw(root, state);
  });
}

/** Store a zoom: plotly's own uirevision drops it as soon as a figure has another range. */
function zoomed(zoom, change) {
  for (const axis of ["xaxis", "yaxis"])
    if (`${axis}.range[0]` in change) zoom[axis] = [change[`${axis}.range[0]`], change[`${axis}.range[1]`]];
}

/** A redraw removes the hover label: show it again at the same place of the same curve. */
function keepHover(node, { curve, at }) {
  const xs = node.data[curve]?.x;
  if (!xs?.length) return;
  let nearest = 0;
  for (let i = 1; i < xs.length; i++) if (Math.abs(xs[i] - at) < Math.abs(xs[nearest] - at)) nearest = i;
  Plotly.Fx.hover(node, [{ curveNumber: curve, pointNumber: nearest }]);
}

/** Whether a list has numbers alone, by its ends: a curve is long, and a colour scale's stop ends with a colour. */
const isNumbers = (list) => typeof list[0] === "number" && typeof list.at(-1) === "number";

/** The figure with every "token:name" replaced by that colour of the palette in use. */
function inColour(value, style) {
  if (Array.isArray(value)) return isNumbers(value) ? value : value.map((item) => inColour(item, style));
  if (value && typeof value === "object")
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inColour(item, style)]));
  if (typeof value === "string" && value.startsWith("token:"))
    return style.getPropertyValue(`--${value.slice(6)}`).trim();
  return value;
}
