// Predict, then reveal: below the chart, a button to draw the expected curve into it, and a comparison with the run.
// A drag draws the line; with keys, arrows move a handle, Space sets a point, Enter ends the line, Escape cancels it.

import { _, lazy_gettext } from "../shared/messages.js";
import { ARROWS, el, setText } from "../shared/component.js";
import { placeAt, shareOf, stroke, valueAt } from "./stroke.js";
import { svg } from "../shared/drawn.js";

const STEP = 1 / 40, WIDE = 4; // share of the chart by which an arrow moves the handle; its factor with Shift
const LABEL = lazy_gettext("Draw what you expect. "
  + "Arrow keys move the handle, Space sets a point, Enter ends, Escape cancels.");
const HOW = lazy_gettext("Drag across the chart. Or: arrows, Space sets a point, Enter ends.");
const NOT = lazy_gettext("Nobody can expect seconds: choose another axis to draw.");

/** Add the controls. They call `send("draw", begins)` and `send("expect", {line, across, serial})`. */
export function expecting(root, chart, send) {
  const state = { root, chart, send, serial: 0, on: false, line: null, handle: null };
  state.path = svg("path", { "vector-effect": "non-scaling-stroke" });
  state.dot = el("i.dot");
  state.over = el("div.canvas", { tabindex: 0, role: "application", "aria-label": _(LABEL), hidden: true },
    svg("svg", { viewBox: "0 0 1 1", preserveAspectRatio: "none", "aria-hidden": "true" }, state.path), state.dot);
  state.over.onpointerdown = (event) => begin(state, event);
  state.over.onpointermove = (event) => state.line && state.held && extendLine(state, at(state, event));
  state.over.onpointerup = () => end(state);
  state.over.onpointercancel = () => leave(state);
  state.over.onkeydown = (event) => key(state, event);
  state.button = el("button.outlined", { onclick: () => (state.on ? leave(state) : start(state)) });
  state.clear = el("button.outlined", { onclick: () => tell(state, []) }, _("Clear"));
  state.status = el("span", { role: "status" });
  root.append(el("div.expecting", {}, state.button, state.clear, state.status));
  return (data) => offer(state, data);
}

function offer(state, /** @type {ExpectationStatus} */ data) {
  if (state.data === undefined && data.drawing) state.send("draw", false); // the page was left while drawing
  state.data = data;
  if (state.over.parentNode !== state.chart) state.chart.append(state.over);
  if (!data.can && state.on) leave(state);
  if (!state.on && state.serial <= data.serial) state.line = null; // the chart now contains the line
  state.serial = Math.max(state.serial, data.serial);
  show(state);
}

function show(state) {
  const { can, drawn, across, says } = /** @type {ExpectationStatus} */ (state.data);
  const room = hasRoom(state);
  state.across = across;
  setText(state.button, state.on ? _("Cancel") : _("Draw what you expect"));
  state.button.disabled = !can;
  state.button.title = can ? "" : _(NOT);
  state.clear.hidden = !drawn || state.on;
  setText(state.status, !state.on ? says : room ? state.place || _(HOW) : "");
  state.over.hidden = !state.on && !state.line;
  state.over.classList.toggle("open", state.on && room);
  placeOverlay(state);
}

function start(state) {
  if (!plotOf(state)?._fullLayout) return; // the chart is not drawn yet
  Object.assign(state, { on: true, line: null, handle: null, held: false, place: "" });
  state.send("draw", true);
  show(state);
  state.over.focus();
}

function leave(state) {
  Object.assign(state, { on: false, line: null, held: false });
  state.send("draw", false);
  show(state);
  state.button.focus({ preventScroll: true });
}

function tell(state, line) {
  state.serial += 1;
  state.send("expect", { line, across: state.across, serial: state.serial });
}

// The pointer

const plotOf = ({ chart }) => chart.querySelector(".plot");

/** The ranges of both axes as they are drawn now. */
function ranges(state) {
  const { xaxis, yaxis } = plotOf(state)._fullLayout;
  return { x: xaxis.range, y: yaxis.range };
}

const isLog = (state) => plotOf(state)._fullLayout.xaxis.type === "log"; // both axes are, or neither

const at = (state, { clientX, clientY }) =>
  placeAt(state.over.getBoundingClientRect(), ranges(state), clientX, clientY);

/** Whether the chart already extends to where the line may end: it does once the server has answered. */
function hasRoom(state) {
  const { room } = state.data, end = plotOf(state)?._fullLayout && ranges(state).x[1];
  return room > 0 && end >= (isLog(state) ? Math.log10(room) : room);
}

function begin(state, event) {
  if (!state.on || event.button || !hasRoom(state)) return;
  event.preventDefault();
  state.over.focus({ preventScroll: true });
  state.over.setPointerCapture(event.pointerId);
  Object.assign(state, { line: stroke(ranges(state).x), held: true, handle: null });
  extendLine(state, at(state, event));
}

function extendLine(state, place) {
  state.line.to(place);
  placeOverlay(state);
}

/** Finish the line and send it; a mere click is not a line. */
function end(state) {
  state.held = false;
  if (!state.on || !state.line?.isLine()) return;
  state.on = false;
  tell(state, state.line.values(isLog(state)));
  show(state);
  state.button.focus({ preventScroll: true });
}

// The keys

function key(state, event) {
  if (!state.on) return;
  const way = ARROWS[event.key];
  if (way) go(state, way, event.shiftKey ? WIDE : 1);
  else if (event.key === " ") set(state);
  else if (event.key === "Enter") end(state);
  else if (event.key === "Escape") leave(state);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

function go(state, [down, right], times) {
  if (!hasRoom(state)) return;
  const both = ranges(state), [x, y] = state.handle ?? [both.x[0], (both.y[0] + both.y[1]) / 2];
  const moved = (place, [low, high], steps) =>
    Math.min(Math.max(place + steps * times * STEP * (high - low), low), high);
  state.handle = [moved(x, both.x, right), moved(y, both.y, -down)];
  const [x1, y1] = state.handle.map((place) => rounded(valueAt(place, isLog(state))));
  state.place = _("{across} {x}, perplexity {y}", { across: _(state.across), x: x1, y: y1 });
  show(state);
}

const rounded = (value) => value.toLocaleString("en", { maximumSignificantDigits: 3 });

function set(state) {
  if (!state.handle) return;
  state.line ??= stroke(ranges(state).x);
  extendLine(state, state.handle);
}

// The picture

/** Place canvas, line and handle over the current position of the chart. */
function placeOverlay(state) {
  const drag = plotOf(state)?.querySelector(".nsewdrag");
  if (state.over.hidden || !drag) return;
  const box = drag.getBoundingClientRect(), home = state.chart.getBoundingClientRect();
  const across = (px) => `${100 * px / home.width}%`, down = (px) => `${100 * px / home.height}%`;
  Object.assign(state.over.style, { left: across(box.left - home.left), top: down(box.top - home.top),
    width: across(box.width), height: down(box.height) });
  const both = ranges(state), points = state.line?.places().map((place) => shareOf(both, place).join(" ")) ?? [];
  state.path.setAttribute("d", points.length ? `M${points.join("L")}` : "");
  state.dot.hidden = !state.handle || !state.on;
  if (!state.handle) return;
  const [left, top] = shareOf(both, state.handle);
  Object.assign(state.dot.style, { left: `${100 * left}%`, top: `${100 * top}%` });
}
