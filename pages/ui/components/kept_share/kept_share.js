// How much is kept. data: {number, says, detail}

import { paper, el, setText } from "./paper.js";

export default function ({ parentElement, data }) {
  const [root, state] = paper(parentElement, "kept_share");
  if (!state.number) {
    Object.assign(state, { number: el("b.number"), says: el("div"), detail: el("div.small.muted") });
    root.replaceChildren(el("div.panel.row", {}, el("span", {}, "kept"), state.number, el("div", {}, state.says, state.detail)));
  }
  for (const name of ["number", "says", "detail"]) setText(state[name], data[name]);
}
