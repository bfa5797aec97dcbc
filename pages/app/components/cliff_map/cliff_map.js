// The loss as a map, with two paths of gradient descent that are played update by update. The start is moved by a click
// on the map or by the arrow keys.

import { _ } from "../shared/messages.js";
import { ARROWS, el, onRemoval, resizeList, rootOf, setText } from "../shared/component.js";
import { icon, iconButton } from "../shared/icons.js";
import { player } from "../shared/player.js";
import figure from "../live_figure/live_figure.js";

const PACE = 180; // ms between two updates

export default function (/** @type {Component<"cliff_map">} */ { parentElement, data, setTriggerValue }) {
  const [root, state] = rootOf(parentElement, "cliff_map");
  state.choose = async ([i, j]) => {
    state.unanswered = (state.unanswered ?? 0) + 1;
    await setTriggerValue("pick", { x: state.data.stops[0][i], y: state.data.stops[1][j] });
    state.unanswered -= 1;
  };
  state.data = data;
  if (!state.unanswered) state.start = data.start;
  const onpick = ({ x, y }) => {
    state.start = [x, y].map((value, i) => nearest(data.stops[i], value)); // the arrow keys go on from here
    state.choose(state.start);
  };
  state.draw = () => figure({ parentElement, low: true, onpick,
    data: { ...data.figure, figure: upTo(data.figure.figure, state.at, root.dataset.presenting !== undefined) } });
  const last = data.frames.length - 1;
  if (!state.play) build(root, state);
  if (state.path !== data.path) {
    if (state.player.playing) state.player.pause();
    state.at = last;
  }
  state.path = data.path;
  const leave = show(state);
  return onRemoval(root, () => {
    state.player.pause();
    leave?.();
  });
}

/** The figure with both paths up to this update, and the marks where they have left the map by then; presented, it is
 * small, and the numbers below it name the paths. */
function upTo(/** @type {Figure} */ { data, layout }, at, presented) {
  const cut = (/** @type {any} */ trace) =>
    ({ ...trace, x: trace.x.slice(0, at + 1), y: trace.y.slice(0, at + 1), text: trace.text.slice(0, at + 1) });
  const traces = data.filter(({ meta, customdata }) => meta !== "exit" || customdata[0] <= at);
  const small = presented ? { showlegend: false, margin: { ...layout.margin, t: 10 } } : {};
  return { data: traces.map((trace) => (trace.meta === "path" ? cut(trace) : trace)), layout: { ...layout, ...small } };
}

function build(root, /** @type {State<"cliff_map">} */ state) {
  const advance = () => state.at + 1 < state.data.frames.length && go(state, state.at + 1);
  state.player = player({ advance, pace: () => PACE, drawn: () => showPlaying(state) });
  state.play = el("button.filled.play.local", { "data-key": "play", onclick: () => play(state) },
    icon("play"), icon("pause"));
  const local = (button) => {
    button.classList.add("local");
    return button;
  };
  const on = local(iconButton("forward", _("An update on"), () => go(state, state.at + 1)));
  on.dataset.key = "step";
  state.position = el("input.local", { type: "range", min: 0, step: 1, "aria-label": _("Update"),
    oninput: () => go(state, Number(state.position.value)) });
  state.where = el("span.where");
  const bar = el("div.panel.bar", { role: "toolbar", "aria-label": _("Play the updates") },
    local(iconButton("reset", _("To the start"), () => go(state, 0))), state.play,
    local(iconButton("back", _("An update back"), () => go(state, state.at - 1))), on,
    el("div.position", {}, state.position), state.where);
  state.table = el("table.numbers", {}, el("thead", {}, el("tr")), el("tbody"));
  const map = root.querySelector(".live_figure").parentElement;
  map.tabIndex = 0;
  map.setAttribute("role", "application");
  map.setAttribute("aria-label", _("The map: arrow keys move the start of both paths"));
  map.addEventListener("keydown", (event) => move(state, event));
  root.append(bar, state.table);
}

function go(/** @type {State<"cliff_map">} */ state, at) {
  state.at = Math.max(0, Math.min(state.data.frames.length - 1, at));
  show(state);
}

function play(/** @type {State<"cliff_map">} */ state) {
  if (!state.player.playing && state.at === state.data.frames.length - 1) state.at = 0;
  state.player.toggle();
}

/** The index of the stop that is nearest to a value. */
const nearest = (stops, value) =>
  stops.reduce((best, stop, i) => (Math.abs(stop - value) < Math.abs(stops[best] - value) ? i : best), 0);

function move(/** @type {State<"cliff_map">} */ state, event) {
  const step = ARROWS[event.key];
  if (!step) return;
  event.preventDefault();
  event.stopPropagation();
  const [down, right] = step;
  state.start = [right, -down].map((by, i) =>
    Math.max(0, Math.min(state.data.stops[i].length - 1, state.start[i] + by)));
  state.choose(state.start);
}

function show(/** @type {State<"cliff_map">} */ state) {
  const { head, frames } = state.data, { at } = state;
  state.position.max = frames.length - 1;
  if (Number(state.position.value) !== at) state.position.value = at;
  state.position.style.setProperty("--share", `${(100 * at) / (frames.length - 1)}%`);
  const where = _("update {update}", { update: at });
  state.position.setAttribute("aria-valuetext", where);
  setText(state.where, where);
  showPlaying(state);
  const [top, body] = state.table.children;
  fill(top.firstChild, "th", head);
  resizeList(body, frames[at].length, () => el("tr")).forEach((row, i) => fill(row, "td", frames[at][i]));
  return state.draw();
}

function showPlaying(/** @type {State<"cliff_map">} */ { play: button, player: { playing } }) {
  button.dataset.playing = playing;
  button.title = playing ? _("Pause") : _("Play");
  button.setAttribute("aria-label", button.title);
}

const fill = (row, tag, texts) =>
  resizeList(row, texts.length, () => el(tag)).forEach((cell, i) => setText(cell, texts[i]));
