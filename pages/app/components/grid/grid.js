// A table of numbers. All of it is text; cells may contain a bar (as a share of their width), or have a signed colour.

import { changed, el, rootOf, setText } from "../shared/component.js";
import { scaleOf } from "../shared/scales.js";

const MANY = 12; // columns; tables with more columns are denser

export default function (/** @type {Component<"grid">} */ { parentElement, data }) {
  const [root, state] = rootOf(parentElement, "grid");
  if (changed(state, "shape", [data.head, data.code, data.label, data.rows.map((row) => [row.name, row.cells.length])]))
    build(root, state, data);
  const scale = scaleOf(root, "diverging");
  data.rows.forEach((row, r) => {
    state.rows[r].className = row.tone;
    row.cells.forEach((cell, c) => paint(state.cells[r][c], cell, scale));
  });
}

function build(root, state, /** @type {Data<"grid">} */ data) {
  const [corner, ...names] = data.head;
  const scope = { scope: "col" };
  const head = el("tr", {}, el("th", scope, corner),
    ...names.map((name) => el(data.code ? "th.code" : "th", scope, name)));
  state.cells = data.rows.map((row) => row.cells.map(() => el("td", {}, el("span"), el("i.bar", { hidden: true }))));
  state.rows = data.rows.map((row, r) => el("tr", {}, el("th", { scope: "row" }, row.name), ...state.cells[r]));
  root.replaceChildren(el("div.panel.scroll", { tabindex: 0, role: "group", "aria-label": data.label },
    el(data.head.length > MANY ? "table.dense" : "table", {}, el("thead", {}, head), el("tbody", {}, ...state.rows))));
}

function paint(node, /** @type {Cell} */ { text, tone, bar, level }, scale) {
  const [words, stripe] = node.children;
  setText(words, text);
  node.className = tone ?? "";
  scale.shade(node, level);
  stripe.hidden = bar === undefined;
  if (bar !== undefined) stripe.style.width = `${100 * bar}%`;
}
