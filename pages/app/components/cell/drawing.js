// The drawing of the opened cell, built once per shape: boxes, wires, and the strips and words that cell.js fills.

import { strip } from "../shared/strip.js";
import { _, pieces } from "../shared/messages.js";
import { svg } from "../shared/drawn.js";

export const WIDTH = 972; // px
const STRIP = 24; // px
const HEIGHT = 214, STATE = 96, INPUT = 64; // px: the drawing's, and those of a state and of an input vector
export const SOURCE = [128, 36]; // this and the next four: upper left corner [x, y] of a strip
export const BEFORE = [128, 110];
export const JOINED = [214, 42];
export const MEMORY = [JOINED[0], JOINED[1] + INPUT]; // below the input: x above h, as in [x, h]
const AFTER = [656, 74];

export function draw(state) {
  state.words = {};
  state.laws = {};
  state.strips = {};
  state.boxes = boxes();
  const make = strips(state), rest = [before(state, make), titles(state)];
  state.parts = Object.entries(subSteps(state, make))
    .map(([name, nodes]) => svg("g", { class: `part ${name}` }, ...nodes));
  state.sheet = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, width: WIDTH, height: HEIGHT, role: "img" },
    ...state.boxes, ...rest, ...state.parts);
  state.stage.replaceChildren(state.sheet);
}

/** The boxes of the layer, of the output and of the next step: grey until their sub-steps. */
function boxes() {
  const box = (name, x, y, width, height) => svg("rect", { class: `box ${name}`, x, y, width, height, rx: 10 });
  return [box("layer", 338, 66, 272, 112), box("up", 754, 30, 217, 94), box("on", 754, 140, 217, 62)];
}

function titles(state) {
  return svg("g", {}, text(state, null, "title", 226, 18, _("concatenate"), "middle"),
    text(state, "connected", "title", 474, 18, "", "middle"),
    text(state, null, "title", 716, 18, _("copy"), "middle"));
}

function before(state, make) {
  return svg("g", { class: "before" }, formula(state, "before", 0, 140), text(state, "beforeShape", "muted", 0, 164),
    text(state, "shown", "muted", 0, 184),
    make("before", BEFORE, STATE), arrow("M156 156", 202, 156));
}

/** What each sub-step adds to the drawing. */
function subSteps(state, make) {
  state.token = svg("text", { class: "token", y: 54 });
  state.tokenBox = svg("rect", { class: "token-box", x: 36, y: 38, height: 32, rx: 8 });
  state.guess = { token: svg("tspan", { class: "code" }), sure: svg("tspan", { class: "strong" }) };
  state.loss = [svg("tspan", { class: "code" }), svg("tspan")];
  return {
    embed: [formula(state, "input", 0, 58), state.tokenBox, state.token, text(state, "inputShape", "muted", 0, 94),
      make("source", SOURCE, INPUT), arrow("M156 72", 202, 72),
      svg("g", { class: "memory-in" }, make("memory", MEMORY, STATE)),
      svg("g", { class: "input-in" }, make("input", JOINED, INPUT)),
      formula(state, "joined", 250, 82), text(state, "joinedShape", "muted", 250, 104),
      text(state, "sizes", "muted", 250, 150)],
    sum: [arrow("M244 122", 328, 122), formula(state, "sum", 474, 100, "middle"),
      text(state, "weights", "muted", 474, 126, "", "middle")],
    state: [formula(state, "state", 474, 160, "middle"), arrow("M614 122", 646, 122), make("after", AFTER, STATE),
      formula(state, "after", 668, 62, "middle"),
      text(state, "afterShape", "muted", 668, 190, "", "middle"), svg("path", { class: "wire", d: "M684 122H716" }),
      svg("circle", { class: "fork", cx: 716, cy: 122, r: 5 }),
      arrow("M716 122V171", 744, 171), formula(state, "after", 766, 166), text(state, "next", "", 766, 189)],
    output: [arrow("M716 122V77", 744, 77), formula(state, "output", 766, 55),
      text(state, "outputShape", "muted", 961, 55, "", "end")],
    guess: [svg("text", { x: 766, y: 84 }, ...pieces(_("best guess {token} {sure}"), state.guess))],
    loss: [svg("circle", { class: "dot", cx: 771, cy: 105, r: 5 }), svg("text", { x: 783, y: 110 }, ...state.loss)],
  };
}

/** A function that makes a strip by its name: a rectangle for each number, or two for a one-hot vector. */
function strips(/** @type {State<"cell">} */ state) {
  const { places, input } = state.data.cell;
  return (name, [x, y], height) => {
    const memory = height === STATE, many = memory ? places.length : input.ones.length ? 1 : input.size;
    const numbers = strip({ x, y, width: STRIP, height, many, gap: many > 1 ? 1 : 0 });
    const { cells, minus, each } = numbers;
    const frame = svg("rect",
      { class: `frame ${memory ? "memory" : "input"}`, x: x - 1, y: y - 1, width: STRIP + 2, height: height + 2,
        rx: 3 });
    const marked = svg("rect", { class: "marked", x: x - 3, width: STRIP + 6, height: each + 1, rx: 2 });
    if (memory) cells.forEach((node, i) => { node.onclick = () => state.link.set({ unit: state.data.units[i] }); });
    const one = svg("rect", { class: "one", x, width: STRIP, height: oneHeight(input, height) });
    state.strips[name] = { ...numbers, one, marked, y, height };
    return svg("g", {}, ...cells, ...(memory || !input.ones.length ? [] : [one]), ...minus, frame,
      ...(memory ? [marked] : []));
  };
}

/** The height in px of the 1 in the strip of a one-hot vector. */
export const oneHeight = (/** @type {CellInput} */ input, height) => Math.max(height / input.size, 4);

/** A text that cell.js fills by its name, or a fixed one. */
function text(state, name, look, x, y, words = "", anchor = "start") {
  const node = svg("text", { class: look, x, y, "text-anchor": anchor }, words);
  if (name) state.words[name] = node;
  return node;
}

function formula(state, name, x, y, anchor = "start") {
  const node = svg("text", { class: "law", x, y, "text-anchor": anchor });
  (state.laws[name] ??= []).push(node);
  return node;
}

/** A wire from a path to the point (x, y) on its right, with an arrowhead there. */
function arrow(path, x, y) {
  return svg("g", { class: "arrow" }, svg("path", { class: "wire", d: `${path}H${x}` }),
    svg("path", { class: "tip", d: "M0 -5L9 0L0 5Z", transform: `translate(${x} ${y})` }));
}
