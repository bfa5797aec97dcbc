// The inside of a recurrent cell: concatenate, fully connected + φ, copy (D2L, Fig. 8.4.1), for the step of the play
// head. The states are those of the heat map, which the browser already has.

import { _, pieces } from "../shared/messages.js";
import { changed, el, setText, setTexts } from "../shared/component.js";
import { still, svg, TRAVEL, write } from "../shared/drawn.js";
import { scaleOf } from "../shared/scales.js";
import { drawnLaw } from "../shared/maths.js";
import { follower } from "../shared/follower.js";
import { BEFORE, draw, JOINED, MEMORY, oneHeight, SOURCE, WIDTH } from "./drawing.js";

const SEEN = [0, 290, 606, 606, 606, 606]; // px: scroll position of a narrow window at each sub-step

export default follower("cell", { steps: (data) => data.cell.steps.length, build, offer, show });

function build(root, state) {
  state.stage = el("div.stage");
  root.replaceChildren(state.stage);
}

function offer(root, /** @type {State<"cell">} */ state) {
  const { cell } = state.data;
  if (changed(state, "shape", [cell.places.length, cell.input.size, cell.input.ones.length])) draw(state);
  state.signed = scaleOf(root, "diverging");
  const { shapes, input, shown, activation } = cell;
  setTexts(state.words, { beforeShape: shapes.state, shown, inputShape: input.text, sizes: shapes.sum,
    joinedShape: shapes.joined,
    weights: _("weights {shape}, the same at every step", { shape: shapes.weights }),
    connected: _("fully connected + {activation}", { activation }),
    afterShape: shapes.state, outputShape: shapes.output });
  state.before = null;
}

function show(/** @type {State<"cell">} */ state) {
  const { at } = state.link, { cell } = state.data, { step: t, sub } = at, step = cell.steps[t];
  if (!step) return;
  light(state, sub);
  if (state.t !== t || state.before === null) showStep(state, cell, step, t);
  showStates(state, t);
  mark(state, at.unit);
  const key = `${t}/${sub}`;
  if (state.before !== null && state.before !== key) follow(state, sub, at);
  Object.assign(state, { before: key, sub, t });
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

function showStep(state, /** @type {CellDrawing} */ cell, step, t) {
  for (const [name, nodes] of Object.entries(state.laws)) nodes.forEach((node) => drawnLaw(node, cell.laws[name], t));
  const [token, guess, sure, target, p, nats] = step, minusLn = _("−ln {p} = {nats} nats", { p, nats });
  setText(state.token, token);
  const width = Math.max(34, 10.5 * [...token].length + 12);
  write(state.tokenBox, "width", width);
  write(state.token, "x", 36 + width / 2);
  setTexts(state.guess, { token: guess, sure });
  setText(state.loss[0], target);
  setText(state.loss[1], `: ${minusLn}`);
  const last = t + 1 === cell.steps.length;
  const next = last ? "" : svg("tspan", { class: "code" }, cell.steps[t + 1][0]);
  state.words.next.replaceChildren(...pieces(last ? _("the text ends here") : _("to step {step}, which reads {token}"),
    { step: t + 2, token: next }));
  setText(state.words.shown, t ? cell.shown : _("all zeros"));
  state.stage.dataset.step = t;
  state.sheet.setAttribute("aria-label",
    _("Step {step}: the input {token} and the state of step {before} are joined ({sum}), "
      + "go through one layer ({weights}) and {activation}; the result is copied to the output, "
      + "whose best guess is {guess} {sure}, and to the next step.",
    { step: t + 1, token, before: t, sum: cell.shapes.sum, weights: cell.shapes.weights, activation: cell.activation,
      guess, sure }));
  showInput(state, cell.input, t);
}

/** Fill both strips of the input vector: its cells, or the position of the 1 of a one-hot vector. */
function showInput(state, /** @type {CellInput} */ input, t) {
  for (const name of ["source", "input"]) {
    const strip = state.strips[name];
    if (input.ones.length) {
      write(strip.one, "y",
        strip.y + (strip.height - oneHeight(input, strip.height)) * (input.ones[t] / Math.max(input.size - 1, 1)));
      write(strip.one, "fill", state.signed.css(100));
      write(strip.cells[0], "fill", state.signed.css(0));
      setText(strip.cells[0].firstChild, _("1 at place {place} of {size}, else 0",
        { place: input.ones[t] + 1, size: input.size }));
    } else strip.fill(state.signed, input.rows[t], () => "");
  }
}

function showStates(/** @type {State<"cell">} */ state, t) {
  const { states, units, limit } = state.link.shared, { places, steps } = state.data.cell, count = units?.length;
  if (!states || states.length !== count * steps.length) return;
  if (state.filled === states && state.filledFor === t && state.before !== null) return;
  Object.assign(state, { filled: states, filledFor: t });
  const now = places.map((place) => states[t * count + place]);
  const then = places.map((place) => (t ? states[(t - 1) * count + place] : 0));
  const say = (i, value) =>
    _("unit {unit}: {value}", { unit: state.data.units[i],
      value: `${value < 0 ? "−" : "+"}${((Math.abs(value) / 100) * limit).toFixed(2)}` });
  for (const [name, values] of Object.entries({ before: then, memory: then, after: now }))
    state.strips[name].fill(state.signed, values, say);
}

/** Outline the marked unit in all three strips of the state; a click on a cell of them marks its unit. */
function mark(/** @type {State<"cell">} */ state, unit) {
  const i = state.data.units.indexOf(unit);
  for (const name of ["before", "memory", "after"]) {
    const { marked, y, each } = state.strips[name];
    marked.style.visibility = i < 0 ? "hidden" : "inherit";
    write(marked, "y", y + i * each - 1);
  }
}

/** Scroll to the active part in a window narrower than the drawing; animate it in slow motion. */
function follow(state, sub, at) {
  if (state.stage.clientWidth < WIDTH && state.sub !== sub)
    state.stage.scrollTo({ left: SEEN[sub], behavior: "instant" });
  if (!at.slow || still()) return;
  if (sub === 0) {
    slide(state, "memory-in", BEFORE, MEMORY);
    slide(state, "input-in", SOURCE, JOINED);
  } else state.parts[sub].animate([{ opacity: 0.28 }, { opacity: 1 }], TRAVEL);
}

function slide(state, name, from, to) {
  const moved = from.map((start, i) => `${start - to[i]}px`).join(", ");
  state.parts[0].querySelector(`.${name}`)
    .animate([{ transform: `translate(${moved})` }, { transform: "none" }], TRAVEL);
}
