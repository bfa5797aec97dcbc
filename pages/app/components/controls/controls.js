// A bar of sliders, switches, selects and buttons, which act at once.
// In presentation mode, a scene hides the controls that are `aside`.

import { _ } from "../shared/messages.js";
import { changed, el, rootOf } from "../shared/component.js";
import { keptControls, messages, shapeOf } from "../shared/controls.js";

export default function (/** @type {Component<"controls">} */ { parentElement, data, setStateValue, setTriggerValue }) {
  const [root, state] = rootOf(parentElement, "controls");
  const handlers = messages(state, { setStateValue, setTriggerValue });
  const shapes = data.rows.map((row) => row.map(shapeOf));
  if (changed(state, "shape", [data.look, shapes])) build(root, state, data, handlers);
  root.firstElementChild.setAttribute("aria-label", data.label);
  data.rows.flat().forEach((one) => {
    state.parts[one.name].offer(one);
    state.parts[one.name].node.toggleAttribute("data-aside", one.aside);
  });
}

function build(root, state, /** @type {Data<"controls">} */ data, handlers) {
  const focused = root.getRootNode().activeElement;
  state.parts = keptControls(state.parts, data.rows.flat(), handlers);
  const rows = data.rows.map((row) => el("div.row", {}, ...row.map(({ name }) => state.parts[name].node)));
  if (data.look.startsWith("live")) rows.unshift(chooser(state, data.rows.at(-1)));
  root.replaceChildren(el(`div.panel.${data.look}`, { role: data.look === "bar" ? "toolbar" : "group" }, ...rows));
  const same = root.contains(focused) ? focused : focused?.dataset?.value
    && root.querySelector(`[data-value="${CSS.escape(focused.dataset.value)}"]`);
  same?.focus();
}

/** Buttons (also number keys) for the one knob below the chart in presentation mode; the chart stays in view. The other
 * knobs have their short names, so that all are in one row. */
function chooser(state, knobs) {
  const show = (name) => {
    state.shown = name;
    knobs.forEach((one, i) => {
      buttons[i].setAttribute("aria-pressed", String(one.name === name));
      state.parts[one.name].node.toggleAttribute("data-shown", one.name === name);
    });
  };
  const onclick = (name) => () => {
    show(name);
    const { node } = state.parts[name];
    node.querySelector("input[type=range], .segment")?.focus({ preventScroll: true });
    node.closest(".panel").scrollIntoView?.({ block: "nearest" });
  };
  const buttons = knobs.map(({ name, label, short }, i) =>
    el("button.segment", { "data-key": `knob${i + 1}`, onclick: onclick(name), "aria-label": label },
      el("kbd", {}, i + 1), el("span.long", {}, label), el("span.short", {}, short)));
  show(knobs.some(({ name }) => name === state.shown) ? state.shown : knobs[0].name);
  return el("div.chooser.segments", { role: "group", "aria-label": _("Knob below the chart") }, ...buttons);
}
