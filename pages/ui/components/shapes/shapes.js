// Matrices drawn to scale, and sliders for their sizes that act while they are dragged.
// data: {sliders: [a knob of shared/controls.js], lines: [[text | {name, says, w, h, tone}]], scale}

import { changed, el, leaving, mover, paper, setText } from "../shared/paper.js";
import { control, shapeOf } from "../shared/controls.js";
import { maths } from "../shared/maths.js";

export default function ({ parentElement, data, setStateValue }) {
  const [root, state] = paper(parentElement, "shapes");
  const move = mover(state, setStateValue);
  state.move = (name, place) => move({ name, place });
  if (changed(state, "shape", data.sliders.map(shapeOf))) build(root, state, data);
  for (const knob of data.sliders) state.sliders[knob.name].offer(knob);
  state.watcher ??= new ResizeObserver(() => fit(root, state));
  state.watcher.observe(root);
  draw(root, state, data);
  return leaving(root, () => state.watcher.disconnect());
}

function build(root, state, data) {
  const hears = { move: (name, place) => state.move(name, place) };
  state.sliders = Object.fromEntries(data.sliders.map((knob) => [knob.name, control(knob, hears)]));
  state.drawing = el("div.drawing");
  state.scale = el("span");
  const key = el("div.key.small.muted", {}, el("i.swatch.learnt"), "learnt ", el("i.swatch.memory"),
    "computed anew at every step · ", state.scale);
  root.replaceChildren(el("div.panel.sliders", { role: "group", "aria-label": "Sizes" },
    ...Object.values(state.sliders).map((part) => part.node)), state.drawing, key);
}

function draw(root, state, data) {
  state.lines = data.lines;
  state.drawing.replaceChildren(...data.lines.map((line) => el("div.line", {}, ...line.map((item) =>
    typeof item === "string" ? el("span.operator", {}, item)
    : el("figure", {}, el("figcaption", {}, maths(item.name)), el(`div.box.${item.tone}`),
      el("div.says", {}, item.says))))));
  setText(state.scale, data.scale);
  fit(root, state);
}

/** On a narrow screen everything shrinks together, so that the widest matrix fits. */
function fit(root, state) {
  const items = state.lines.flat().filter((item) => typeof item !== "string");
  const widest = Math.max(...items.map((item) => item.w));
  const scale = Math.min(1, (root.clientWidth - 12) / widest);
  state.drawing.querySelectorAll(".box").forEach((box, i) => {
    box.style.width = `${Math.max(2, items[i].w * scale)}px`;
    box.style.height = `${Math.max(2, items[i].h * scale)}px`;
  });
}
