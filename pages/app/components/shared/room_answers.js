// The answers of a hall as drawings: bars for a choice, a histogram for a number, drawn curves. For the wall and for
// the lecturer's window.

import { el } from "./component.js";
import { svg } from "./drawn.js";
import { _ } from "./messages.js";

export const LETTERS = "ABCDE";
const W = 1000, H = 440, LEFT = 64, BELOW = 44, TOP = 12, RIGHT = 130;
const MOST = 999; // hands for an answer

const percent = (part, whole) => `${Math.round(100 * part / Math.max(whole, 1))} %`;
const sum = (numbers) => numbers.reduce((all, one) => all + one, 0);

/** The votes as a drawing. `told`: with the truth. */
export function answersOf(/** @type {RoomDrawing} */ data, told) {
  if (data.kind === "curve") return el("div.answers", {}, data.chart && curves(data.chart));
  return el("div.answers", {}, bars(data, told), ...(data.kind === "number" ? [words(data, told)] : []));
}

/** A row for each option or bin, with a bar for each vote. */
function bars(/** @type {RoomDrawing} */ { kind, options, counts, right, truth, place }, told) {
  const isRight = (i) => told && (kind === "choice" ? i === right
    : truth !== "" && i === Math.min(Math.floor(place * options.length), options.length - 1));
  return el("ol.bars", {}, ...options.map((option, i) => el(isRight(i) ? "li.right" : "li", {},
    el("span.option", {}, letterOf(kind, i), el("span", { dir: "auto" }, option, isRight(i) ? " ✓" : "")),
    ...counts.map((count, vote) => bar(count[i], sum(count), counts.length > 1 ? vote : -1)))));
}

export const letterOf = (kind, i) => (kind === "choice" ? el("b.letter", {}, LETTERS[i]) : "");

function bar(many, all, vote) {
  const filled = el("i.filled");
  filled.style.width = `${100 * many / Math.max(all, 1)}%`;
  const title = vote < 0 ? undefined : voteName(vote);
  return el(vote === 0 ? "span.bar.before" : "span.bar", { title }, el("span.track", {}, filled),
    el("span.share", {}, `${percent(many, all)} (${many})`));
}

/** The medians of a number, and the truth. */
function words(/** @type {RoomDrawing} */ { middles, truth }, told) {
  const named = (middle, vote) => (middle && middles.length > 1 ? [voteName(vote), middle].join(": ") : middle);
  const said = middles.map(named).filter(Boolean).join("; ");
  return el("p.said", {}, said, " ", told && truth ? el("b.truth", {}, _("The answer: {truth}", { truth })) : "");
}

const voteName = (vote) => (vote === 0 ? _("First vote") : _("Second vote"));

const x = (place) => LEFT + place * (W - LEFT - RIGHT), y = (place) => TOP + (1 - place) * (H - TOP - BELOW);

/** The curves of the last vote with their quartiles, the median of the first one, and the run. */
function curves(/** @type {CurveChart} */ chart) {
  const now = chart.votes.at(-1), before = chart.votes.length > 1 ? chart.votes[0] : null;
  const line = (name, places) => svg("path", { class: name, d: path(places) });
  const at = (heights) => heights.map((height, i) => [i / (heights.length - 1), height]);
  const drawing = svg("svg", { class: "curves", viewBox: `0 0 ${W} ${H}`, role: "img",
    "aria-label": _("The curves that were drawn: perplexity against updates") },
  ...chart.x.map(([place, name]) => text(x(place), H - 20, name, "middle")),
  ...chart.y.flatMap(([place, name]) => [svg("path", { class: "grid", d: `M${LEFT} ${y(place)}H${W - RIGHT}` }),
    text(LEFT - 8, y(place) + 6, name, "end")]),
  text(x(0.5), H - 2, _("updates"), "middle"), text(4, 14, _("perplexity"), "start"),
  ...chart.lines.flatMap(([place, name]) => [svg("path", { class: "model", d: `M${LEFT} ${y(place)}H${W - RIGHT}` }),
    text(W - RIGHT + 6, y(place) + 6, _(name), "start")]),
  ...now.cells.flatMap((column, i) => column.map((share, row) => (share ? cell(i, row, share, now.cells) : ""))),
  ...now.lines.map((heights) => line("faint", at(heights))),
  line("quartile", at(now.low)), line("quartile", at(now.high)),
  ...(before ? [line("median before", at(before.middle))] : []),
  line("median", at(now.middle)), line("run", chart.run));
  return el("figure", {}, drawing, el("figcaption", {}, chart.closest));
}

const text = (left, top, words_, anchor) => svg("text", { x: left, y: top, "text-anchor": anchor }, words_);

function cell(i, row, share, cells) {
  const width = (W - LEFT - RIGHT) / cells.length, rows = cells[i].length;
  return svg("rect", { class: "cell", x: LEFT + i * width, y: y((row + 1) / rows), width,
    height: (H - TOP - BELOW) / rows, opacity: Math.min(1, 0.1 + 2 * share) });
}

/** The path through the places with a height. */
function path(places) {
  let d = "", drawn = false;
  for (const [across, up] of places) {
    if (up !== null) d += `${drawn ? "L" : "M"}${x(across).toFixed(1)} ${y(up).toFixed(1)}`;
    drawn = up !== null;
  }
  return d;
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
