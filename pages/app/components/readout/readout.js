// The main number of the run in large type, the values that belong to it, the gradient norm and notices.

import { _, lazy_gettext, pieces } from "../shared/messages.js";
import { liveRegion } from "../shared/live_region.js";
import { changed, el, elements, resizeList, rootOf, setText } from "../shared/component.js";
import { setTerms } from "../shared/explain.js";

const ERROR = lazy_gettext(
  "Standard error, for other text of this kind; two runs on the same text compare far more exactly"
);

export default function (/** @type {Component<"readout">} */ { parentElement, data, setTriggerValue }) {
  const [root, state] = rootOf(parentElement, "readout");
  state.remedy = (what) => setTriggerValue("remedy", what);
  if (!state.panel) build(root, state);
  show(state, data);
}

function build(root, state) {
  Object.assign(state, elements({ what: "div.what.small.muted", asIf: "span", kinds: "b", rows: "dl",
    norm: "span.value", clip: "span.small.muted", fill: "div.fill", mark: "div.mark", notice: "div.notice" }));
  state.number = el("span.number", { role: "status", "aria-live": "off" });
  state.error = el("span.error.muted", { title: _(ERROR) });
  state.live = liveRegion();
  state.gauge = el("div.gauge", { role: "img" }, state.fill, state.mark);
  state.normRow = el("div.norm", {},
    el("div.line", {}, el("span.muted", {}, _("gradient norm")), el("span", {}, state.norm, " ", state.clip)),
    state.gauge);
  state.panel = el("div.panel.side", {}, state.what, el("div.big", {}, state.number, state.error),
    el("div.sentence", {}, ...pieces(_("{as_if} {kinds}"), { as_if: state.asIf, kinds: state.kinds })),
    state.notice, state.rows, state.normRow, state.live.node);
  root.append(state.panel);
}

function show(state, /** @type {Data<"readout">} */ data) {
  setTerms(state.what, data.what);
  setText(state.number, data.number);
  setText(state.error, data.error);
  state.number.dataset.state = data.state;
  state.number.dataset.long = data.number.length > 6;
  setText(state.asIf, data.as_if);
  setText(state.kinds, data.kinds);
  const { what, number, as_if, kinds } = data;
  state.live.tell(_("{what} {number}, {as_if} {kinds}", { what, number, as_if, kinds }));
  rows(state, data.rows);
  gauge(state, data.norm);
  notice(state, data.notice, data.remedies);
}

function rows(state, wanted) {
  resizeList(state.rows, wanted.length, () => el("div.line", {}, el("dt.muted"), el("dd"))).forEach((row, i) =>
    [...row.children].forEach((part, j) => (j ? setText : setTerms)(part, wanted[i][j])));
}

function gauge(state, /** @type {NormGauge} */ norm) {
  setText(state.norm, norm.says);
  setText(state.clip, norm.clip);
  state.fill.style.width = `${100 * norm.share}%`;
  state.fill.dataset.clipped = norm.clipped;
  state.normRow.title = norm.scale;
  state.mark.style.left = `${100 * norm.mark}%`;
  state.mark.hidden = norm.mark < 0;
  const { says, clip, scale } = norm;
  state.gauge.setAttribute("aria-label", _("gradient norm {says}, {clip}; {scale}", { says, clip, scale }));
}

function notice(state, text, remedies) {
  if (!changed(state, "noticed", [text, remedies])) return;
  state.panel.classList.toggle("stopped", text !== "");
  const buttons = remedies.map(([what, words], i) =>
    el(i ? "button.outlined" : "button.filled",
      { "data-do": `remedy ${what}`, onclick: () => state.remedy(what) }, words));
  state.notice.replaceChildren(...(text ? [el("p", {}, text), ...buttons] : []));
}
