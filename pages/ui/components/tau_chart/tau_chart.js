// Curves over tau. data: of core.figures.truncation.tau_chart

import { paper, el, setText } from "./paper.js";
import { svg, write } from "./drawn.js";

export default function ({ parentElement, data }) {
  const [root, state] = paper(parentElement, "tau_chart");
  if (!state.picture) build(root, state, data);
  show(state, data);
}

function build(root, state, { size: [width, height], plot: [left, top, right, bottom], lines }) {
  const mark = (kind, attributes = {}) => svg("text", { class: kind, ...attributes });
  state.lines = lines.map(() => ({ path: svg("path", { class: "line" }), ring: svg("circle", { class: "ring", r: 6 }) }));
  state.now = svg("line", { class: "now", y1: top, y2: bottom });
  state.ticks = svg("g");
  state.axes = [mark("axis", { x: (left + right) / 2, y: height - 5, "text-anchor": "middle" }), mark("axis", { "text-anchor": "middle", transform: `translate(11 ${(top + bottom) / 2}) rotate(-90)` })];
  state.picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img" }, state.ticks, state.now,
    svg("path", { class: "frame", d: `M${left} ${top}V${bottom}H${right}` }), ...state.lines.map(({ path }) => path), ...state.lines.map(({ ring }) => ring), ...state.axes);
  state.title = el("h3");
  state.says = el("p.says");
  state.key = el("div.key", {}, ...lines.map(({ name: [letter, low], dash, width: thick }) => el("span.entry", {},
    svg("svg", { width: 24, height: 12, "aria-hidden": "true" }, svg("line", { class: "line", x1: 0, x2: 24, y1: 6, y2: 6, "stroke-dasharray": dash, "stroke-width": thick })),
    el("i", {}, letter), el("sub", {}, low), el("b"))));
  root.replaceChildren(el("section.panel", {}, state.title, state.says, state.picture, state.key));
}

function show(state, scene) {
  setText(state.title, scene.title);
  setText(state.says, scene.says);
  state.axes.forEach((node, i) => setText(node, scene.axes[i]));
  const [left, , right, bottom] = scene.plot, ticks = JSON.stringify([scene.x, scene.y]);
  if (state.ticked !== ticks) {
    state.ticked = ticks;
    const text = (kind, x, y, anchor, words) => { const node = svg("text", { class: kind, x, y, "text-anchor": anchor }); node.textContent = words; return node; };
    state.ticks.replaceChildren(...scene.y.flatMap(([y, words]) => [svg("line", { class: "grid", x1: left, x2: right, y1: y, y2: y }), text("tick", left - 6, y, "end", words)]),
      ...scene.x.map(([x, words, present]) => text(present ? "tick present" : "tick", x, bottom + 13, "middle", words)));
  }
  write(state.now, "x1", scene.at);
  write(state.now, "x2", scene.at);
  scene.lines.forEach(({ dash, width, path, ring, value }, i) => {
    const drawn = state.lines[i];
    write(drawn.path, "d", path);
    write(drawn.path, "stroke-dasharray", dash);
    write(drawn.path, "stroke-width", width);
    drawn.ring.style.visibility = ring.length ? "visible" : "hidden";
    if (ring.length) { write(drawn.ring, "cx", ring[0]); write(drawn.ring, "cy", ring[1]); }
    setText(state.key.children[i].lastChild, value);
  });
  write(state.picture, "aria-label", `${scene.title} ${scene.says} ${scene.lines.map(({ name, value }) => `${name.join("_")}: ${value}`).join(", ")}.`);
}
