// Text panels beside a picture: a title, a formula, sentences and a list of numbers, all inserted as text.

import { changed, el, rootOf } from "../shared/component.js";
import { maths } from "../shared/maths.js";
import { setTerms } from "../shared/explain.js";

export default function (/** @type {Component<"cards">} */ { parentElement, data }) {
  const [root, state] = rootOf(parentElement, "cards");
  if (!changed(state, "shape", data)) return;
  const columns = data.columns.map((width) => `minmax(0, ${width}fr)`).join(" ");
  root.replaceChildren(el("div.row", { style: `--columns: ${columns}` }, ...data.cards.map(card)));
}

function card(/** @type {Panel} */ { title, aside, formula, sentences = [], rows = [] }) {
  const head = title && el("div.head", {}, el("b", {}, title), aside ? el("span.small.muted", {}, aside) : null);
  return el("section.panel", {}, head, formula?.length ? el("div.formula", {}, maths(formula)) : null,
    ...sentences.map((pieces) => el("p", {}, ...pieces.map(inline))),
    rows.length ? el("dl", {}, ...rows.flatMap(definition)) : null);
}

/** A row: a name, as text or as pieces, and its value. */
const definition = ([name, value]) =>
  [el("dt.muted", {}, ...(Array.isArray(name) ? name : [[name, ""]]).map(inline)), el("dd", {}, value)];

/** A piece [text, tone]: a formula, or text in which symbols are explained. */
const inline = ([text, tone]) =>
  (tone === "maths" ? maths(text) : setTerms(el(`span${tone ? `.${tone}` : ""}`), text));
