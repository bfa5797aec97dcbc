// The live knobs: they act while they are dragged, and by keyboard.
// data: {knobs: [{name, label, value, places: [...], words: [...], low, high, ticks: [place index], at}], carry, undo}
// A slider's places are computed in Python; here they are only walked along.

import { changed, el, paper, segments, worded } from "../shared/paper.js";
import { icon } from "../shared/icons.js";

export default function ({ parentElement, data, setStateValue, setTriggerValue }) {
  const [root, state] = paper(parentElement, "knobs");
  state.count ??= 0;
  state.send = (name, value, done) => setStateValue("move", { name, value, done, count: ++state.count });
  state.undo = () => {
    for (const part of Object.values(state.knobs)) part.release();
    setTriggerValue("undo", true);
  };
  // never rebuilt under a hand
  if (changed(state, "shape", data.knobs.map((knob) => [knob.name, knob.words]))) build(root, state, data);
  show(state, data);
}

function build(root, state, data) {
  state.knobs = {};
  const columns = data.knobs.map((knob) => column(state, knob));
  state.carry = segments({ label: "State between windows", options: [[true, "carry"], [false, "reset h"]],
    onchoose: (value) => {
      state.carry.offer(value);
      state.send("carry_state", value, true);
    } });
  const between = el("div.knob.between", {}, el("div.head", {}, el("span", {}, "Between windows")), state.carry.node);
  state.undoButton = el("button.undo.small", { type: "button", onclick: () => state.undo() }, icon("undo"),
    el("span", {}, "undo"));
  const title = el("div.title", {}, el("b", {}, "Live knobs"), el("div.small.muted", {}, "act while dragged"),
    state.undoButton);
  root.replaceChildren(el("div.panel.row", { role: "group", "aria-label": "Live knobs" }, title, ...columns, between));
}

function column(state, knob) {
  const part = state.knobs[knob.name] = worded({ ...knob,
    onmove: (place, done) => state.send(knob.name, knob.places[place], done) });
  const ticks = el("div.ticks", { "aria-hidden": "true" }, ...knob.ticks.map((tick) => {
    const mark = el("i");
    mark.style.left = `${(100 * tick) / (knob.places.length - 1)}%`;
    return mark;
  }));
  return el(`div.knob.${knob.name}`, { title: knob.help }, el("div.head", {}, el("span", {}, knob.label), part.said),
    el("div.track", {}, ticks, part.input),
    el("div.ends.small.muted", {}, el("span", {}, knob.low), el("span", {}, knob.high)));
}

function show(state, data) {
  for (const knob of data.knobs) state.knobs[knob.name].offer(knob.at, knob.says);
  state.carry.offer(data.carry);
  state.undoButton.disabled = data.undo === "";
  state.undoButton.title = data.undo || "Nothing to undo";
}
