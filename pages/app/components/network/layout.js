// The layout of the drawing of the unrolled network, in px. Time runs left to right. Rows from the top: loss,
// prediction, state, input. A column is one time step, `pitch` px wide; x within a column is relative to its middle.
// Narrow columns show fewer details, so that all text remains legible:
//
//   roomy   pitch >= 96   the three best predictions, and the target   loss as a number
//   middle  34 to 96      the target and its probability               loss as a number
//   tight   below 34      the target and a bar                         loss as a dot

import { _ } from "../shared/messages.js";
import { widthOf } from "../shared/measure.js";

const WIDTH = 972, LEFT = 92, RIGHT = 14; // px: at its widest, beside its columns; as in parts/style.py
const ROOMY = 96, MIDDLE = 34, BESIDE = 58; // px of pitch; BESIDE: a large dot and its number fit side by side
const WIDEST = { character: 104, word: 120 }; // px of pitch in a scene, at most: six columns fit into a window
const LARGEST = 9; // nats: losses from this value on have the largest, darkest dot
const CHARACTER = 0.6; // em: the width of a character of the code font
export const HEIGHT = 292;
export const TOP = 124; // y of both ends of a strip
export const BOTTOM = 236;
export const INPUT_Y = 254; // the top of an input
export const FORWARD_Y = 158; // y of the arrows between states, where there are those of the backward pass, too
export const BACKWARD_Y = 204;

/** @typedef {ReturnType<typeof layoutOf>} Layout */

/** A function that measures a text of this size in the code font of `root`. */
export function codeFont(root) {
  const family = getComputedStyle(root).getPropertyValue("--code");
  return (text, size) => widthOf?.(text, `600 ${size}px ${family}`) ?? CHARACTER * size * [...text].length;
}

/** Positions and sizes in a drawing. `wide(text, size)` measures its symbols. */
export function layoutOf(/** @type {BothWays} */ { columns, in_scene, backward }, wide) {
  const T = columns.length, labels = columns.flatMap((column) => column.labels);
  const words = labels.some((label) => [...label].length > 1);
  const widest = in_scene ? WIDEST[words ? "word" : "character"] : Infinity;
  const pitch = rounded(Math.min((WIDTH - LEFT - RIGHT) / T, widest), 1000); // of which up to forty are added
  const density = pitch >= ROOMY ? "roomy" : pitch >= MIDDLE ? "middle" : "tight", roomy = density === "roomy";
  const font = words ? (roomy ? 16 : 14) : { roomy: 20, middle: 17, tight: 14 }[density];
  const box = Math.min(36, 0.62 * pitch), longest = Math.max(...labels.map((label) => wide(label, font)));
  const strip = rounded(Math.min(Math.max(0.36 * pitch, 8), 40)), edge = strip / 2 + (pitch >= MIDDLE ? 4 : 3);
  const width = Math.round(LEFT + T * pitch + RIGHT), track = (TOP + BOTTOM) / 2;
  return {
    density, pitch, strip, font, width, wide, words,
    edge, // of a strip, where arrows between states begin and end
    x: columns.map((_column, t) => rounded(LEFT + pitch * (t + 0.5))),
    track: backward ? FORWARD_Y : track, // y of the forward arrows
    box: rounded(words ? Math.min(pitch - 10, Math.max(box, longest + 14)) : box), // the width of an input
    half: rounded(roomy ? (Math.min(pitch, 150) - 14) / 2 : pitch / 2 - 3), // of the width of a prediction
    // x of the dot of a loss and of its number, the size of the number, and the scale of the dots
    loss: roomy ? [-18, 2, 17, 1] : pitch >= BESIDE ? [-12, 4, 14, 1] : pitch >= MIDDLE ? [-12, -4, 13, 0.45]
    : [0, 4, 14, 0.8],
    rows: [[_("loss"), 26], [roomy ? _("prediction") : _("p(target)"), 80], [_("state h"), 180], [_("input x"), 270]],
    loop: { ...loopOf(edge, track), x: (width + LEFT - RIGHT) / 2 },
  };
}

const rounded = (px, parts = 100) => Math.round(parts * px) / parts;

/** The arrow from a state back onto itself, in the drawing before it is unrolled: one column in the middle. */
function loopOf(edge, y) {
  const reach = edge + 84;
  return { path: `M${edge} ${y + 26}C${reach} ${y + 66} ${reach} ${y - 66} ${edge + 6} ${y - 26}`,
    tip: [edge, y - 26], label: [edge + 70, y] };
}

/** The dot of a loss, and the text beside it: large losses with fewer decimals. */
export function dotOf(/** @type {Column["loss"]} */ [nats, texts], /** @type {Layout} */ { density, pitch, loss }) {
  const share = Math.min(nats ?? LARGEST, LARGEST) / LARGEST, most = pitch < BESIDE ? 9.95 : 99.95;
  return { radius: Number(((3 + 9.5 * Math.sqrt(share)) * loss[3]).toFixed(1)), shade: Math.round(10 + 84 * share),
    text: texts[Number(density === "middle") + Number(nats >= most)] };
}

/** The tokens of a prediction that a column shows: in a narrow one only the target. */
export function shownOf(/** @type {Column["prediction"]} */ prediction, /** @type {Layout} */ layout) {
  const { density, half, pitch } = layout;
  const [room, size] = { roomy: [2 * half - 46, 14], middle: [pitch - 8, 16], tight: [pitch - 2, 14] }[density];
  return prediction.filter(([, , , target]) => target || density === "roomy")
    .map(([symbol, p, share, target]) => ({ symbol: fitted(symbol, room, size, layout), p, share, target }));
}

/** A symbol, shortened to `room` px, with an ellipsis if more than two characters fit. */
export function fitted(symbol, room, size, /** @type {Layout} */ { wide }) {
  const letters = [...symbol], begin = (n) => letters.slice(0, n).join(""), fits = (text) => wide(text, size) <= room;
  if (fits(symbol)) return symbol;
  let n = letters.length - 1;
  while (n > 1 && !fits(`${begin(n)}…`)) n -= 1;
  return n > 1 ? `${begin(n)}…` : fits(begin(2)) ? begin(2) : begin(1);
}
