// A section of the index of a book, or questions with their answers: statements with links to places that show them.

import { changed, el, rootOf } from "../shared/component.js";
import { setTerms } from "../shared/explain.js";
import { sceneLink } from "../shared/scene_link.js";

export default function (/** @type {Component<"book_index">} */ { parentElement, data, setTriggerValue }) {
  const [root, state] = rootOf(parentElement, "book_index");
  state.open = (address) => setTriggerValue("open_place", address);
  if (changed(state, "shape", data)) build(root, state, data);
}

function build(root, state, /** @type {Data<"book_index">} */ data) {
  const { number, later, title, rows } = data;
  const edition = later ? el("small.muted", {}, later) : null;
  const heads = title ? [el("h2", {}, `${number} ${title} `, edition)] : [];
  root.replaceChildren(...heads, ...rows.map((one) => row(state, one)));
}

function row(state, /** @type {IndexRow} */ { number, says, answer, links }) {
  const answered = answer ? setTerms(el("p"), answer) : null;
  const words = el("div.words", {}, setTerms(el(answer ? "p.asks" : "p"), says), answered);
  return el("div.row", {}, el("span.number.muted", {}, number), words,
    el("div.links", {}, ...links.map((to) => sceneLink("a.place", to, () => state.open(to[2]), {}, to[1]))));
}
