// A sentence and a table of its numbers, with a column for each compared item. Gauges show a length before and after.

import { changed, el, rootOf } from "../shared/component.js";
import { setTerms } from "../shared/explain.js";

export default function (/** @type {Component<"comparison">} */ { parentElement, data }) {
  const [root, state] = rootOf(parentElement, "comparison");
  if (!changed(state, "shape", data)) return;
  const body = [...data.rows.map(([name, ...values]) => row(name, values.map((value) => el("b", {}, value)))),
    ...data.gauges.map(([name, ...values]) => row(name, values.map(gauge)))];
  root.replaceChildren(el("section.panel", {},
    // as high as its longest form, so that the numbers below do not move with a slider
    data.sentence ? el("p.sentence", { style: `min-height: ${data.lines * 1.4}em` }, data.sentence) : null,
    el("table", {},
      el("thead", {}, el("tr", {}, el("th"), ...data.columns.map((name) => head("col", name)))),
      el("tbody", {}, ...body)),
    data.note ? el("p.note.small.muted", {}, data.note) : null));
}

const head = (scope, name) => setTerms(el("th.muted", { scope }), name);

const row = (name, cells) => el("tr", {}, head("row", name), ...cells.map((cell) => el("td", {}, cell)));

function gauge(/** @type {Gauge} */ { says, turned, before, after }) {
  const bar = el("div.bar", { "aria-hidden": "true" }, el("i.before", { style: `width: ${100 * before}%` }),
    el("i.after", { style: `width: ${100 * after}%` }));
  return el("div", {}, el("b", {}, says), turned ? el("div.small.muted", {}, turned) : null, bar);
}
