// The step of the play head in numbers, and all units over time. The browser has the numbers of all steps: it needs no
// request.

import { _, lazy_gettext, pieces } from "../shared/messages.js";
import { el, elements, resizeList, setText } from "../shared/component.js";
import { bytes, cellAt, markLetters, pixels, svg, write } from "../shared/drawn.js";
import { scaleOf } from "../shared/scales.js";
import { setTerms } from "../shared/explain.js";
import { writeLaw } from "../shared/maths.js";
import { follower } from "../shared/follower.js";

const SHARE_WORDS = 88; // px that "memory 81 %" takes in its bar
const LEAST_LETTER = 13; // px a letter under the heat map needs
const SHARES = [["input", lazy_gettext("input {percent} %")], ["memory", lazy_gettext("memory {percent} %")],
  ["bias", lazy_gettext("bias {percent} %")]];

export default follower("step_numbers",
  { steps: (data) => data.columns.length, build, offer, show, leave: (state) => state.watcher.disconnect() });

function build(root, state) {
  state.panels = el("div.panels", {}, sums(state), outputs(state), heat(state));
  root.replaceChildren(state.panels);
  state.watcher = new ResizeObserver(([{ contentRect }]) => {
    state.heatSize = contentRect;
    paintMarks(state);
    show(state);
  });
  state.watcher.observe(state.canvas.parentElement);
}

function offer(root, /** @type {State<"step_numbers">} */ state) {
  const { heat } = state.data, { units, limit } = heat;
  state.signed = scaleOf(root, "diverging");
  state.states = bytes(heat.states);
  offerSums(state);
  offerHeat(state);
  state.link.share({ states: state.states, units, limit });
}

/** Hide the results of later sub-steps: elements with class `from-1` are shown from sub-step 1 (the second one) on. */
function show(/** @type {State<"step_numbers">} */ state) {
  const { at } = state.link, t = at.step, step = state.data.numbers.steps[t];
  if (!step) return;
  state.panels.dataset.sub = at.sub;
  state.panels.dataset.step = t;
  showSums(state, step, t);
  showOutputs(state, step);
  showHeat(state, t);
}

// Contributions of input, memory and bias

function sums(/** @type {State<"step_numbers">} */ state) {
  state.law = el("h3.law", { "aria-level": 2 });
  state.body = el("tbody");
  const heads = state.data.numbers.parts.map((part) => el("th.muted", { scope: "col" }, part));
  state.shares = SHARES.map(([name]) => el(`span.share.${name}`));
  return el("section.panel.sums", { "aria-label": _("The state of this step in numbers") }, state.law,
    el("table", {}, el("thead", {}, el("tr", {}, el("th.unit"), ...heads)), state.body),
    el("div.of", {}, el("span.muted", {}, _("of all |a|")), el("div.bar.from-1", {}, ...state.shares)));
}

function offerSums(/** @type {State<"step_numbers">} */ state) {
  const { parts, from, units } = state.data.numbers;
  const made = () => el("tr", {}, el("th.unit", { scope: "row" }, el("button")),
    ...parts.map((_, j) => el(`td.from-${from[j]}`, {}, el("span"))));
  resizeList(state.body, units.length, made).forEach((row, i) => {
    const button = row.firstChild.firstChild;
    setText(button, _("unit {unit}", { unit: units[i] }));
    button.onclick = () => state.link.set({ unit: state.link.at.unit === units[i] ? null : units[i] });
  });
}

function showSums(/** @type {State<"step_numbers">} */ state, /** @type {NumberedStep} */ step, t) {
  const { laws, full, units } = state.data.numbers;
  writeLaw(state.law, laws.state, t);
  [...state.body.children].forEach((row, i) => {
    const isMarked = units[i] === state.link.at.unit;
    row.classList.toggle("marked", isMarked);
    row.firstChild.firstChild.setAttribute("aria-pressed", String(isMarked));
    step.units[i].forEach((value, j) => {
      const cell = row.children[j + 1].firstChild;
      setText(cell, formatted(value));
      state.signed.shade(cell, shadeOf(value, full[j]));
    });
  });
  const width = state.shares[0].parentElement.clientWidth;
  step.shares.forEach((share, i) => {
    const part = state.shares[i], words = _(SHARES[i][1], { percent: Math.round(100 * share) });
    part.style.flexGrow = Math.max(share, 0.004);
    part.title = words;
    setText(part, share * width > SHARE_WORDS ? words : "");
  });
}

/** Hundredths as a number with its sign; numbers that are too large are already words. */
function formatted(value) {
  if (typeof value === "string") return value;
  return `${value > 0 ? "+" : value < 0 ? "−" : ""}${(Math.abs(value) / 100).toFixed(2)}`;
}

function shadeOf(value, full) {
  if (typeof value === "string") return value.startsWith("−") ? -100 : value.startsWith("+") || value === "∞" ? 100 : 0;
  return Math.round(Math.max(-1, Math.min(1, value / full)) * 100);
}

// Logits, exponentials, probabilities, loss

function outputs(state) {
  state.outLaw = el("h3.law", { "aria-level": 2 });
  Object.assign(state, elements({ nats: "div.nats.from-5", mean: "div.mean.muted.from-5", outBody: "tbody",
    rest: "div.rest.muted.from-4" }));
  state.outHead = el("tr", {}, el("th"),
    ...[_("logit"), "exp", "p"].map((name) => setTerms(el("th.muted", { scope: "col" }), name)));
  return el("section.panel.outputs", { "aria-label": _("From logits to the loss") }, state.outLaw, state.nats,
    state.mean, el("table", {}, el("thead", {}, state.outHead), state.outBody), state.rest);
}

function showOutputs(/** @type {State<"step_numbers">} */ state, /** @type {NumberedStep} */ step) {
  const { output, loss } = step;
  writeLaw(state.outLaw, state.data.numbers.laws.output, 0);
  const { p, nats, mean, perplexity } = loss, target = el("bdi", {}, loss.target);
  state.nats.replaceChildren(el("span", {}, ...pieces(_("target {target}:"), { target }), " "),
    el("b", {}, _("−ln {p} = {nats} nats", { p, nats })));
  setText(state.mean, _("mean so far {mean} · perplexity {perplexity}", { mean, perplexity }));
  setText(state.outHead.children[2], output.shifted ? "exp(o − max)" : "exp");
  const made = () => el("tr.from-3", {}, el("th", { scope: "row" }, el("bdi")), el("td"), el("td.from-4"),
    el("td.from-4"));
  resizeList(state.outBody, output.rows.length, made).forEach((row, i) => {
    const [symbol, logit, exp, p] = output.rows[i];
    setText(row.firstChild.firstChild, symbol);
    [formatted(logit), exp, p].forEach((words, j) => setText(row.children[j + 1], words));
    row.classList.toggle("target", i === output.target);
    row.style.setProperty("--share", `${100 * (Number(p) || 0)}%`);
  });
  const [n, exp, rest] = output.rest, { sum } = output;
  setText(state.rest, n ? _("{n} more: exp {exp}, p {p} · sum {sum}", { n, exp, p: rest, sum })
    : _("sum of exp {sum}", { sum }));
}

// All units over time

function heat(/** @type {State<"step_numbers">} */ state) {
  state.heatTitle = el("h3", { "aria-level": 2 });
  state.canvas = el("canvas", { role: "img" });
  Object.assign(state, elements({ outline: "i.outline", hoverline: "i.outline.hovered", veil: "i.veil",
    unitline: "i.outline.one-unit", ends: "div.ends.small.muted", scale: "div.scale" }));
  state.letters = el("div.letters", { "aria-hidden": "true" });
  state.marks = svg("path");
  const marks = svg("svg", { class: "marks", "aria-hidden": "true" }, state.marks);
  const cells = el("div.cells", {}, state.canvas, state.veil, state.outline, state.hoverline, state.unitline);
  const where = (event) => cellAt(state.canvas, event, state.data.heat.units.length, state.data.columns.length);
  cells.onpointermove = (event) => state.link.hover(where(event)[1], event);
  cells.onpointerleave = () => state.link.hover(null);
  cells.onclick = (event) => {
    const [row, t] = where(event);
    state.link.go(t, { unit: state.data.heat.units[row] });
  };
  return el("section.panel.heat", { "aria-label": _("All units over time") }, state.heatTitle,
    el("div.map", {}, marks, cells, el("div.legend", {}, state.scale, state.ends)), state.letters,
    el("div.small.muted.note", {}, _("▸ drawn above · the highest mean state on top")));
}

function offerHeat(/** @type {State<"step_numbers">} */ state) {
  const { heat, columns } = state.data, many = heat.units.length;
  setText(state.heatTitle, heat.title);
  state.canvas.setAttribute("aria-label", _("{title} over {T} steps, the highest mean state on top",
    { title: heat.title, T: columns.length }));
  state.scale.style.background = `linear-gradient(to top, ${state.signed.stops.join(",")})`;
  state.ends.replaceChildren(...heat.ends.map((end) => el("span", {}, end)));
  state.letters.replaceChildren(...columns.map(([letter]) => el("bdi", {}, letter)));
  pixels(state.canvas, columns.length, many, (t, y) => state.signed.rgb(state.states[t * many + y]));
  paintMarks(state);
}

function showHeat(/** @type {State<"step_numbers">} */ state, t) {
  if (!state.heatSize) return;
  const { heat, columns } = state.data, T = columns.length, { width } = state.heatSize;
  const { hover, unit, sub } = state.link.at;
  outline(state.outline, t, T, true);
  outline(state.hoverline, hover ?? t, T, hover !== null && hover < T);
  const row = heat.units.indexOf(unit), high = 100 / heat.units.length;
  state.unitline.hidden = row < 0;
  Object.assign(state.unitline.style, { top: `calc(${row * high}% - 2px)`, height: `calc(${high}% + 4px)` });
  const roomy = width / T >= LEAST_LETTER && columns.every(([letter]) => letter.length === 1);
  markLetters([...state.letters.children], t, () => roomy);
  state.veil.style.left = `${(100 * (sub < 2 ? t : t + 1)) / T}%`; // the third sub-step computes the state
}

function paintMarks(/** @type {State<"step_numbers">} */ state) {
  if (!state.heatSize) return;
  const { drawn, units } = state.data.heat, { height } = state.heatSize;
  write(state.marks, "d", drawn.map((row) => `M3 ${((row + 0.5) / units.length) * height - 4}l7 4l-7 4z`).join(""));
}

function outline(node, t, T, visible) {
  node.hidden = !visible;
  node.style.left = `${(100 * t) / T}%`;
  node.style.width = `${100 / T}%`;
}
