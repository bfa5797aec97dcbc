// The histogram of the numbers that a hall guessed: a column for each bin, with a bar for each vote; the medians below
// the axis, and the truth as a line.

import { svg } from "./drawn.js";
import { _ } from "./messages.js";
import { BELOW, frame, H, LEFT, percent, shareOf, sum, text, TOP, voteName, W } from "./room_chart.js";

const BASE = H - BELOW, ROOM = 60; // y of the axis; and what the labels above the bars need
const at = (place) => LEFT + place * (W - 2 * LEFT);

/** `told`: with the truth. */
export function histogramOf(/** @type {RoomDrawing} */ { counts, earlier, histogram }, told) {
  const { edges, medians, place, truth } = histogram, bins = edges.length - 1;
  const shares = (votes) => votes.map((count) => count.map((_one, i) => shareOf(count, i)));
  const heights = shares(counts), before = shares(earlier), most = Math.max(0.01, ...heights.flat(), ...before.flat());
  const top = (share) => BASE - share / most * (BASE - TOP - ROOM);
  const bar = (vote, i) => {
    const across = 0.84 * (at(1) - at(0)) / bins / counts.length;
    const left = at((i + 0.08) / bins) + vote * across;
    const y = top(heights[vote][i]), mark = before[vote] ? `M${left} ${top(before[vote][i])}h${across}` : "";
    return svg("g", { class: voteClass(vote, counts) },
      svg("rect", { class: "filled", x: left, y, width: 0.94 * across, height: BASE - y }),
      svg("path", { class: "mark", d: mark }),
      counts[vote][i] ? text(left + across / 2, y - 7, percent(counts[vote][i], sum(counts[vote])), "middle") : "");
  };
  const median = (median_, vote) => (median_ < 0 ? "" : svg("path", { class: `median ${voteClass(vote, medians)}`,
    d: `M${at(median_)} ${BASE + 2}l9 14h-18z` }, svg("title", {}, voteName(vote))));
  return frame("histogram", _("How many guessed which numbers"),
    svg("path", { class: "axis", d: `M${LEFT} ${BASE}H${W - LEFT}` }),
    ...edges.map((edge, i) => text(at(i / bins), H - 4, edge, "middle")),
    ...counts.flatMap((count, vote) => count.map((_one, i) => bar(vote, i))), ...medians.map(median),
    ...(told && truth ? theTruth(place, truth) : []));
}

/** The axis alone, before the truth is told. */
export const emptyAxis = (/** @type {RoomDrawing} */ data) =>
  histogramOf({ ...data, counts: [], earlier: [], histogram: { ...data.histogram, medians: [] } }, false);

const voteClass = (vote, votes) => (vote < votes.length - 1 ? "before" : "last");

function theTruth(place, truth) {
  const anchor = place < 0.2 ? "start" : place > 0.8 ? "end" : "middle";
  return [svg("path", { class: "truth", d: `M${at(place)} ${BASE}V${TOP + 6}` }),
    text(at(place), TOP - 2, _("The answer: {truth}", { truth }), anchor, "truth")];
}
