// A bar of sliders, switches, selects and buttons, which act at once.
// In presentation mode, a scene hides the controls that are `aside`.

import { _ } from "../shared/messages.js";
import { chooseSection, scrollToSection } from "../shared/url.js";
import { changed, el, rootOf } from "../shared/component.js";
import { control, shapeOf } from "../shared/controls.js";
import { registerBar } from "../shared/sections.js";

export default function (/** @type {Component<"controls">} */ { parentElement, data, setStateValue, setTriggerValue }) {
  const [root, state] = rootOf(parentElement, "controls");
  const told = (event, message) => {
    Object.values(state.parts).forEach((part) => part.flush()); // send a pending move first
    return setTriggerValue(event, message);
  };
  const handlers = {
    move: (name, value, done) => setStateValue("move", { name, value, done }),
    choose: (name, value) => (name === "section" ? chooseSection(value) : told("choose", { name, value })),
    press: (name) => told("press", name),
    type: (name, text) => told("type", { name, text }),
  };
  const shapes = data.rows.map((row) => row.map(shapeOf));
  if (changed(state, "shape", [data.look, shapes])) build(root, state, data, handlers);
  root.firstElementChild.setAttribute("aria-label", data.label);
  data.rows.flat().forEach((one) => {
    state.parts[one.name].offer(one);
    state.parts[one.name].node.toggleAttribute("data-aside", one.aside);
  });
  const bar = data.rows.flat().find(({ name }) => name === "section");
  root.firstElementChild.toggleAttribute("data-section", Boolean(bar));
  if (!bar) return;
  scrollToSection(root, bar.value);
  const choose = (value) => told("choose", { name: "section", value });
  registerBar({ root, value: bar.value, names: bar.options.map(([name]) => name), choose });
}

/** A control that has not changed keeps its node, and its focus. */
function build(root, state, /** @type {Data<"controls">} */ data, handlers) {
  const focused = root.getRootNode().activeElement, before = state.parts ?? {};
  const made = (one) => {
    const shape = JSON.stringify(shapeOf(one)), kept = before[one.name];
    return kept?.shape === shape ? kept : { ...control(one, handlers), shape };
  };
  state.parts = Object.fromEntries(data.rows.flat().map((one) => [one.name, made(one)]));
  const rows = data.rows.map((row) => el("div.row", {}, ...row.map(({ name }) => state.parts[name].node)));
  if (data.look === "live") rows.unshift(chooser(state, data.rows.at(-1)));
  root.replaceChildren(el(`div.panel.${data.look}`, { role: data.look === "bar" ? "toolbar" : "group" }, ...rows));
  const same = root.contains(focused) ? focused : focused?.dataset?.value
    && root.querySelector(`[data-value="${CSS.escape(focused.dataset.value)}"]`);
  same?.focus();
}

/** Buttons (also number keys) for the one knob below the chart in presentation mode; the chart stays in view. */
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
  const buttons = knobs.map(({ name, label }, i) =>
    el("button.segment", { "data-key": `knob${i + 1}`, onclick: onclick(name) },
      el("kbd", {}, i + 1), label));
  show(knobs.some(({ name }) => name === state.shown) ? state.shown : knobs[0].name);
  return el("div.chooser.segments", { role: "group", "aria-label": _("Knob below the chart") }, ...buttons);
}
