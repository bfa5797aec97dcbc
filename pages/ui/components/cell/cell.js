// One recurrent cell opened: concatenate, fully connected + φ, copy (D2L, Fig. 8.4.1), for the step under the play
// head. Its states are those of the heat map, already in the browser.
// data: {link, text, units: numbers of the units in the strips, cell: of core.figures.unrolled.cell.cell_scene}

import { changed, el, setText } from "../shared/paper.js";
import { still, svg, TRAVEL, write } from "../shared/drawn.js";
import { scaleOf } from "../shared/scales.js";
import { drawnLaw } from "../shared/maths.js";
import { follower } from "../shared/follower.js";

const WIDTH = 972, HEIGHT = 214, STRIP = 24; // px
const STATE = 96, INPUT = 64; // px: heights of a state and of an input vector
const SOURCE = [128, 36], BEFORE = [128, 110], JOINED = [214, 42], AFTER = [656, 74]; // upper left corners
const MEMORY = [JOINED[0], JOINED[1] + INPUT]; // what is joined: x above h, as in [x, h]
const SUBS = ["embed", "sum", "state", "output", "guess", "loss"]; // a group per sub-step
const SEEN = [0, 290, 606, 606, 606, 606]; // px from the left: what a narrow window shows at each sub-step

export default follower("cell", { steps: (data) => data.cell.steps.length, build, offer, show });

function build(root, state) {
  state.stage = el("div.stage");
  root.replaceChildren(state.stage);
}

function offer(root, state) {
  const { cell } = state.data;
  if (changed(state, "shape", [cell.places.length, cell.input.size, cell.input.ones.length])) draw(state);
  state.signed = scaleOf(root, "diverging");
  const { shapes, input, shown, activation } = cell;
  const words = { beforeShape: shapes.state, shown, inputShape: input.said, sizes: shapes.sum,
    joinedShape: shapes.joined,
    weights: `weights ${shapes.weights}, the same at every step`, connected: `fully connected + ${activation}`,
    afterShape: shapes.state, outputShape: shapes.output };
  for (const [name, text] of Object.entries(words)) setText(state.words[name], text);
  state.before = null;
}

// Building the drawing, once per shape

function draw(state) {
  state.words = {};
  state.laws = {};
  state.strips = {};
  const strip = strips(state), rest = [before(state, strip), titles(state)];
  state.parts = [embed(state, strip), sum(state), after(state, strip), output(state), guess(state), loss(state)]
    .map((nodes, i) => svg("g", { class: `part ${SUBS[i]}` }, ...nodes));
  state.boxes = boxes();
  state.sheet = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, width: WIDTH, height: HEIGHT, role: "img" },
    ...state.boxes, ...rest, ...state.parts);
  state.stage.replaceChildren(state.sheet);
}

/** The box of the layer and the one of the output: grey until their sub-steps come. */
function boxes() {
  const box = (name, x, y, width, height) => svg("rect", { class: `box ${name}`, x, y, width, height, rx: 10 });
  return [box("layer", 338, 66, 272, 112), box("up", 754, 30, 217, 94), box("on", 754, 140, 217, 62)];
}

function titles(state) {
  return svg("g", {}, text(state, null, "title", 226, 18, "concatenate", "middle"),
    text(state, "connected", "title", 474, 18, "", "middle"),
    text(state, null, "title", 716, 18, "copy", "middle"));
}

function before(state, strip) {
  return svg("g", { class: "before" }, law(state, "before", 0, 140), text(state, "beforeShape", "muted", 0, 164),
    text(state, "shown", "muted", 0, 184),
    strip("before", BEFORE, STATE), arrow("M156 156H202"));
}

function embed(state, strip) {
  state.token = svg("text", { class: "token", y: 54 });
  state.tokenBox = svg("rect", { class: "token-box", x: 36, y: 38, height: 32, rx: 8 });
  return [law(state, "input", 0, 58), state.tokenBox, state.token, text(state, "inputShape", "muted", 0, 94),
    strip("source", SOURCE, INPUT), arrow("M156 72H202"),
    svg("g", { class: "memory-in" }, strip("memory", MEMORY, STATE)),
    svg("g", { class: "input-in" }, strip("input", JOINED, INPUT)),
    law(state, "joined", 250, 82), text(state, "joinedShape", "muted", 250, 104),
    text(state, "sizes", "muted", 250, 150)];
}

function sum(state) {
  return [arrow("M244 122H328"), law(state, "sum", 474, 100, "middle"),
    text(state, "weights", "muted", 474, 126, "", "middle")];
}

function after(state, strip) {
  return [law(state, "state", 474, 160, "middle"), arrow("M614 122H646"), strip("after", AFTER, STATE),
    law(state, "after", 668, 62, "middle"),
    text(state, "afterShape", "muted", 668, 190, "", "middle"), svg("path", { class: "wire", d: "M684 122H716" }),
    svg("circle", { class: "fork", cx: 716, cy: 122, r: 5 }),
    arrow("M716 122V171H744"), law(state, "after", 766, 166), text(state, "next", "", 766, 189)];
}

function output(state) {
  return [arrow("M716 122V77H744"), law(state, "output", 766, 55),
    text(state, "outputShape", "muted", 961, 55, "", "end")];
}

function guess(state) {
  state.guess = [svg("tspan", {}, "best guess "), svg("tspan", { class: "code" }), svg("tspan", { class: "strong" })];
  return [svg("text", { x: 766, y: 84 }, ...state.guess)];
}

function loss(state) {
  state.loss = [svg("tspan", { class: "code" }), svg("tspan")];
  return [svg("circle", { class: "dot", cx: 771, cy: 105, r: 5 }), svg("text", { x: 783, y: 110 }, ...state.loss)];
}

/** Makes strips by name: as many cells as there is to show, or for a one-hot vector the whole and its one. */
function strips(state) {
  const { places, input } = state.data.cell;
  return (name, [x, y], height) => {
    const memory = height === STATE, many = memory ? places.length : input.ones.length ? 1 : input.size;
    const each = height / many;
    const cells = Array.from({ length: many },
      (_, i) => svg("rect", { x, y: y + i * each, width: STRIP, height: Math.max(each - (many > 1 ? 1 : 0), 1) },
        svg("title")));
    const minus = ["dark", "light"].map((ink) => svg("path", { class: `minus ${ink}` }));
    const frame = svg("rect",
      { class: `frame ${memory ? "memory" : "input"}`, x: x - 1, y: y - 1, width: STRIP + 2, height: height + 2,
        rx: 3 });
    const marked = svg("rect", { class: "marked", x: x - 3, width: STRIP + 6, height: each + 1, rx: 2 });
    if (memory) cells.forEach((node, i) => { node.onclick = () => state.link.set({ unit: state.data.units[i] }); });
    const one = svg("rect", { class: "one", x, width: STRIP, height: oneHeight(input, height) });
    state.strips[name] = { cells, minus, one, marked, x, y, height, each };
    return svg("g", {}, ...cells, ...(memory || !input.ones.length ? [] : [one]), ...minus, frame,
      ...(memory ? [marked] : []));
  };
}

const oneHeight = (input, height) => Math.max(height / input.size, 4);

/** A text by its name, to be filled in later, or fixed. */
function text(state, name, look, x, y, words = "", anchor = "start") {
  const node = svg("text", { class: look, x, y, "text-anchor": anchor }, words);
  if (name) state.words[name] = node;
  return node;
}

function law(state, name, x, y, anchor = "start") {
  const node = svg("text", { class: "law", x, y, "text-anchor": anchor });
  (state.laws[name] ??= []).push(node);
  return node;
}

/** A wire with a head at its end, which points to the right. */
function arrow(path) {
  const head = svg("path", { class: "tip", d: "M0 -5L9 0L0 5Z" }), [x, y] = endOf(path);
  head.setAttribute("transform", `translate(${x} ${y})`);
  return svg("g", { class: "arrow" }, svg("path", { class: "wire", d: path }), head);
}

/** Of "M1 2V3H4": every letter replaces one coordinate or both. */
function endOf(path) {
  let x = 0, y = 0;
  for (const [, letter, first, second] of path.matchAll(/([MHV])([\d.]+) ?([\d.]+)?/g)) {
    if (letter !== "V") x = Number(first);
    if (letter !== "H") y = Number(letter === "M" ? second : first);
  }
  return [x, y];
}

// Showing the step under the play head

function show(state) {
  const { at } = state.link, { cell } = state.data, { step: t, sub } = at, step = cell.steps[t];
  if (!step) return;
  light(state, sub);
  if (state.t !== t || state.before === null) showStep(state, cell, step, t);
  showStates(state, t);
  mark(state, at.unit);
  const key = `${t}/${sub}`;
  if (state.before !== null && state.before !== key) follow(state, sub, at);
  Object.assign(state, { before: key, sub });
  state.t = t;
}

function light(state, sub) {
  state.parts.forEach((part, i) => { part.dataset.is = i > sub ? "todo" : i === sub ? "doing" : "done"; });
  const [layer, up, on] = state.boxes;
  layer.dataset.is = sub === 1 || sub === 2 ? "doing" : sub < 1 ? "todo" : "done";
  up.dataset.is = sub > 2 ? "doing" : "todo";
  on.dataset.is = sub === 2 ? "doing" : sub < 2 ? "todo" : "done";
  state.stage.dataset.sub = sub;
  state.stage.dataset.slow = state.link.at.slow;
}

function showStep(state, cell, step, t) {
  for (const [name, nodes] of Object.entries(state.laws)) nodes.forEach((node) => drawnLaw(node, cell.laws[name], t));
  const [token, guess, sure, target, p, nats] = step;
  setText(state.token, token);
  const width = Math.max(34, 10.5 * [...token].length + 12);
  write(state.tokenBox, "width", width);
  write(state.token, "x", 36 + width / 2);
  setText(state.guess[1], guess);
  setText(state.guess[2], ` ${sure}`);
  setText(state.loss[0], target);
  setText(state.loss[1], `: −ln ${p} = ${nats} nats`);
  const last = t + 1 === cell.steps.length;
  setText(state.words.next, last ? "the text ends here" : `to step ${t + 2}, which reads `);
  if (!last) state.words.next.append(svg("tspan", { class: "code" }, cell.steps[t + 1][0]));
  setText(state.words.shown, t ? cell.shown : "all zeros");
  state.stage.dataset.step = t;
  state.sheet.setAttribute("aria-label",
    `Step ${t + 1}: the input ${token} and the state of step ${t} are joined (${cell.shapes.sum}), `
    + `go through one layer (${cell.shapes.weights}) and ${cell.activation}; the result is copied to the output, `
    + `whose best guess is ${guess} ${sure}, and to the next step.`);
  showInput(state, cell.input, t);
}

/** "h_{t-1} = tanh(a_{t})": indices low, words and signs upright. */
function showInput(state, input, t) {
  for (const name of ["source", "input"]) {
    const strip = state.strips[name];
    if (input.ones.length) {
      write(strip.one, "y",
        strip.y + (strip.height - oneHeight(input, strip.height)) * (input.ones[t] / Math.max(input.size - 1, 1)));
      write(strip.one, "fill", state.signed.css(100));
      write(strip.cells[0], "fill", state.signed.css(0));
      setText(strip.cells[0].firstChild, `1 at place ${input.ones[t] + 1} of ${input.size}, else 0`);
    } else fill(state, strip, input.rows[t], () => "");
  }
}

function showStates(state, t) {
  const { states, units, limit } = state.link.shared, { places, steps } = state.data.cell, count = units?.length;
  if (!states || states.length !== count * steps.length) return;
  if (state.filled === states && state.filledFor === t && state.before !== null) return;
  Object.assign(state, { filled: states, filledFor: t });
  const now = places.map((place) => states[t * count + place]);
  const then = places.map((place) => (t ? states[(t - 1) * count + place] : 0));
  const say = (i, value) =>
    `unit ${state.data.units[i]}: ${value < 0 ? "−" : "+"}${((Math.abs(value) / 100) * limit).toFixed(2)}`;
  fill(state, state.strips.before, then, say);
  fill(state, state.strips.memory, then, say);
  fill(state, state.strips.after, now, say);
}

/** The unit that is marked, in all three strips of the state; a click on a cell of them marks its unit. */
function mark(state, unit) {
  const i = state.data.units.indexOf(unit);
  for (const name of ["before", "memory", "after"]) {
    const { marked, y, each } = state.strips[name];
    marked.style.visibility = i < 0 ? "hidden" : "visible";
    write(marked, "y", y + i * each - 1);
  }
}

/** Colours, and the minus bars that tell the sign without colour where a cell is high enough. */
function fill(state, strip, values, say) {
  const bars = { dark: "", light: "" };
  values.forEach((value, i) => {
    const node = strip.cells[i];
    write(node, "fill", state.signed.css(value));
    setText(node.firstChild, say(i, value));
    const minus = strip.each >= 6 && state.signed.minus(value);
    if (minus) bars[minus] += `M${strip.x + STRIP / 2 - 4} ${strip.y + (i + 0.5) * strip.each - 0.5}h8`;
  });
  write(strip.minus[0], "d", bars.dark);
  write(strip.minus[1], "d", bars.light);
}

/** In a window narrower than the drawing the lit part comes into view; in slow motion it arrives. */
function follow(state, sub, at) {
  if (state.stage.clientWidth < WIDTH && state.sub !== sub)
    state.stage.scrollTo({ left: SEEN[sub], behavior: "instant" });
  if (!at.slow || still()) return;
  if (sub === 0) {
    slide(state, "memory-in", BEFORE);
    slide(state, "input-in", SOURCE);
  } else state.parts[sub].animate([{ opacity: 0.28 }, { opacity: 1 }], TRAVEL);
}

function slide(state, name, from) {
  const [x, y] = from;
  const to = name === "memory-in" ? MEMORY : JOINED;
  const node = state.parts[0].querySelector(`.${name}`);
  node.animate([{ transform: `translate(${x - to[0]}px, ${y - to[1]}px)` }, { transform: "none" }], TRAVEL);
}
