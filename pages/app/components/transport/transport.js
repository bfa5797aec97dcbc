// The bar that plays the run: reset, play or pause, one update, run to an update or epoch, speed, x axis of the chart.

import { _, pgettext } from "../shared/messages.js";
import { conflated, el, rootOf, segments, setText, slider } from "../shared/component.js";
import { icon, iconButton } from "../shared/icons.js";

const FULL = 1000; // updates per second; beyond: full speed
const FASTEST = Math.log10(FULL), SLOWEST = Math.log10(0.5);

const toSpeed = (place) => (place >= 1 ? 0 : 10 ** (SLOWEST + place * (FASTEST - SLOWEST)));
const toPlace = (speed) => (speed === 0 ? 1 : (Math.log10(speed) - SLOWEST) / (FASTEST - SLOWEST));

/** The short and the full text for the speed at a place of the slider. */
function inWords(place) {
  if (toSpeed(place) === 0) return [pgettext("speed", "full"), _("full speed")];
  const speed = toSpeed(place) < 10 ? toSpeed(place).toFixed(1) : Math.round(toSpeed(place));
  return [_("{speed}/s", { speed }), _("{speed} updates per second", { speed })];
}

export default function (
  /** @type {Component<"transport">} */ { parentElement, data, setTriggerValue, setStateValue }
) {
  const [root, state] = rootOf(parentElement, "transport");
  state.command = (what, value) => {
    state.speed.flush(); // send a pending move first
    setTriggerValue(what, value);
  };
  if (!state.bar) build(root, state, setStateValue);
  show(state, data);
}

function build(root, state, setStateValue) {
  state.reset = iconButton("reset", _("Start over: the same settings, untrained"),
    () => state.command("press", "reset"));
  state.word = el("span");
  state.play = el("button.filled.play", { "data-key": "play",
    onclick: () => state.command("press", state.playing ? "pause" : "play") }, icon("play"), icon("pause"), state.word);
  const onclick = () => state.command("press", "talk");
  const talk = el("button.talk", { "data-key": "talk", tabindex: -1, onclick });
  state.one = el("button", { "data-key": "step", onclick: () => state.command("press", "step") },
    icon("step"), el("span.long", {}, _("one update")));
  state.target = el("input", { type: "number", min: 1, step: 1,
    onkeydown: ({ key }) => { if (key === "Enter") runTo(state); } });
  state.unit = el("select", { "aria-label": _("Run to an update or an epoch"), onchange: () => offerTarget(state) },
    el("option", { value: "run_to" }, _("update")), el("option", { value: "run_to_epoch" }, _("epoch")));
  state.go = el("button", { onclick: () => runTo(state) }, _("run to"));
  const to = el("span.to", {}, state.go, state.unit, state.target);
  state.speed = conflated((value) => setStateValue("speed", value));
  const paceWord = el("span.small.muted.pace-word");
  state.pace = slider({ label: _("Speed"), onmove: (place) => state.speed(toSpeed(place)), says: (place) => {
    const [short, full] = inWords(place);
    setText(paceWord, short);
    return full;
  } });
  const pace = el("label.pace", {}, el("span.small.muted", {}, _("slow")), state.pace.input, paceWord);
  state.across = segments({ label: _("What runs along the chart"), onchoose: (value) => state.command("across", value),
    options: [["updates", _("updates")], ["epochs", _("epochs")], ["tokens", _("tokens")],
      ["seconds", _("seconds")]] });
  state.bar = el("div.panel.bar", { role: "toolbar", "aria-label": _("Training") }, state.reset, state.play, talk,
    state.one, to, pace, state.across.node);
  state.bar.onkeydown = (event) => keys(event, state);
  root.append(state.bar);
}

function runTo(state) {
  const target = Math.round(Number(state.target.value));
  if (target > 0) state.command(state.unit.value, target);
}

/** Set the target to the default for the chosen unit. */
function offerTarget(state) {
  const { run_to: update, run_to_epoch: epoch } = state.targets;
  const toUpdate = state.unit.value === "run_to";
  state.target.value = toUpdate ? update : epoch;
  state.target.setAttribute("aria-label", toUpdate ? _("update to run to") : _("epoch to run to"));
  state.go.setAttribute("aria-label", toUpdate ? _("Run to update") : _("Run to epoch"));
}

/** Space plays and pauses, the right arrow does one update: only while the bar has the focus. */
function keys(event, state) {
  const onControl = ["INPUT", "SELECT"].includes(event.target.tagName);
  if (event.key === " " && event.target.tagName !== "BUTTON" && !onControl) state.play.click();
  else if (event.key === "ArrowRight" && !onControl) state.one.click();
  else return;
  event.preventDefault();
}

function show(state, /** @type {Data<"transport">} */ data) {
  state.playing = data.playing;
  state.play.dataset.playing = data.playing;
  setText(state.word, data.playing ? _("Pause") : _("Play"));
  state.play.setAttribute("aria-label", data.playing ? _("Pause training") : _("Play: train the network"));
  state.targets = data.targets;
  if (!state.target.matches(":focus") && !state.target.value) offerTarget(state);
  state.pace.offer(toPlace(data.speed));
  state.across.offer(data.across);
}
