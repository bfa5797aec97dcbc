// A text that can be typed into, coloured by how surprised a model is; under it a bar for every token, and one token in
// numbers.

import { _, pieces } from "../shared/messages.js";
import { changed, conflated, el, elements, resizeList, rootOf, segments, setText } from "../shared/component.js";
import { icon } from "../shared/icons.js";
import { editor } from "../shared/typed.js";
import { scaleOf } from "../shared/scales.js";
import { bars } from "./bars.js";
import { panels } from "./opinion.js";

export default function (/** @type {Component<"surprise">} */ { parentElement, data, setTriggerValue }) {
  const [root, state] = rootOf(parentElement, "surprise");
  state.send = setTriggerValue;
  if (!state.editor) build(root, state, data);
  if (data.serial < state.serial) return; // the answer to an older text
  const { drawing } = data;
  state.drawing = drawing;
  state.editor.offer(drawing, scaleOf(root, "sequential"));
  resizeList(state.notices, data.notices.length, () => el("p")).forEach((node, i) => setText(node, data.notices[i]));
  state.opinion.hidden = !drawing.nats;
  if (drawing.nats) show(state, root);
}

function build(root, /** @type {State<"surprise">} */ state, /** @type {Data<"surprise">} */ data) {
  state.serial = data.serial;
  state.edit = conflated((edit) => state.send("edit", edit), 60);
  state.editor = editor({
    onedit: (text, caret, length) => {
      state.serial += 1;
      state.edit({ text, caret, length, serial: state.serial });
    },
    onpick: (piece) => pick(state, state.drawing.columns?.indexOf(piece) ?? -1),
  });
  state.notices = el("div.notices", { role: "status" });
  state.modes = segments({ label: _("What the bars show"),
    options: [["surprise", _("surprise")], ["difference", _("difference")]], onchoose: (mode) => {
      state.mode = mode;
      show(state, root);
    } });
  state.mode = "surprise";
  Object.assign(state, elements({ axis: "span.muted", legend: "span.legend", hovered: "span.hovered.muted" }));
  state.bars = bars({ onpick: (column) => pick(state, column), onhover: (column) => hover(state, column) });
  state.panels = panels();
  state.opinion = el("div.opinion", {},
    el("div.head.small", {}, state.axis, state.legend, state.hovered, state.modes.node), state.bars.node,
    state.panels.node);
  const another = el("button.outlined.another", { onclick: () => press(state, "another", true) },
    icon("reset"), _("Another passage"));
  root.replaceChildren(el("div.top", {}, state.editor.node, another), state.notices, state.opinion);
}

function press(state, event, value) {
  state.edit.flush(); // send a pending edit first
  state.send(event, value);
}

function show(/** @type {State<"surprise">} */ state, root) {
  const { drawing } = state;
  if (!drawing.difference) state.mode = "surprise";
  state.modes.offer(state.mode);
  state.modes.node.hidden = !drawing.difference;
  setText(state.axis, state.mode === "surprise" ? _("surprise −ln p, nats") : _("difference, nats"));
  legend(state);
  hover(state, null);
  state.bars.offer(drawing, state.mode, scaleOf(root, "sequential"));
  state.panels.offer(drawing);
}

function legend(/** @type {State<"surprise">} */ state) {
  const [model, beside] = state.drawing.names;
  if (!changed(state, "legended", [model, beside, state.mode])) return;
  if (state.mode === "difference")
    return state.legend.replaceChildren(el("i.bar.gains"), el("b", {}, _("{model} less surprised", { model })),
      el("i.bar.loses"), el("b", {}, _("more")));
  state.legend.replaceChildren(el("span.muted", {}, "≤ 0.1"), el("i.scale"), el("span.muted", {}, "≥ 10"),
    el("b", {}, model), ...(beside ? [el("i.dash"), el("b", {}, beside)] : []));
}

/** Show the numbers of the column under the mouse. */
function hover(/** @type {State<"surprise">} */ state, column) {
  const { drawing } = state;
  if (column === null) return setText(state.hovered, state.mode === "difference" ? drawing.difference.words : "");
  state.hovered.replaceChildren(...numbersOf(drawing, column));
}

function numbersOf(/** @type {ShownText} */ drawing, column) {
  const nats = (value) => (value < 0 ? "∞" : (value / 100).toFixed(2)), i = column - 1;
  const token = el("bdi", {}, drawing.symbols[column]);
  if (column === 0) return pieces(_("{token} is read, not predicted"), { token });
  const given = { token, nats: nats(drawing.nats[i]), perplexity: drawing.running_words[i] };
  if (!drawing.beside.length) return pieces(_("{token} {nats} · running {perplexity}"), given);
  return pieces(_("{token} {nats}, {beside} {other} · running {perplexity}"),
    { ...given, beside: drawing.names[1], other: nats(drawing.beside[i]) });
}

function pick(state, column) {
  if (column > 0) press(state, "pick", column);
}
