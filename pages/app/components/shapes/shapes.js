// Matrices drawn to scale, and sliders for their sizes that act while they are dragged.

import { _ } from "../shared/messages.js";
import { changed, el, elements, onRemoval, rootOf, setText } from "../shared/component.js";
import { control, shapeOf } from "../shared/controls.js";
import { maths } from "../shared/maths.js";
import { scaleOf } from "../shared/scales.js";

export default function (/** @type {Component<"shapes">} */ { parentElement, data, setStateValue }) {
  const [root, state] = rootOf(parentElement, "shapes");
  state.move = (name, place) => setStateValue("move", { name, place });
  if (changed(state, "shape", data.sliders.map(shapeOf))) build(root, state, data);
  for (const knob of data.sliders) state.sliders[knob.name].offer(knob);
  state.watcher ??= new ResizeObserver(() => fit(root, state));
  state.watcher.observe(root);
  draw(root, state, data);
  return onRemoval(root, () => state.watcher.disconnect());
}

function build(root, state, /** @type {Data<"shapes">} */ data) {
  const handlers = { move: (name, place) => state.move(name, place) };
  state.sliders = Object.fromEntries(data.sliders.map((knob) => [knob.name, control(knob, handlers)]));
  Object.assign(state, elements({ drawing: "div.drawing", scale: "span", rows: "section.panel.rows" }));
  const key = el("div.key.small.muted", {}, el("i.swatch.learnt"), _("learnt"), " ", el("i.swatch.memory"),
    _("computed anew at every step"), " · ", state.scale);
  root.replaceChildren(el("div.panel.sliders", { role: "group", "aria-label": _("Sizes") },
    ...Object.values(state.sliders).map((part) => part.node)), state.drawing, key, state.rows);
}

function draw(root, state, /** @type {Data<"shapes">} */ data) {
  state.lines = data.lines;
  state.drawing.replaceChildren(...data.lines.map((line) => el("div.line", {}, ...line.map((item) =>
    typeof item === "string" ? el("span.operator", {}, item)
    : el("figure", {}, el("figcaption", {}, maths(item.name)), el(`div.box.${item.tone}`),
      el("div.says", {}, item.says))))));
  setText(state.scale, data.scale);
  if (changed(state, "text", [data.text, root.dataset.theme])) write(root, state, data.text);
  fit(root, state);
}

/** Show the rows of a batch: the end of the text that each row has read, and its last token as an input vector. */
function write(root, state, /** @type {TextRows} */ { title, shape, rows, more, says }) {
  const scale = scaleOf(root, "diverging");
  const vector = (cells) => el("div.vector", {}, ...cells.map(([level, title]) =>
    el("i", { title, style: `background: ${scale.css(100 * level)}` })));
  state.rows.replaceChildren(el("div.head", {}, el("b", {}, title), el("span.small.muted", {}, shape)),
    ...rows.map(({ text, token, cells }) =>
      el("div.row", {}, el("span.text", {}, text), el("b", {}, token), vector(cells))),
    el("div.small.muted", {}, [more, says].filter(Boolean).join(" · ")));
}

/** Scale all matrices down by the same factor on a narrow screen, so that the widest one fits. */
function fit(root, state) {
  const items = /** @type {Shape[]} */ (state.lines.flat().filter((item) => typeof item !== "string"));
  const widest = Math.max(...items.map(({ w, copies, every }) => w + (copies - 1) * every));
  const scale = Math.min(1, (root.clientWidth - 12) / widest);
  state.drawing.querySelectorAll(".box").forEach((box, i) => {
    const { w, copies, every } = items[i], deck = (copies - 1) * every * scale;
    box.style.width = `${Math.max(2, w * scale) + deck}px`;
    box.style.setProperty("--deck", `${deck}px`);
    box.style.setProperty("--every", `${every * scale}px`);
    box.classList.toggle("deck", copies > 1);
    box.style.height = `${Math.max(2, items[i].h * scale)}px`;
  });
}
