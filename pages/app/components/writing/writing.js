// Texts that the network generates now, and generated earlier. They are never parsed as markup. Data that another
// component shares on the same link are newer, and are drawn instead.

import { _ } from "../shared/messages.js";
import { el, elements, onRemoval, resizeList, rootOf, setText } from "../shared/component.js";
import { link } from "../shared/link.js";

export default function (/** @type {Component<"writing">} */ { parentElement, data }) {
  const [root, state] = rootOf(parentElement, "writing");
  const linked = link(data.link);
  if (!state.now) {
    build(root, state);
    state.unfollow = linked.listen(() => show(state, linked.shared.writing));
  }
  linked.share({ writing: data.writing });
  return onRemoval(root, () => state.unfollow());
}

function build(root, state) {
  Object.assign(state, elements({ says: "b", when: "span.small.muted", list: "div.list" }));
  state.now = el("p.text", { dir: "auto", "aria-label": _("What the network writes now") });
  root.append(el("div.columns", {},
    el("section", {}, el("div.title", {}, state.says, " ", state.when), state.now),
    el("section", {}, el("div.title", {}, el("b", {}, _("Earlier"), " "), el("span.small.muted", {}, _("at update"))),
      state.list)));
}

function show(state, /** @type {WritingDrawing} */ { says, when, now, earlier }) {
  setText(state.says, says);
  setText(state.when, when);
  setText(state.now, now);
  const made = () => el("div.row", {}, el("span.small.muted.at"), el("span.text", { dir: "auto" }));
  resizeList(state.list, earlier.length, made).forEach((row, i) => {
    const [update, text] = earlier[i];
    setText(row.firstChild, update);
    setText(row.lastChild, text);
    row.lastChild.title = text;
  });
}
