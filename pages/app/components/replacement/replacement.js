// One token of a text replaced by another: under each step the difference of the states and of p(target). A token is
// chosen by a click or the arrow keys; up and down, or the list, choose what takes its place.

import { _ } from "../shared/messages.js";
import { changed, el, resizeList, rootOf, setText, setTexts } from "../shared/component.js";
import { scaleOf } from "../shared/scales.js";

export default function (/** @type {Component<"replacement">} */ { parentElement, data, setTriggerValue }) {
  const [root, state] = rootOf(parentElement, "replacement");
  state.data = data;
  state.choose = async (at, choice) => {
    state.chosen = [at, choice];
    state.unanswered = (state.unanswered ?? 0) + 1;
    await setTriggerValue("replace", { at, choice });
    state.unanswered -= 1;
  };
  if (!state.unanswered) state.chosen = [data.at, data.choice];
  if (!state.table) build(root, state);
  show(root, state);
}

function build(root, state) {
  state.select = el("select", { "aria-label": _("The token in its place"),
    onchange: () => state.choose(state.chosen[0], Number(state.select.value)) });
  state.token = el("b.token");
  const head = el("div.head", {},
    el("label.pick", {}, state.token, el("span.muted", {}, _("replaced by")), state.select));
  state.says = el("p.says", { role: "status" });
  state.body = el("tbody");
  state.table = el("table", {}, state.body);
  state.stage = el("div.stage", { tabindex: "0", role: "application",
    "aria-label": _("The text: arrow keys choose a token, up and down what takes its place") }, state.table);
  state.stage.onkeydown = (event) => step(state, event);
  state.note = el("p.note.small.muted");
  root.replaceChildren(el("section.panel", {}, head, state.says, state.stage, state.note));
}

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function step(/** @type {State<"replacement">} */ state, event) {
  const by = STEPS[event.key];
  if (!by) return;
  event.preventDefault();
  event.stopPropagation();
  const sizes = [state.data.tokens.length, state.data.options.length];
  const [at, choice] = sizes.map((size, i) => Math.max(0, Math.min(size - 1, state.chosen[i] + by[i])));
  state.choose(at, choice);
}

function show(root, /** @type {State<"replacement">} */ state) {
  const { data } = state, scale = scaleOf(root, "diverging");
  setTexts(state, { says: data.says, token: data.tokens[data.at],
    note: _("colours: h′ − h, from −{largest} (purple) over 0 to {largest} (green), of the units that differ most",
      { largest: data.largest }) });
  if (changed(state, "options", data.options))
    state.select.replaceChildren(...data.options.map((words, i) => el("option", { value: i }, words)));
  state.select.value = String(data.choice);
  const rows = resizeList(state.body, data.units.length + 4, () => el("tr", {}, el("th")));
  const [read, ...others] = rows;
  line(read, _("token read"), data.tokens.length, (cell, i) => letter(state, cell, i));
  const [lengths, ...probabilities] = others.splice(-3);
  others.forEach((row, unit) => line(row, `h′ − h, ${data.units[unit]}`, data.tokens.length, (cell, i) => {
    const level = data.cells[unit][i];
    cell.className = "unit";
    scale.shade(cell, level);
  }));
  line(lengths, "|h′ − h|", data.tokens.length, (cell, i) => {
    cell.className = i < data.at ? "length past" : "length";
    setText(cell, data.distances[i]);
  });
  line(probabilities[0], _("target"), data.tokens.length, (cell, i) => {
    cell.className = i < data.at ? "letter past" : "letter";
    setText(cell, data.targets[i]);
  });
  line(probabilities[1], _("p(target)"), data.tokens.length, (cell, i) => {
    cell.className = i < data.at ? "p past" : "p";
    const [before, after] = data.probabilities[i];
    resizeList(cell, 2, (n) => el(n ? "b" : "span")).forEach((node, n) => setText(node, [before, after][n]));
    scale.shade(cell.lastChild, i < data.at ? null : data.moved[i]);
  });
}

function letter(/** @type {State<"replacement">} */ state, cell, i) {
  const { data } = state, [button, below] = resizeList(cell, 2, (n) => n ? el("b.other")
    : el("button.outlined", { onclick: () => state.choose(i, state.chosen[1]) }));
  setText(button, data.tokens[i]);
  button.tabIndex = -1; // the arrow keys of the text move through its tokens
  button.setAttribute("aria-pressed", String(i === data.at));
  setText(below, i === data.at ? data.other : "");
}

/** A row: its name, then a cell for each step. */
function line(row, name, steps, fill) {
  setText(row.firstChild, name);
  const cells = resizeList(row, steps + 1, () => el("td"));
  cells.slice(1).forEach(fill);
}
