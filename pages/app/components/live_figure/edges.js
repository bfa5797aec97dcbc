// The texts at the edges of a plot (pages/figures/parts/chart.py). They get the room they need, as words of another
// language may be longer; and the names at the right edge are moved apart for the current height of the plot.

import { widthOf } from "../shared/measure.js";

const LINE = 1.3; // the line height of plotly, as a multiple of the font size
const BETWEEN = 4; // px around a name of several lines, which would be too close to the next name
const BELOW = 8; // px that the lowest name may reach below the plot
const NEAR = 4; // px: a name that is moved less needs no line to its curve
const ENTRY = 5; // px of a legend entry beyond its line height
const LEAST = 12; // px: the smallest font size
const MOST = 0.5; // share of the width for the names at the right edge, at most

/** Widen margins to fit names, break titles of axes that are longer than the figure, and shrink notes to fit. */
export function makeRoom(layout, data, wide = measured(layout.font)) {
  const { margin, width, annotations = [] } = layout;
  if (!margin || !wide) return;
  const names = annotations.filter(isName).map((name) => name.xshift + wide(name.text, name.font.size));
  margin.r = Math.max(margin.r, Math.min(Math.ceil(Math.max(0, ...names)) + 1, MOST * width));
  const bars = data.filter(({ orientation }) => orientation === "h").flatMap(({ y }) => y);
  margin.l = Math.max(margin.l, ...bars.map((name) => wide(name, layout.font.size)).map(Math.ceil));
  breakTitle(layout.xaxis, [margin.l, width, margin.r], wide, () => { margin.b += LINE * layout.font.size; });
  breakTitle(layout.yaxis, [margin.t, layout.height, margin.b], wide, () => { margin.l += LINE * layout.font.size; });
  for (const note of annotations.filter(inCorner)) {
    const room = width - margin.l - note.xshift, needs = wide(note.text, note.font.size);
    if (needs > room) note.font.size = Math.max(LEAST, Math.floor(note.font.size * room / needs));
  }
}

const isName = ({ xref, x, xanchor, yanchor }) =>
  xref === "paper" && x === 1 && xanchor === "left" && yanchor === "middle";

const inCorner = ({ xref, x, xanchor, xshift }) => xref === "paper" && x === 0 && xanchor === "left" && xshift < 0;

/** Break a title, which is centred on its axis, if half of it is longer than from the centre to the nearer edge. */
function breakTitle(axis, [before, whole, after], wide, broken) {
  const middle = before + (whole - before - after) / 2, { text, font } = axis?.title ?? {};
  if (!text || wide(text, font.size) <= 2 * Math.min(middle, whole - middle)) return;
  const blanks = [...text.matchAll(/ /g)].map(({ index }) => index);
  if (!blanks.length) return;
  const away = (index) => Math.abs(index - text.length / 2);
  const at = blanks.reduce((best, index) => (away(index) < away(best) ? index : best));
  axis.title.text = `${text.slice(0, at)}<br>${text.slice(at + 1)}`;
  broken();
}

/** A function that measures the longest line of a text in px; undefined if the browser cannot measure. */
const measured = (font) => widthOf && ((text, size) => Math.max(...text.split("<br>").map((line) =>
  widthOf(line.replace(/<[^>]*>/g, ""),
    `${line.includes("<b>") || /^<b>/.test(text) ? 700 : 400} ${size}px ${font.family}`))));

/** Move names apart from each other and from the legend; a line joins a moved name to its curve. */
export function placeNames(layout, data) {
  const { height, margin, annotations, yaxis } = layout, plot = margin && height - margin.t - margin.b;
  const names = (annotations ?? []).filter(isName);
  if (!plot || !names.length) return;
  const place = (name) => plot * share(name, yaxis);
  const shown = names.filter((name) => place(name) > -1 && place(name) < plot + 1); // not names outside a zoomed range
  shown.sort((one, other) => place(other) - place(one));
  const middles = spread(shown.map(place), shown.map(size), upperLimit(layout, data, plot));
  shown.forEach((name, i) => move(name, middles[i] - place(name)));
}

/** y of a name's curve above the bottom of the plot, as a fraction of the plot's height. */
const share = ({ y, yref }, axis) => yref === "paper" ? y : (y - axis.range[0]) / (axis.range[1] - axis.range[0]);

/** The height of a name in px. */
function size({ text, font }) {
  const lines = text.split("<br>").length;
  return LINE * font.size * lines + (lines > 1 ? BETWEEN : 0);
}

/** The upper limit of names, in px above the bottom of the plot: the legend, or the figure's edge. */
function upperLimit({ margin, legend, showlegend }, data, plot) {
  if (!showlegend) return plot + margin.t;
  const entries = data.filter((curve) => curve.showlegend && curve.x.length).length;
  return legend.y * plot - entries * (LINE * legend.font.size + ENTRY);
}

/** The centres of names in px above the plot's bottom, from the highest down: a sweep down from `top`, and one up. */
function spread(heights, sizes, top) {
  const tight = Math.min(1, (top + BELOW) / sizes.reduce((sum, one) => sum + one, 0)); // < 1 if there is no room
  const half = sizes.map((one) => tight * one / 2), placed = [];
  for (const [i, height] of heights.entries())
    placed.push(Math.min(height, i ? placed[i - 1] - half[i - 1] - half[i] : top - half[0]));
  for (let i = placed.length - 1; i >= 0; i--)
    placed[i] = Math.max(placed[i], i + 1 < placed.length ? placed[i + 1] + half[i + 1] + half[i] : half[i] - BELOW);
  return placed;
}

/** Move a name `up` px above its curve, or below it if negative; beyond NEAR px, a thin line joins both. */
function move(name, up) {
  const away = name.showarrow ? name.ax : name.xshift, moved = Math.abs(up) > NEAR;
  const shift = moved ? { ax: away, ay: -up, xshift: 0, yshift: 0 } : { xshift: away, yshift: up };
  Object.assign(name, { showarrow: moved }, shift);
}
