// What truncation keeps of the sum of gradient sizes, or what an update loses by it, for every stop of a slider.

import { _ } from "../shared/messages.js";
import { el, elements, setTexts } from "../shared/component.js";
import { svg } from "../shared/drawn.js";
import { follower } from "../shared/follower.js";

const WIDTH = 56, HEIGHT = 32, EDGE = 5; // of the small curve, px

export default follower("kept_share", { build, show });

function build(root, state) {
  Object.assign(state, elements({ number: "b.number", says: "div", detail: "div.small.muted", ghost: "div.ghost" }));
  const { curve } = state.data;
  state.curve = curve.length ? svg("svg", { class: "curve", width: WIDTH, height: HEIGHT, "aria-hidden": "true" }) : "";
  root.replaceChildren(el("div.panel.row", {}, el("span", {}, curve.length ? _("lost") : _("kept")), state.number,
    state.curve, el("div", {}, state.says, state.detail, state.ghost)));
}

/** What is lost at each stop: the present one is filled, the one at which the scene begins stays as a ghost. */
function draw(/** @type {State<"kept_share">} */ state, stop) {
  const { curve, begins } = state.data;
  const x = (i) => EDGE + (i * (WIDTH - 2 * EDGE)) / Math.max(1, curve.length - 1);
  const most = Math.max(...curve) || 1, y = (share) => EDGE + (1 - share / most) * (HEIGHT - 2 * EDGE);
  const line = curve.map((share, i) => `${x(i)},${y(share)}`).join(" ");
  const dot = (i, kind) => svg("circle", { class: kind, cx: x(i), cy: y(curve[i]), r: EDGE - 1 });
  state.curve.replaceChildren(svg("polyline", { points: line }), dot(begins, "before"), dot(stop, "present"));
}

function show(/** @type {State<"kept_share">} */ state) {
  const { stops, chosen } = state.data;
  const stop = stops[state.link.at.stop] ? state.link.at.stop : chosen;
  setTexts(state, stops[stop]);
  if (state.curve) draw(state, stop);
}
