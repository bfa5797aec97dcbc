// The run in the sidebar of every page. On the Training page, whose bar plays the run, it has no number and no curve.

import { _ } from "../shared/messages.js";
import { setTerms } from "../shared/explain.js";
import { changed, conflated, el, elements, resizeList, rootOf, setText, slider } from "../shared/component.js";
import { svg } from "../shared/drawn.js";
import { icon, iconButton } from "../shared/icons.js";

const NOW = -1; // the present, sent in place of an update
const FRAME = 1400; // ms per moment of the film

export default function (/** @type {Component<"run_card">} */ { parentElement, data, setTriggerValue }) {
  const [root, state] = rootOf(parentElement, "run_card");
  state.command = (what) => {
    stop(state);
    state.seek.flush(); // send a pending move first
    setTriggerValue("command", what);
  };
  if (!state.card) build(root, state, setTriggerValue);
  show(state, data);
}

function build(root, state, setTriggerValue) {
  Object.assign(state, elements({ mark: "span.mark", title: "b", aside: "span.small.muted", number: "span.number",
    what: "span.small.muted", sentence: "div.sentence", buttons: "div.buttons", lines: "div.lines.small.muted" }));
  state.path = svg("path");
  state.curve = svg("svg", { viewBox: "0 0 200 48", preserveAspectRatio: "none", "aria-hidden": "true" }, state.path);
  state.more = el("div.more", {}, el("div.big", {}, state.number, state.what));
  state.film = iconButton("film", _("Play the past: after 0, 10, 100, 1000 ... updates, and now"), () => film(state));
  state.seek = conflated((update) => setTriggerValue("seek", update));
  state.bar = slider({ label: _("Go back in the run"), step: 1, says: (place) => state.past?.words[place] ?? "",
    onmove: (place) => {
      stop(state);
      return state.seek(updateAt(state, place));
    } });
  state.back = el("div.back", {}, state.curve, state.bar.input, state.film);
  state.card = el("div.card", { role: "group", "aria-label": _("The run") },
    el("div.head", {}, state.mark, state.title, state.aside), state.more, state.sentence,
    state.buttons, state.back, state.lines); // parts of varying size are above the slider, so that it does not move
  root.append(state.card);
}

function show(state, /** @type {Data<"run_card">} */ data) {
  state.card.dataset.state = data.state;
  if (state.marked !== data.state) {
    const sign = { paused: "pause", past: "back", diverged: "flag", failed: "flag" }[data.state];
    state.mark.replaceChildren(sign ? icon(sign) : el("i"));
    state.marked = data.state;
  }
  setText(state.title, data.title);
  setText(state.aside, data.aside);
  setText(state.number, data.number);
  setTerms(state.what, data.what);
  setText(state.sentence, data.sentence);
  state.more.hidden = data.small;
  state.curve.toggleAttribute("hidden", data.small);
  state.path.setAttribute("d", path(data.curve));
  buttons(state, data.buttons);
  offerPast(state, data.past);
  resizeList(state.lines, data.lines.length, () => el("div", { dir: "auto" }))
    .forEach((node, i) => (i ? setTerms : setText)(node, data.lines[i])); // line 0 names the reader's text
}

const path = (curve) =>
  curve.map(([x, y], i) => `${i ? "L" : "M"}${(2 + 196 * x).toFixed(1)} ${(44 - 40 * y).toFixed(1)}`).join("");

/** Set the slider of the past: one stop for each stored moment, and the last one for the present. */
function offerPast(state, /** @type {Past} */ past) {
  state.bar.input.hidden = state.film.hidden = !past;
  state.past = past;
  if (!past) return stop(state);
  state.bar.input.max = past.updates.length;
  state.bar.input.title = past.words[past.at];
  return state.bar.offer(past.at);
}

const updateAt = (state, place) => state.past?.updates[place] ?? NOW;

/** Play the stored milestones (updates 0, 10, 100, ...), then the present; a second call stops the film. */
function film(state) {
  if (state.reel) return stop(state);
  const { film: stops } = /** @type {Past} */ (state.past);
  const updates = [...stops.map((place) => updateAt(state, place)), NOW];
  const show = () => {
    state.seek(updates.shift());
    if (updates.length) state.reel = setTimeout(show, FRAME);
    else stop(state);
  };
  state.film.replaceChildren(icon("stop"));
  state.film.setAttribute("aria-pressed", "true");
  return show();
}

function stop(state) {
  if (!state.reel) return;
  clearTimeout(state.reel);
  state.reel = null;
  state.film.replaceChildren(icon("film"));
  state.film.setAttribute("aria-pressed", "false");
}

function buttons(state, wanted) {
  if (!changed(state, "buttonShape", wanted)) return;
  state.buttons.replaceChildren(...wanted.map(([what, text, sign], i) => {
    const label = sign ? [icon(sign)] : [text], key = what === "pause" ? "play" : what; // the shortcut that presses it
    return el(i ? "button" : "button.filled", { title: text, "aria-label": text, "data-key": key,
      onclick: () => state.command(what) }, ...label);
  }));
}
