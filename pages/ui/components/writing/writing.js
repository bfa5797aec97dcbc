// What the network writes: now, and at earlier moments. Text is always text: it is never read as markup.
// data: {now, update, earlier: [[update, text]], words: bool}

import { paper, el, setText } from "./paper.js";

export default function ({ parentElement, data }) {
  const [root, state] = paper(parentElement, "writing");
  if (!state.now) build(root, state);
  setText(state.when, data.when);
  setText(state.now, data.now);
  data.earlier.forEach(([update, text], i) => {
    const row = state.list.children[i] ?? state.list.appendChild(el("div.row", {}, el("span.small.muted.at"), el("span.text", { dir: "auto" })));
    setText(row.firstChild, update);
    setText(row.lastChild, text);
    row.lastChild.title = text;
  });
  while (state.list.children.length > data.earlier.length) state.list.lastChild.remove();
}

function build(root, state) {
  state.when = el("span.small.muted");
  state.now = el("p.text", { dir: "auto", "aria-label": "What the network writes now" });
  state.list = el("div.list");
  root.append(el("div.columns", {},
    el("section", {}, el("div.title", {}, el("b", {}, "It writes, now "), state.when), state.now),
    el("section", {}, el("div.title", {}, el("b", {}, "Earlier "), el("span.small.muted", {}, "at update")), state.list)));
}
