// The curves that a hall drew, on the axes on which it drew them.

import { el } from "./component.js";
import { svg } from "./drawn.js";
import { _ } from "./messages.js";
import { BELOW, frame, H, LEFT, text, TOP, W } from "./room_chart.js";

const RIGHT = 130; // for the names of the lines
const x = (place) => LEFT + place * (W - LEFT - RIGHT), y = (place) => TOP + (1 - place) * (H - TOP - BELOW);

/** The axes of drawn curves, with the lines of the models and the parts of the drawing between them. */
export function axes(/** @type {CurveChart} */ chart, ...parts) {
  const across = (name, place) => svg("path", { class: name, d: `M${LEFT} ${y(place)}H${W - RIGHT}` });
  return frame("curves", _("The curves that were drawn: perplexity against updates"),
    ...chart.x.map(([place, name]) => text(x(place), H - 26, name, "middle")),
    ...chart.y.flatMap(([place, name]) => [across("grid", place), text(LEFT - 8, y(place) + 8, name, "end")]),
    text(x(0.5), H - 3, _("updates"), "middle"), text(4, 16, _("perplexity"), "start"),
    ...chart.lines.flatMap(([place, label, name]) =>
      [across("model", place), text(W - RIGHT + 6, y(label) + 8, name, "start")]),
    ...parts);
}

/** The curves of the last vote with their quartiles, the median of the first one, and the run. */
export function curves(/** @type {CurveChart} */ chart) {
  const now = chart.votes.at(-1), before = chart.votes.length > 1 ? chart.votes[0] : null;
  const line = (name, places) => svg("path", { class: name, d: path(places) });
  const at = (heights) => heights.map((height, i) => [i / (heights.length - 1), height]);
  const drawing = axes(chart,
    ...now.cells.flatMap((column, i) => column.map((share, row) => (share ? cell(i, row, share, now.cells) : ""))),
    ...now.lines.map((heights) => line("faint", at(heights))),
    line("quartile", at(now.low)), line("quartile", at(now.high)),
    ...(before ? [line("median before", at(before.middle))] : []),
    line("median", at(now.middle)), line("run", chart.run));
  const names = [el("span", {}, el("i.filled"), " ", _("your median, and half of you between the dotted lines")),
    ...(chart.run.length ? [el("span.run", {}, el("i.filled"), " ", _("the network"))] : [])];
  return el("figure", {}, drawing, el("figcaption.legend", {}, ...names, chart.closest));
}

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
