// Makes room for the texts at the edges of a figure. Its margins are made for English words; words of another language
// may be longer.

import { isName } from "./names.js";

const LINE = 1.3; // the line height of plotly, as a multiple of the font size
const LEAST = 12; // px: the smallest font size
const MOST = 0.5; // share of the width for the names at the right edge, at most

const pen = globalThis.OffscreenCanvas && new OffscreenCanvas(1, 1).getContext("2d");

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
const measured = (font) => pen && ((text, size) => Math.max(...text.split("<br>").map((line) => {
  pen.font = `${line.includes("<b>") || /^<b>/.test(text) ? 700 : 400} ${size}px ${font.family}`;
  return pen.measureText(line.replace(/<[^>]*>/g, "")).width;
})));
