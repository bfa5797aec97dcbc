// The tabs of a page's sections, and beside them the controls of the open section.

import { changed, el, rootOf, segments } from "../shared/component.js";
import { keptControls, messages, shapeOf } from "../shared/controls.js";
import { registerTabs } from "../shared/sections.js";
import { scrollToSection } from "../shared/target.js";
import { chooseSection } from "../shared/url.js";

export default function (/** @type {Component<"tabs">} */ { parentElement, data, setStateValue, setTriggerValue }) {
  const [root, state] = rootOf(parentElement, "tabs"), handlers = messages(state, { setStateValue, setTriggerValue });
  if (changed(state, "shape", [data.label, data.tabs, data.controls.map(shapeOf)])) build(root, state, data, handlers);
  state.tabs.offer(data.open);
  for (const one of data.controls) {
    state.parts[one.name].offer(one);
    state.parts[one.name].node.toggleAttribute("data-aside", one.aside);
  }
  scrollToSection(root, data.open);
  const open = (name) => handlers.send("open_section", name);
  registerTabs({ root, open: data.open, names: data.tabs.map(([name]) => name), choose: open });
}

function build(root, state, /** @type {Data<"tabs">} */ data, handlers) {
  const focused = root.getRootNode().activeElement?.dataset.value, onchoose = (name) => {
    state.tabs.offer(name);
    chooseSection(name);
  };
  state.tabs = segments({ label: data.label, options: data.tabs, onchoose });
  state.parts = keptControls(state.parts, data.controls, handlers);
  const beside = data.controls.map(({ name }) => state.parts[name].node);
  root.replaceChildren(el("div.panel", { role: "group", "aria-label": data.label }, state.tabs.node,
    ...(beside.length ? [el("div.row", {}, ...beside)] : [])));
  if (focused) root.querySelector(`[data-value="${CSS.escape(focused)}"]`)?.focus();
}
