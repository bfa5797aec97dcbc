// How much is kept, at every stop of a slider. data: {stops: [{number, says, detail}], chosen, link}

import { paper, el, leaving, setText } from "./paper.js";
import { link } from "./link.js";

export default function ({ parentElement, data }) {
  const [root, state] = paper(parentElement, "kept_share");
  state.data = data;
  if (!state.link) build(root, state);
  show(state);
  return leaving(root, () => { state.leave(); state.link = null; });
}

function build(root, state) {
  Object.assign(state, { number: el("b.number"), says: el("div"), detail: el("div.small.muted") });
  root.replaceChildren(el("div.panel.row", {}, el("span", {}, "kept"), state.number, el("div", {}, state.says, state.detail)));
  state.link = link(state.data.link);
  state.leave = state.link.listen(() => show(state));
}

function show(state) {
  const words = state.data.stops[state.link.at.stop] ?? state.data.stops[state.data.chosen];
  for (const name of ["number", "says", "detail"]) setText(state[name], words[name]);
}
