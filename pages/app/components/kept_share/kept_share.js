// What truncation keeps of the sum of gradient sizes, or what an update loses by it, for every stop of a slider.

import { _ } from "../shared/messages.js";
import { el, elements, setTexts } from "../shared/component.js";
import { follower } from "../shared/follower.js";

export default follower("kept_share", { build, show });

function build(root, state) {
  Object.assign(state, elements({ number: "b.number", says: "div", detail: "div.small.muted", ghost: "div.ghost" }));
  root.replaceChildren(el("div.panel.row", {}, el("span", {}, state.data.lost ? _("lost") : _("kept")), state.number,
    el("div", {}, state.says, state.detail, state.ghost)));
}

function show(/** @type {State<"kept_share">} */ state) {
  const { stops, chosen } = state.data;
  setTexts(state, stops[state.link.at.stop] ?? stops[chosen]);
}
