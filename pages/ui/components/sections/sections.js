// The bar above a page of sections: which section, what it is drawn for, and one button.
// data: {label, sections: [[id, words]], chosen, picks: [{name, label, options: [[value, words]], value, help}], press,
//   icon}

import { changed, el, paper, segments } from "../shared/paper.js";
import { icon } from "../shared/icons.js";

export default function ({ parentElement, data, setTriggerValue }) {
  const [root, state] = paper(parentElement, "sections");
  state.choose = (id) => setTriggerValue("section", id);
  state.pick = (name, value) => setTriggerValue("pick", { name, value });
  state.press = () => setTriggerValue("press", true);
  if (changed(state, "shape", [data.sections, data.press, data.picks.map(({ value, ...rest }) => rest)]))
    build(root, state, data);
  state.segments.offer(data.chosen);
  data.picks.forEach((pick) => { state.picks[pick.name].value = String(pick.value); });
}

function build(root, state, data) {
  const focused = root.getRootNode().activeElement?.dataset?.value;
  state.segments = segments({ label: data.label, options: data.sections, onchoose: (id) => {
    state.segments.offer(id);
    state.choose(id);
  } });
  state.picks = {};
  const picks = data.picks.map((pick) => picker(state, pick));
  const button = data.press
    && el("button.outlined.press", { type: "button", onclick: () => state.press() }, icon(data.icon),
      el("span", {}, data.press));
  root.replaceChildren(el("div.panel.bar", {}, state.segments.node, el("div.picks", {}, ...picks, button || null)));
  if (focused) state.segments.node.querySelector(`[data-value="${CSS.escape(focused)}"]`)?.focus();
}

function picker(state, { name, label, options, help }) {
  const select = el("select", { title: help, "aria-label": help, onchange: () => state.pick(name, select.value) },
    ...options.map(([value, words]) => el("option", { value }, words)));
  state.picks[name] = select;
  return el("label.pick", {}, el("span.muted", {}, label), select);
}
