// The live knobs: they act while they are dragged, and by keyboard.
// data: {knobs: [a knob of shared/controls.js], carry, undo}
// A knob's places are computed in Python; here they are only walked along.

import { changed, el, mover, paper, segments } from "../shared/paper.js";
import { control, shapeOf } from "../shared/controls.js";
import { icon } from "../shared/icons.js";

export default function ({ parentElement, data, setStateValue, setTriggerValue }) {
  const [root, state] = paper(parentElement, "knobs");
  const move = mover(state, setStateValue);
  state.move = (name, value, done) => move({ name, value, done });
  state.undo = () => {
    for (const part of Object.values(state.knobs)) part.release();
    setTriggerValue("undo", true);
  };
  if (changed(state, "shape", data.knobs.map(shapeOf))) build(root, state, data); // never rebuilt under a hand
  for (const knob of data.knobs) state.knobs[knob.name].offer(knob);
  state.carry.offer(data.carry);
  state.undoButton.disabled = data.undo === "";
  state.undoButton.title = data.undo || "Nothing to undo";
}

function build(root, state, data) {
  const move = (...moved) => state.move(...moved);
  state.knobs = Object.fromEntries(data.knobs.map((knob) => [knob.name, control(knob, { move })]));
  const onchoose = (value) => {
    state.carry.offer(value);
    state.move("carry_state", value, true);
  };
  state.carry = segments({ label: "State between windows", options: [[true, "carry"], [false, "reset h"]], onchoose });
  const between = el("div.knob.between", {}, el("div.head", {}, el("span", {}, "Between windows")), state.carry.node);
  state.undoButton = el("button.undo.small", { type: "button", onclick: () => state.undo() },
    icon("undo"), el("span", {}, "undo"));
  const title = el("div.title", {}, el("b", {}, "Live knobs"), el("div.small.muted", {}, "act while dragged"),
    state.undoButton);
  root.replaceChildren(el("div.panel.row", { role: "group", "aria-label": "Live knobs" }, title,
    ...Object.values(state.knobs).map((part) => part.node), between));
}
