// The three panels under the bars: the perplexity, the distribution that predicted the picked token, and its share of
// the total.

import { _, pieces } from "../shared/messages.js";
import { liveRegion } from "../shared/live_region.js";
import { el, elements, setText, setTexts } from "../shared/component.js";

export function panels() {
  /** @type {Record<string, any>} */
  const state = elements({ asIf: "span", kinds: "b", others: "p.others.muted.small", after: "bdi", heads: "tr",
    body: "tbody", symbol: "bdi", facts: "div.facts", percent: "b", of: "span.muted", fill: "i",
    beside: "p.muted.small" });
  state.number = el("div.number", { role: "status", "aria-live": "off" });
  state.live = liveRegion();
  const node = el("div.panels", {},
    el("section.panel", { "aria-label": _("The perplexity of this text") },
      el("div.muted.small", {}, _("perplexity of this text")), state.number,
      el("div.sentence", {}, state.asIf, state.kinds), state.others, state.live.node),
    el("section.panel", { "aria-label": _("What could have come") },
      el("div.small.muted.after", {}, ...pieces(_("what could come after {token}"), { token: state.after })),
      el("table", {}, el("thead", {}, state.heads), state.body)),
    el("section.panel", { "aria-label": _("Its share") },
      el("b.title", {}, ...pieces(_("This {token} in the total"), { token: state.symbol })),
      state.facts,
      el("div.percent", {}, state.percent, " ", state.of), el("div.track", {}, state.fill), state.beside));
  return { node, offer: (drawing) => offer(state, drawing) };
}

function offer(state, /** @type {ShownText} */ drawing) {
  const { number, table, share } = drawing, { as_if: asIf, kinds } = number;
  setTexts(state, { number: number.number, asIf, kinds, symbol: share.symbol, percent: share.percent, of: share.of,
    beside: share.beside });
  state.number.dataset.long = number.number.length > 5;
  state.live.tell(_("Perplexity of this text: {number}, {as_if}{kinds}",
    { number: number.number, as_if: asIf, kinds }));
  state.others.replaceChildren(...number.others.flatMap(([name, value], i) =>
    [i ? " · " : "", `${name} `, el("b", {}, value)]));
  distribution(state, table);
  state.facts.replaceChildren(...[["p", share.p], ["1 / p", _("{n} choices", { n: share.choices })],
    ["−ln p", _("{nats} nats", { nats: share.nats })]].map(([name, value], i) =>
    el("div", {}, el("span.muted", {}, `${name} = `), el(i === 2 ? "b" : "span", {}, value))));
  state.fill.style.width = `${100 * share.share}%`;
}

function distribution(state, /** @type {SurpriseTable} */ table) {
  setText(state.after, `${table.more ? "…" : ""}${table.after}`);
  const heads = ["", ...table.heads, "p", ...(table.beside ? [table.beside] : [])];
  state.heads.replaceChildren(...heads.map((words, i) => el(`th${i === 3 ? ".wide" : ""}`, { scope: "col" }, words)));
  state.body.replaceChildren(...table.rows.map((row) => {
    const fill = el("i", { style: `width:${Math.max(100 * row.share, 0.5)}%` });
    return el(row.came ? "tr.came" : "tr", {}, el("th", { scope: "row" }, el("bdi", {}, row.symbol)),
      el("td", {}, row.score), el("td", {}, row.exp), el("td.wide", {}, el("div.track", {}, fill)),
      el("td", {}, row.p), ...(table.beside ? [el("td.muted", {}, row.beside)] : []));
  }));
}
