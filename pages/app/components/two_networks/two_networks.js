// One text through two networks, without and with a hidden state; two of its tokens can be swapped.

import { _, lazy_gettext } from "../shared/messages.js";
import { changed, el, elements, resizeList, rootOf, setText, setTexts } from "../shared/component.js";
import { maths } from "../shared/maths.js";
import { scaleOf } from "../shared/scales.js";

const HINTS = { // by kind of token: the hints before and after the first press
  character: [lazy_gettext("press two characters to swap them; the last stays"),
    lazy_gettext("now press the character to swap it with")],
  word: [lazy_gettext("press two words to swap them; the last stays"),
    lazy_gettext("now press the word to swap it with")],
  symbol: [lazy_gettext("press two symbols to swap them; the last stays"),
    lazy_gettext("now press the symbol to swap it with")],
};

export default function (/** @type {Component<"two_networks">} */ { parentElement, data, setTriggerValue }) {
  const [root, state] = rootOf(parentElement, "two_networks");
  state.swap = (i, j) => setTriggerValue("swap", { i, j });
  const shape = data.sides.map((side) => [side.predictions.length, side.formula]);
  if (changed(state, "shape", [data.before, data.pair, shape])) build(root, state, data);
  data.sides.forEach((side, i) => show(root, state.sides[i], side));
}

function build(root, state, /** @type {NetworksDrawing} */ data) {
  const again = root.getRootNode().activeElement?.dataset?.place;
  state.held = null;
  const [first, then] = HINTS[data.kind];
  state.then = then;
  state.tokens = data.before.map((token, i) => tokenButton(state, data, token, i));
  state.hint = el("span.small.muted", { role: "status" }, _(first));
  const after = data.after.map((token, i) => el(data.pair.includes(i) ? "span.token.moved" : "span.token", {}, token));
  const text = el("section.panel.text", {},
    el("div.head", {}, el("b", {}, _("The same text through both")), state.hint),
    el("div.written", {}, el("span.name.muted", {}, _("as written")), el("span.tokens", {}, ...state.tokens)),
    el("div.written", {}, el("span.name.muted", {}, _("swapped")), el("span.tokens", {}, ...after)));
  state.sides = data.sides.map(side);
  root.replaceChildren(text, el("div.sides", {}, ...state.sides.map(({ node }) => node)));
  if (again !== undefined) state.tokens[again]?.focus();
}

function tokenButton(state, /** @type {NetworksDrawing} */ data, token, i) {
  const toEnd = data.before.length - 1 - i;
  const node = el(data.pair.includes(i) ? "button.token.moved" : "button.token",
    { disabled: toEnd === 0, "data-place": i, onclick: () => press(state, node, i),
      "aria-label": _("{token}, place {place}", { token, place: i + 1 }) }, token);
  if (toEnd === 1 || toEnd === 2) node.dataset.do = "swap";
  return node;
}

/** The first press selects a token, the second press swaps it with another one. */
function press(state, node, i) {
  if (state.held === null) {
    state.held = i;
    node.setAttribute("aria-pressed", "true");
    setText(state.hint, _(state.then));
  } else if (state.held === i) {
    state.held = null;
    node.removeAttribute("aria-pressed");
  } else state.swap(state.held, i);
}

function side(/** @type {NetworkSide} */ data) {
  const part = { number: el("b"), where: el("span.where.small.muted"), verdict: el("p.verdict", { role: "status" }) };
  part.columns = data.columns.map(() => el("div.strip"));
  part.letters = data.columns.map(() => el("div.letter"));
  part.rows = data.predictions.map(() => elements({ token: "span.letter", before: "i.before", after: "i.after",
    says: "span.says", saysAfter: "span.says" }));
  const drawing = el("div.drawing",
    { role: "img", "aria-label": data.state ? _("hidden state: handed from each step to the next")
    : _("hidden layer: each step for itself") },
    el("div.names", {}, el("span", {}, data.label), el("span", {}, _("token"))),
    ...part.columns.flatMap((strip, i) =>
      [el(data.state ? "div.arrow.on" : "div.arrow"), el("div.column", {}, strip, el("div.up"), part.letters[i])]));
  const table = el("div.predictions", {}, el("span.small.muted", {}, _("next")), el("span"),
    el("span.small.muted.says", {}, _("as written")), el("span.small.muted.says", {}, _("swapped")),
    ...part.rows.flatMap((row) => [row.token, el("span.bars", {}, row.before, row.after), row.says, row.saysAfter]));
  const perplexity = el("span.perplexity", {},
    el("span.small.muted", {}, _("perplexity")), " ", part.number, " ", part.where);
  part.node = el("section.panel.side", {},
    el("div.head", {}, el("b", {}, data.title), perplexity),
    el("div.formula", {}, maths(data.formula)), drawing, el("p.small.muted.caption", {}, data.caption), table,
    part.verdict);
  return part;
}

function show(root, part, /** @type {NetworkSide} */ data) {
  const scale = scaleOf(root, "diverging");
  setTexts(part, { number: data.perplexity[0], where: data.perplexity[1] });
  data.columns.forEach(({ token, cells }, i) => {
    setText(part.letters[i], token);
    resizeList(part.columns[i], cells.length, () => el("i")).forEach((cell, unit) => {
      cell.style.background = scale.css(100 * cells[unit]);
    });
  });
  data.predictions.forEach(([token, before, says, after, saysAfter], i) => {
    const row = part.rows[i];
    setTexts(row, { token, says, saysAfter });
    row.before.style.width = `${100 * before}%`;
    row.after.style.width = `${100 * after}%`;
  });
  if (changed(part, "written", data.verdict))
    part.verdict.replaceChildren(...data.verdict.map(([text, tone]) => el(tone ? `span.${tone}` : "span", {}, text)));
}
