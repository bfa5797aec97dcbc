// Curves over tau, with rings at the current stop of a slider.

import { _ } from "../shared/messages.js";
import { changed, el, setText, setTexts } from "../shared/component.js";
import { svg, write } from "../shared/drawn.js";
import { writeLaw } from "../shared/maths.js";
import { follower } from "../shared/follower.js";

const WIDTH = 286, HEIGHT = 182; // px
const LEFT = 44, TOP = 10, RIGHT = WIDTH - 10, BOTTOM = HEIGHT - 42; // px: the edges of the plot
const MARGIN = 10; // px between an edge and the first or last tau
const LABEL_ROOM = 22; // px between two labels of taus, at least

export default follower("tau_chart", { build, offer, show });

const tenths = (px) => Math.round(10 * px) / 10;

/** x of tau on a logarithmic axis from 1 to `T`, because the curves change most at small tau. */
const xOf = (tau, T) =>
  tenths(LEFT + MARGIN + (T > 1 ? Math.log(tau) / Math.log(T) : 0.5) * (RIGHT - LEFT - 2 * MARGIN));

/** y of a value between the ends of the axis. */
const yOf = (value, /** @type {number[]} */ [low, high]) =>
  tenths(BOTTOM - (value - low) / (high - low) * (BOTTOM - TOP));

function build(root, /** @type {State<"tau_chart">} */ state) {
  const { lines } = state.data;
  const dashed = ({ dash, width: thick }) => ({ class: "line", "stroke-dasharray": dash, "stroke-width": thick });
  state.lines = lines.map((line) =>
    ({ path: svg("path", dashed(line)), ring: svg("circle", { class: "ring", r: 6 }) }));
  state.now = svg("line", { class: "now", y1: TOP, y2: BOTTOM });
  state.ticks = svg("g");
  state.axes = [svg("text", { class: "axis", x: (LEFT + RIGHT) / 2, y: HEIGHT - 5, "text-anchor": "middle" }),
    svg("text", { class: "axis", "text-anchor": "middle",
      transform: `translate(11 ${(TOP + BOTTOM) / 2}) rotate(-90)` })];
  state.picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, width: WIDTH, height: HEIGHT, role: "img" },
    state.ticks, state.now, svg("path", { class: "frame", d: `M${LEFT} ${TOP}V${BOTTOM}H${RIGHT}` }),
    ...state.lines.map(({ path }) => path), ...state.lines.map(({ ring }) => ring), ...state.axes);
  state.title = el("h3", { "aria-level": 2 });
  state.says = el("p.says");
  state.key = el("div.key", {}, ...lines.map((line) => el("span.entry", {},
    svg("svg", { width: 18, height: 12, "aria-hidden": "true" },
      svg("line", { ...dashed(line), x1: 0, x2: 18, y1: 6, y2: 6 })), el("span.law"), el("b"))));
  root.replaceChildren(el("section.panel", {}, state.title, state.says, state.picture, state.key));
}

/** Draw new curves. */
function offer(root, /** @type {State<"tau_chart">} */ state) {
  const { title, says, axes, taus, ends, ticks, lines } = state.data, T = taus.at(-1);
  setTexts(state, { title, says });
  state.axes.forEach((node, i) => setText(node, axes[i]));
  lines.forEach(({ name, values }, i) => {
    writeLaw(state.key.children[i].children[1], name, 0);
    const points = values.flatMap((value, t) => (value === null ? [] : `${xOf(t + 1, T)} ${yOf(value, ends)}`));
    write(state.lines[i].path, "d", points.length ? `M${points.join("L")}` : "");
  });
  if (!changed(state, "ticked", [taus, ends, ticks])) return;
  const text = (x, y, anchor, words) => svg("text", { class: "tick", x, y, "text-anchor": anchor }, words);
  state.marks = labelled(taus).map((tau) => text(xOf(tau, T), BOTTOM + 13, "middle", tau));
  state.ticks.replaceChildren(...ticks.flatMap(([value, words]) => {
    const y = yOf(value, ends);
    return [svg("line", { class: "grid", x1: LEFT, x2: RIGHT, y1: y, y2: y }), text(LEFT - 6, y, "end", words)];
  }), ...state.marks);
}

/** The last tau, and those before it that have room for a label. */
const labelled = (taus) => taus.reduceRight((kept, tau) => {
  const room = kept.length ? xOf(kept[0], taus.at(-1)) - xOf(tau, taus.at(-1)) : Infinity;
  return room < LABEL_ROOM ? kept : [tau, ...kept];
}, []);

/** Mark the current stop of the slider. */
function show(/** @type {State<"tau_chart">} */ state) {
  const { stops, chosen, lines, taus, ends, title, says } = state.data;
  const { tau, words } = stops[state.link.at.stop] ?? stops[chosen], x = xOf(tau, taus.at(-1));
  write(state.now, "x1", x);
  write(state.now, "x2", x);
  state.marks.forEach((mark) => mark.classList.toggle("present", mark.textContent === String(tau)));
  state.lines.forEach(({ ring }, i) => {
    const value = lines[i].values[tau - 1];
    ring.style.visibility = value === null ? "hidden" : "inherit";
    write(ring, "cx", x);
    write(ring, "cy", yOf(value ?? ends[0], ends));
    setText(state.key.children[i].lastChild, words[i]);
  });
  const values = lines.map(({ label }, i) => `${label} ${words[i]}`).join(_(", "));
  write(state.picture, "aria-label",
    _("{title} {says}. At τ = {tau}: {values}.", { title, says, tau, values }));
}
