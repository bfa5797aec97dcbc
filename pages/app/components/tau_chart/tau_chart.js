// Curves over tau, with rings at the current stop of a slider.

import { _ } from "../shared/messages.js";
import { changed, el, setText, setTexts } from "../shared/component.js";
import { svg, write } from "../shared/drawn.js";
import { writeLaw } from "../shared/maths.js";
import { follower } from "../shared/follower.js";

export default follower("tau_chart", { build, offer, show });

function build(root, /** @type {State<"tau_chart">} */ state) {
  const { size: [width, height], plot: [left, top, right, bottom], lines } = state.data;
  const dashed = ({ dash, width: thick }) => ({ class: "line", "stroke-dasharray": dash, "stroke-width": thick });
  state.lines = lines.map((line) =>
    ({ path: svg("path", dashed(line)), ring: svg("circle", { class: "ring", r: 6 }) }));
  state.now = svg("line", { class: "now", y1: top, y2: bottom });
  state.ticks = svg("g");
  state.axes = [svg("text", { class: "axis", x: (left + right) / 2, y: height - 5, "text-anchor": "middle" }),
    svg("text", { class: "axis", "text-anchor": "middle",
      transform: `translate(11 ${(top + bottom) / 2}) rotate(-90)` })];
  state.picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img" }, state.ticks, state.now,
    svg("path", { class: "frame", d: `M${left} ${top}V${bottom}H${right}` }), ...state.lines.map(({ path }) => path),
    ...state.lines.map(({ ring }) => ring), ...state.axes);
  state.title = el("h3", { "aria-level": 2 });
  state.says = el("p.says");
  state.key = el("div.key", {}, ...lines.map((line) => el("span.entry", {},
    svg("svg", { width: 18, height: 12, "aria-hidden": "true" },
      svg("line", { ...dashed(line), x1: 0, x2: 18, y1: 6, y2: 6 })), el("span.law"), el("b"))));
  root.replaceChildren(el("section.panel", {}, state.title, state.says, state.picture, state.key));
}

/** Draw new curves. */
function offer(root, /** @type {State<"tau_chart">} */ state) {
  const { title, says, axes, plot: [left, , right, bottom], x, y, lines } = state.data;
  setTexts(state, { title, says });
  state.axes.forEach((node, i) => setText(node, axes[i]));
  lines.forEach(({ name, path }, i) => {
    writeLaw(state.key.children[i].children[1], name, 0);
    write(state.lines[i].path, "d", path);
  });
  if (!changed(state, "ticked", [x, y])) return;
  const text = (at, height, anchor, words) =>
    svg("text", { class: "tick", x: at, y: height, "text-anchor": anchor }, words);
  state.marks = x.map(([at, words]) => text(at, bottom + 13, "middle", words));
  state.ticks.replaceChildren(...y.flatMap(([height, words]) =>
    [svg("line", { class: "grid", x1: left, x2: right, y1: height, y2: height }),
      text(left - 6, height, "end", words)]), ...state.marks);
}

/** Mark the current stop of the slider. */
function show(/** @type {State<"tau_chart">} */ state) {
  const { stops, chosen, lines, title, says } = state.data, stop = stops[state.link.at.stop] ?? stops[chosen];
  write(state.now, "x1", stop.at);
  write(state.now, "x2", stop.at);
  state.marks.forEach((mark) => mark.classList.toggle("present", mark.textContent === stop.tau));
  stop.rings.forEach((y, i) => {
    const { ring } = state.lines[i];
    ring.style.visibility = y === null ? "hidden" : "inherit";
    write(ring, "cx", stop.at);
    write(ring, "cy", y ?? 0);
    setText(state.key.children[i].lastChild, stop.values[i]);
  });
  const values = lines.map(({ label }, i) => `${label} ${stop.values[i]}`).join(_(", "));
  write(state.picture, "aria-label",
    _("{title} {says}. At τ = {tau}: {values}.", { title, says, tau: stop.tau, values }));
}
