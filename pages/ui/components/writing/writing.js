// What the network writes: now, and at earlier moments. Text is always text: it is never read as markup.
// data: {when, now, earlier: [[update, text]]}

import { el, listed, paper, setText } from "../shared/paper.js";

let shown = null; // the one on the page

export default function ({ parentElement, data }) {
  const [root, state] = paper(parentElement, "writing");
  if (!state.now) build(root, state);
  shown = state;
  renew(data);
}

/** Shows newer data, which came by way of another component of the page. */
export function renew({ when, now, earlier }) {
  if (!shown) return;
  setText(shown.when, when);
  setText(shown.now, now);
  const made = () => el("div.row", {}, el("span.small.muted.at"), el("span.text", { dir: "auto" }));
  listed(shown.list, earlier.length, made).forEach((row, i) => {
    const [update, text] = earlier[i];
    setText(row.firstChild, update);
    setText(row.lastChild, text);
    row.lastChild.title = text;
  });
}

function build(root, state) {
  state.when = el("span.small.muted");
  state.now = el("p.text", { dir: "auto", "aria-label": "What the network writes now" });
  state.list = el("div.list");
  root.append(el("div.columns", {},
    el("section", {}, el("div.title", {}, el("b", {}, "It writes, now "), state.when), state.now),
    el("section", {}, el("div.title", {}, el("b", {}, "Earlier "), el("span.small.muted", {}, "at update")),
      state.list)));
}
