// The moving parts of the drawing: sheets that dim the steps not computed yet, and in slow motion also the earlier
// steps; and the animations of slow motion.

import { backwardTravels } from "./backward.js";
import { still, svg, TRAVEL } from "../shared/drawn.js";

/** Move the sheet that dims the steps not computed yet, and in slow motion another one over the finished steps: the
 * browser paints a sheet much faster than transparent parts of every column. */
export function veil(/** @type {State<"network">} */ state, at, x) {
  const { pitch, edge, width } = state.layout, isLast = at.step + 1 === at.T;
  const left = x - pitch / 2 - width, right = x + pitch / 2; // where a sheet covers the steps on this side
  const feeds = at.back ? (at.sub === 2 || at.sub === 3) && !isLast : at.sub === 1 && at.step > 0;
  const fed = feeds ? pitch : 0; // the neighbour from which this sub-step reads is not dimmed
  const [later, past] = at.back ? [left, right + fed] : [right - 1, left - fed];
  state.later.style.transform = `translateX(${px(later)})`;
  state.past.style.transform = `translateX(${px(past)})`;
  state.past.style.visibility = at.slow ? "inherit" : "hidden";
  state.stub.style.transform = `translateX(${px(x + edge - 1)})`;
  state.stub.style.visibility = at.back || isLast ? "hidden" : "inherit";
}

/** A length of the drawing: HTML has no viewBox as SVG has. */
export const px = (length) => `calc(${length} * var(--px))`;

/** x of the column of the play head. */
export const placeOf = (/** @type {State<"network">} */ { layout, link: { at } }) =>
  (at.folded ? layout.loop.x : layout.x[at.step]);

/** Animate the current sub-step in slow motion: dots move along the arrows, or the result grows. */
export function travel(/** @type {State<"network">} */ state, at) {
  if (!at.slow || still()) return;
  const column = state.columns[at.step], { layout } = state, x = placeOf(state);
  const grow = (node, axis) =>
    node.animate([{ transform: `scale${axis}(0)` }, { transform: `scale${axis}(1)` }], TRAVEL);
  const fade = (...opacity) => column.units.cells.forEach((cell) => cell.animate({ opacity }, TRAVEL));
  const dot = (x1, y1, x2, y2) => {
    const node = svg("circle", { r: 6, class: "traveller" });
    state.dots.append(node);
    node.animate([{ transform: `translate(${x1}px,${y1}px)` }, { transform: `translate(${x2}px,${y2}px)` }],
      TRAVEL).onfinish = () => node.remove();
  };
  state.dots.replaceChildren();
  if (at.back) {
    backwardTravels(state.back, at, layout).forEach((way) => dot(...way));
    if (at.sub === 4) fade(1, 0.2, 1);
    return;
  }
  if (at.sub === 0) grow(column.parts[0].firstChild, "");
  if (at.sub === 1) {
    dot(x, 262, x, 236);
    const { pitch, strip, track } = layout;
    if (!at.folded) dot(x - pitch + strip / 2, track, x - strip / 2, track);
  }
  if (at.sub === 2) fade(0, 1);
  if (at.sub === 3) dot(x, 124, x, 106);
  if (at.sub === 4) column.rows.forEach((row) => grow(row.bar, "X"));
  if (at.sub === 5) grow(column.dot, "");
}
