// What if W_hh had another radius: ready-made experiments, sliders that act while dragged, and a button for the live
// run.
// data: {chips: [[id, words]], chip, sliders: [{name, label, help, words: [...], at}], activations: [[id, words]],
//   activation, apply, applies}

import { changed, el, paper, segments, setText, worded } from "../shared/paper.js";

export default function ({ parentElement, data, setStateValue, setTriggerValue }) {
  const [root, state] = paper(parentElement, "what_if");
  state.count ??= 0;
  state.send = (name, place) => setStateValue("move", { name, place, count: ++state.count });
  state.tell = (what, value) => {
    for (const part of Object.values(state.sliders)) part.release();
    setTriggerValue(what, value);
  };
  if (changed(state, "shape", [data.chips, data.activations, data.sliders.map(({ at, ...rest }) => rest)]))
    build(root, state, data);
  show(state, data);
}

function build(root, state, data) {
  state.sliders = {};
  state.chips = segments({ label: "A fresh network whose gradient", options: data.chips, onchoose: (id) => {
    state.chips.offer(id);
    state.tell("chip", id);
  } });
  state.activations = segments({ label: "Activation", options: data.activations,
    onchoose: (id) => {
      state.activations.offer(id);
      state.tell("activation", id);
    } });
  state.apply = el("button.outlined.apply", { type: "button", onclick: () => state.tell("apply", true) });
  root.replaceChildren(el("div.panel", { role: "group", "aria-label": "What if" },
    el("div.line", {}, labelled("a fresh network", state.chips.node), labelled("φ", state.activations.node)),
    el("div.sliders", {}, ...data.sliders.map((knob) => column(state, knob))),
    el("div.line", {}, state.apply)));
}

const labelled = (words, node) => el("span.labelled", {}, el("span.muted", {}, words), node);

function column(state, knob) {
  const part = state.sliders[knob.name] = worded({ ...knob, onmove: (place) => state.send(knob.name, place) });
  return el(`label.knob.${knob.name}`, { title: knob.help }, el("span.head", {}, el("span", {}, knob.label), part.said),
    part.input);
}

function show(state, data) {
  for (const { name, at } of data.sliders) state.sliders[name].offer(at);
  state.chips.offer(data.chip);
  state.activations.offer(data.activation);
  setText(state.apply, data.apply);
  state.apply.title = data.applies;
  state.apply.hidden = data.apply === "";
}
