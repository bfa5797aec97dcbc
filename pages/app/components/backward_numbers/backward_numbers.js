// The step of the play head in the backward pass: the sum of two branches is multiplied by the slope of the activation,
// and adds to the gradients of the weights. The browser has the numbers of all steps: it needs no request.

import { _, lazy_gettext, ngettext, pieces } from "../shared/messages.js";
import { el, elements, resizeList, setText } from "../shared/component.js";
import { bytes, pixels } from "../shared/drawn.js";
import { writeLaw } from "../shared/maths.js";
import { scaleOf } from "../shared/scales.js";
import { follower } from "../shared/follower.js";

const ROWS = [ // name, sign before it, sub-step that computes it
  [lazy_gettext("from loss"), "", 1], [lazy_gettext("from future"), "+", 2], ["dh", "=", 3], ["slope", "×", 4],
  ["da", "=", 4],
];
const SLOPE = 3;
const RECURRENT = 1; // index in the three gradients that every step adds to

export default follower("backward_numbers", { steps: (data) => data.numbers.steps.length, build, offer, show });

function build(root, /** @type {State<"backward_numbers">} */ state) {
  state.title = el("h3", { "aria-level": 2 });
  const head = el("div.head", {}, state.title, el("span.muted.small", {}, _("size")));
  state.rows = ROWS.map(([name, sign]) => {
    const strip = el("div.strip"), size = el("b"), law = el("span.law");
    if (name !== "slope") law.textContent = _(name);
    return { strip, size, law,
      node: el(`div.row${sign === "=" ? ".result" : ""}`, {}, el("span.sign", {}, sign), law, strip, size) };
  });
  state.pieces = state.data.numbers.gradients.map(() => {
    const law = el("span.law"), size = el("b");
    return { law, size, node: el("div.piece", {}, el("span.sign", {}, "+"), law, size) };
  });
  state.canvas = el("canvas.map", { role: "img" });
  Object.assign(state, elements({ done: "div", progress: "div.progress", whole: "b", filled: "span.law" }));
  root.replaceChildren(el("section.panel", { "aria-label": _("The step under the play head, backward") }, head,
    ...state.rows.map((row) => row.node),
    el("div.filling", {},
      el("div.pieces", {}, el("div.small.muted", {}, _("this step adds")), ...state.pieces.map((piece) => piece.node)),
      state.canvas,
      el("div.so-far", {}, el("div", {}, ...pieces(_("{gradient} fills"), { gradient: state.filled })), state.done,
        state.progress, el("div.whole", {}, ...pieces(_("size {size}"), { size: state.whole }))))));
}

function offer(root, /** @type {State<"backward_numbers">} */ state) {
  const { numbers } = state.data;
  state.signed = scaleOf(root, "diverging");
  state.pieces.forEach(({ law }, i) => writeLaw(law, numbers.gradients[i], 0));
  writeLaw(state.filled, numbers.gradients[RECURRENT], 0);
  state.map = bytes(numbers.so_far);
  state.mapAt = null;
  for (const { strip } of state.rows) resizeList(strip, numbers.units, () => el("i"));
  resizeList(state.progress, numbers.steps.length, () => el("i"));
  state.canvas.setAttribute("aria-label",
    _("{gradient}, the gradient of the recurrent weights between the {units} units drawn, as far as it is added up",
      { gradient: state.filled.textContent, units: numbers.units }));
}

function show(/** @type {State<"backward_numbers">} */ state) {
  const { at } = state.link, t = at.step, { steps, slope, cut } = state.data.numbers, step = steps[t], T = steps.length;
  if (!step) return;
  const sub = at.back ? at.sub : 5; // in the forward pass the step is shown as a whole
  const which = { step: t + 1 };
  setText(state.title, t === T - 1 ? _("Step {step}: the pass begins at its loss", which)
    : cut.includes(t) ? _("Step {step}: cut: only its own loss", which) : _("Step {step}: two branches meet", which));
  writeLaw(state.rows[SLOPE].law, slope, t);
  const strips = [...step.strips.slice(0, 3), step.slope, step.strips[3]], [loss, future, dh, da] = step.sizes;
  const sizes = [loss, future, dh, _("mean {slope}", { slope: step.mean_slope }), da];
  state.rows.forEach((row, i) => {
    row.node.dataset.is = ROWS[i][2] > sub ? "todo" : ROWS[i][2] === sub && at.slow ? "doing" : "done";
    setText(row.size, sizes[i]);
    [...row.strip.children].forEach((cell, unit) => paint(state, cell, strips[i][unit]));
  });
  step.pieces.forEach((size, i) => setText(state.pieces[i].size, size));
  state.pieces.forEach((piece) => { piece.node.dataset.is = sub < 5 ? "todo" : "done"; });
  filling(state, at, t, sub);
}

function paint(state, cell, value) {
  const colour = state.signed.css(value);
  if (cell.style.background !== colour) cell.style.background = colour;
  const minus = state.signed.minus(value);
  cell.className = minus && `minus ${minus}`;
}

/** Show the recurrent weights' gradient summed back to this step; before its last sub-step, to the step after it. */
function filling(/** @type {State<"backward_numbers">} */ state, at, t, sub) {
  const { steps, units } = state.data.numbers, T = steps.length;
  const from = at.back ? (sub < 5 ? t + 1 : t) : T; // steps from..T-1 are added up
  setText(state.done, ngettext("{done} of {T} step", "{done} of {T} steps", T, { done: T - from, T }));
  setText(state.whole, from < T ? steps[from].whole : "0");
  [...state.progress.children].forEach((mark, i) => mark.classList.toggle("done", i >= from));
  if (state.mapAt === from) return;
  state.mapAt = from;
  pixels(state.canvas, units, units,
    (x, y) => state.signed.rgb(from < T ? state.map[(from * units + y) * units + x] : 0));
}
