// The answers of a hall as drawings: bars for a choice, a histogram for a number, drawn curves. For the wall and for
// the lecturer's window.

import { el } from "./component.js";
import { _, ngettext } from "./messages.js";
import { percent, shareOf, sum, voteName } from "./room_chart.js";
import { axes, curves } from "./room_curves.js";
import { emptyAxis, histogramOf } from "./room_histogram.js";

export const LETTERS = "ABCDE";
const MOST = 999; // hands for an answer

/** The votes as a drawing. `told`: with the truth. */
export function answersOf(/** @type {RoomDrawing} */ data, told) {
  const { kind, chart, histogram } = data;
  if (kind === "curve") return el("div.answers", {}, chart && curves(chart));
  if (kind === "choice") return el("div.answers", {}, bars(data, told), legend(data));
  const named = (said, vote) => (histogram.said.length > 1 ? `${voteName(vote)}: ${said}` : said);
  const said = histogram.said.map((one, vote) => one && el("p.said", {}, named(one, vote)));
  return el("div.answers", {}, histogramOf(data, told), legend(data), ...said);
}

/** The axes on which a hall answers, without answers; nothing for a choice. */
export function axesOf(/** @type {RoomDrawing} */ data) {
  const { kind, chart, histogram } = data;
  const drawn = kind === "curve" ? chart && axes(chart) : histogram && emptyAxis(data);
  return drawn && el("figure", {}, drawn);
}

/** A row for each option, with a bar for each vote. */
function bars(/** @type {RoomDrawing} */ { kind, options, counts, earlier, right }, told) {
  const isRight = (i) => told && i === right;
  return el("ol.bars", {}, ...options.map((option, i) => el(isRight(i) ? "li.right" : "li", {},
    el("span.option", {}, letterOf(kind, i), el("span", { dir: "auto" }, option, isRight(i) ? " ✓" : "")),
    ...counts.map((count, vote) => bar(count, earlier[vote], i, counts.length > 1 ? vote : -1)))));
}

export const letterOf = (kind, i) => (kind === "choice" ? el("b.letter", {}, LETTERS[i]) : "");

function bar(count, before, i, vote) {
  const filled = el("i.filled"), mark = before && el("i.mark");
  filled.style.width = `${100 * shareOf(count, i)}%`;
  if (mark) mark.style.left = `${100 * shareOf(before, i)}%`;
  const title = vote < 0 ? undefined : voteName(vote);
  return el(vote === 0 ? "span.bar.before" : "span.bar", { title }, el("span.track", {}, filled, mark),
    el("span.share", {}, `${percent(count[i], sum(count))} (${count[i]})`));
}

/** What tells the votes apart, and the mark of an earlier hall. */
function legend(/** @type {RoomDrawing} */ { counts, earlier }) {
  const votes = counts.length > 1 ? counts.map((_count, vote) =>
    el(vote ? "span" : "span.before", {}, el("i.filled"), " ", voteName(vote))) : [];
  const many = Math.max(0, ...earlier.map(sum));
  const marked = many ? [el("span", {}, el("i.mark"), " ",
    ngettext("an earlier hall ({n} answer)", "an earlier hall ({n} answers)", many, { n: many }))] : [];
  return votes.length + marked.length ? el("p.said.legend", {}, ...votes, ...marked) : "";
}

/** Fields in which counted hands are typed, one for each option or bin; `count(place, many)` is called with each. */
export function handFields(/** @type {RoomDrawing} */ data, count) {
  return data.options.map((option, i) => {
    const name = data.kind === "choice" ? LETTERS[i] : option;
    const whole = () => Math.max(0, Math.min(MOST, Math.round(Number(field.value) || 0)));
    const label = _("Hands for {name}", { name });
    const field = el("input", { type: "number", min: 0, max: MOST, inputmode: "numeric", "aria-label": label,
      onchange: () => count(i, whole()) });
    if (data.hands[i]) field.value = String(data.hands[i]);
    return field;
  });
}
