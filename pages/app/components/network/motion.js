// The moving parts of the drawing: sheets that dim the steps not computed yet, and in slow motion also the earlier
// steps; and the animations of slow motion.

import { backwardTravels } from "./backward.js";
import { trackOf } from "./column.js";
import { svg, TRAVEL } from "../shared/drawn.js";

export function placeStub(/** @type {State<"network">} */ state) {
  const { layout } = state.data.scene, edge = layout.strip / 2 + layout.gap - 1;
  Object.assign(state.stub.style,
    { top: `${trackOf(state.data.scene) - 5}px`, width: `${Math.max(layout.pitch / 2 - edge - 1, 0)}px` });
}

/** Move the sheet that dims the steps not computed yet, and in slow motion another one over the earlier steps: the
 * browser paints a sheet much faster than transparent parts of every column. */
export function veil(/** @type {State<"network">} */ state, at, x) {
  if (at.back) return veilBackward(state, at, x);
  const { layout } = state.data.scene, reached = x - layout.pitch / 2;
  const feeds = at.sub === 1 && at.step > 0 ? layout.pitch : 0;
  const edge = layout.strip / 2 + layout.gap - 1;
  state.later.style.transform = `translateX(${x + layout.pitch / 2 - 1}px)`;
  state.stub.style.transform = `translateX(${x + edge}px)`;
  state.stub.style.visibility = at.step + 1 < at.T ? "inherit" : "hidden";
  state.past.style.transform = `translateX(${reached - feeds - state.data.scene.size[0]}px)`;
  state.past.style.visibility = at.slow ? "inherit" : "hidden";
}

/** Move the sheets in the backward pass: steps not reached yet are to the left, finished steps to the right. */
function veilBackward(/** @type {State<"network">} */ state, at, x) {
  const { layout, size } = state.data.scene;
  const feeds = (at.sub === 2 || at.sub === 3) && at.step + 1 < at.T ? layout.pitch : 0;
  state.later.style.transform = `translateX(${x - layout.pitch / 2 - size[0]}px)`;
  state.stub.style.visibility = "hidden";
  state.past.style.transform = `translateX(${x + layout.pitch / 2 + feeds}px)`;
  state.past.style.visibility = at.slow ? "inherit" : "hidden";
}

/** x of the column of the play head. */
export const placeOf = (/** @type {State<"network">} */ { columns, data, link: { at } }) =>
  (at.folded ? data.scene.loop.x : columns[at.step].x);

/** Animate the current sub-step: dots move along the arrows, or the result grows. */
export function travel(/** @type {State<"network">} */ state, at) {
  const column = state.columns[at.step], { layout } = state.data.scene, x = placeOf(state);
  const grow = (node, axis) =>
    node.animate([{ transform: `scale${axis}(0)` }, { transform: `scale${axis}(1)` }], TRAVEL);
  const dot = (x1, y1, x2, y2) => {
    const node = svg("circle", { r: 6, class: "traveller" });
    state.dots.append(node);
    node.animate([{ transform: `translate(${x1}px,${y1}px)` }, { transform: `translate(${x2}px,${y2}px)` }],
      TRAVEL).onfinish = () => node.remove();
  };
  state.dots.replaceChildren();
  if (at.back) return travelBackward(state, at, dot);
  if (at.sub === 0) grow(column.parts[0].firstChild, "");
  if (at.sub === 1) {
    dot(x, 262, x, 236);
    const track = trackOf(state.data.scene);
    if (!at.folded) dot(x - layout.pitch + layout.strip / 2, track, x - layout.strip / 2, track);
  }
  if (at.sub === 2) column.cells.forEach((cell) => cell.animate([{ opacity: 0 }, { opacity: 1 }], TRAVEL));
  if (at.sub === 3) dot(x, 124, x, 106);
  if (at.sub === 4) column.rows.forEach((row) => grow(row.bar, "X"));
  if (at.sub === 5) grow(column.dot, "");
}

function travelBackward(/** @type {State<"network">} */ state, at, dot) {
  backwardTravels(state.back, at, state.data.scene).forEach((way) => dot(...way));
  if (at.sub === 4)
    state.columns[at.step].cells.forEach((cell) =>
      cell.animate([{ opacity: 1 }, { opacity: 0.2 }, { opacity: 1 }], TRAVEL));
}
