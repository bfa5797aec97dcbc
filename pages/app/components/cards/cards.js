// Panels of words beside a picture: a title, a formula, sentences, rows of numbers. All of it is text.

import { changed, el, paper } from "../shared/paper.js";
import { maths } from "../shared/maths.js";
import { setTerms } from "../shared/explain.js";

export default function (/** @type {Component<"cards">} */ { parentElement, data }) {
  const [root, state] = paper(parentElement, "cards");
  if (!changed(state, "shape", data)) return;
  const columns = data.columns.map((part) => `minmax(0, ${part}fr)`).join(" ");
  root.replaceChildren(el("div.row", { style: `--columns: ${columns}` }, ...data.cards.map(card)));
}

const card = (/** @type {Panel} */ { title, aside, formula, sentences, rows }) =>
  el("section.panel", {},
    title && el("div.head", {}, el("b", {}, title), aside ? el("span.small.muted", {}, aside) : null),
    formula?.length ? el("div.formula", {}, maths(formula)) : null,
    ...(sentences ?? []).map((pieces) => el("p", {}, ...pieces.map(piece))),
    rows?.length ? el("dl", {},
      ...rows.flatMap(([name, value]) =>
        [el("dt.muted", {}, ...(Array.isArray(name) ? name : [[name, ""]]).map(piece)), el("dd", {}, value)])) : null);

const piece = ([text, tone]) =>
  (tone === "maths" ? maths(text) : setTerms(el(`span${tone ? `.${tone}` : ""}`), text));
