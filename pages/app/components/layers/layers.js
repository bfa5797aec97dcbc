// The network as layers stacked over time: a box per layer and step; the boxes of one layer form a Time layer. The
// column of the play head is highlighted. Where the columns are too narrow for names, that column is wider, and has
// them.

import { markLetters } from "../shared/drawn.js";
import { _, pieces } from "../shared/messages.js";
import { changed, el, elements, resizeList, setText } from "../shared/component.js";
import { writeLaw } from "../shared/maths.js";
import { follower } from "../shared/follower.js";

const NAMED = 84; // px a column needs for the names of its layers
const LETTERED = 13; // px a letter needs
const SUB = [5, 3, 1, 0]; // the first sub-step of each layer, from the top

export default follower("layers",
  { steps: (data) => data.columns.length, build, offer, show, leave: (state) => state.watcher.disconnect() });

function build(root, state) {
  Object.assign(state, elements({ loss: "p.loss", rows: "div.rows" }));
  state.target = el("div.name");
  const letters = () => el("div.steps.inputs", { "aria-hidden": "true" });
  Object.assign(state, { inputs: letters(), targets: letters() });
  state.panel = el("section.panel", { "aria-label": _("The layers, stacked over time") }, state.loss,
    el("div.row", {}, state.target, state.targets, el("div.shape")),
    state.rows, el("div.row", {}, el("div.name", {}, _("input x")), state.inputs, el("div.shape")));
  root.replaceChildren(state.panel);
  state.watcher = new ResizeObserver(([{ contentRect }]) => {
    state.width = contentRect.width;
    show(state);
  });
  state.watcher.observe(state.inputs);
}

function offer(root, /** @type {State<"layers">} */ state) {
  const { drawing: { rows, embedded, target }, columns } = state.data, T = columns.length;
  setText(state.target, target);
  if (changed(state, "shape", [rows, embedded, T])) {
    state.rows.replaceChildren(...rows.map(([time, one, parameters, shape], i) => {
      const law = el("span.small.muted");
      writeLaw(law, parameters, 0);
      const boxes = columns.map((column, t) => el("span.box", { title: _("{layer}, step {step}",
        { layer: one, step: t + 1 }), onclick: () => state.link.go(t) }, el("span")));
      return el(`div.row${i === 3 && !embedded ? ".absent" : ""}`, { "data-layer": time },
        el("div.name", {}, el("b", {}, time), law), el("div.steps", {}, ...boxes),
        el("div.shape.small.muted", {}, shape));
    }));
  }
  for (const [row, which] of [[state.targets, 1], [state.inputs, 0]])
    resizeList(row, T, () => el("bdi")).forEach((node, t) => setText(node, columns[t][which]));
}

function show(/** @type {State<"layers">} */ state) {
  const { drawing: { rows, losses, sums, mean }, columns } = state.data, T = columns.length;
  const { step, sub } = state.link.at;
  if (step >= T || !state.rows.children.length) return;
  const room = (state.width ?? 0) / T, narrow = room < NAMED;
  state.panel.classList.toggle("narrow", narrow);
  [...state.rows.children].forEach((row, i) => [...row.children[1].children].forEach((box, t) => {
    setText(box.firstChild, !narrow || t === step ? rows[i][1] : "");
    box.dataset.is = t > step || (t === step && sub < SUB[i]) ? "todo" : t === step ? "present" : "done";
  }));
  for (const [row, which] of [[state.targets, 1], [state.inputs, 0]])
    markLetters([...row.children], step, (t) => room >= LETTERED && [...columns[t][which]].length * 9 < room);
  const now = sub < 5 ? step - 1 : step; // the step of the last loss
  const soFar = [...(now > 1 ? ["…"] : []), ...losses.slice(Math.max(now - 1, 0), now + 1)].join(" + ");
  state.loss.replaceChildren(
    ...(now < 0 ? [_("No loss yet.")] : pieces(_("Losses up to step {step}: {losses} = {sum}"),
      { step: now + 1, losses: soFar, sum: el("b", {}, sums[now]) })), " · ",
    ...pieces(_("loss of the text = {sum} / {T} = {mean} nats: the mean over T = {T} steps, "
      + "so each step's gradient counts 1/{T}."), { sum: sums[T - 1], T, mean: el("b", {}, mean) }));
}
