// What can a prediction depend on? Every input was replaced in turn and the network run again: a triangle shows by how
// much each prediction changed.

import { _, ngettext, pieces, sentences } from "../shared/messages.js";
import { changed, el, elements, resizeList, setText } from "../shared/component.js";
import { svg, write } from "../shared/drawn.js";
import { follower } from "../shared/follower.js";

const SIDE = 312, LEAST_LETTER = 13; // px
const LISTED = 12; // tokens in a sentence, at most

export default follower("dependence", { steps: (data) => data.drawing.inputs.length, build, offer, show });

function build(root, state) {
  Object.assign(state, elements({ triangle: "div.triangle", answer: "p", cell: "p.cell" }));
  state.question = el("h3", { "aria-level": 2 });
  state.bars = el("div.bars", { role: "list" });
  state.key = el("div.small.muted.key", {}, el("span.swatch"), el("span"),
    el("span.unmoved", {}, el("i"), _("the same to the last bit")));
  root.replaceChildren(el("section.panel.both", { "aria-label": _("What can a prediction depend on?") },
    el("div", {}, state.triangle, state.key),
    el("div.words", {}, state.question, state.answer, state.bars, state.cell)));
}

function offer(root, /** @type {State<"dependence">} */ state) {
  const { drawing } = state.data, T = drawing.inputs.length, side = SIDE / T;
  if (changed(state, "T", T)) draw(state, T, side);
  const [low, high] = drawing.ends, moved = _("moved by {low} to {high}", { low, high });
  setText(state.key.children[1], ` ${moved} `);
  const broken = new Set(drawing.changed.map(([t, k]) => `${t}/${k}`));
  state.cells.forEach(({ node, t, k }) => {
    if (k <= t) write(node, "fill-opacity", (0.08 + 0.0092 * drawing.shades[t][k]).toFixed(3));
    else node.setAttribute("class", broken.has(`${t}/${k}`) ? "broken" : "same");
  });
  const roomy = side >= LEAST_LETTER && drawing.inputs.every((letter) => [...letter].length === 1);
  state.columns.forEach((node, k) => setText(node, roomy ? drawing.inputs[k] : ""));
  state.rows.forEach((node, t) => setText(node, roomy ? drawing.targets[t] : ""));
}

function draw(state, T, side) {
  state.cells = [];
  state.at = null; // the pointer was on a cell of another triangle
  const labels = (n, place) =>
    Array.from({ length: T }, (_, i) => svg("text", { class: "letter", ...place((i + 0.5) * side) }));
  state.columns = labels(T, (at) => ({ x: 34 + at, y: SIDE + 32 }));
  state.rows = labels(T, (at) => ({ x: 22, y: 18 + at }));
  const roomy = side > 10, width = side - (roomy ? 2 : 0.6), size = { width, height: width, rx: roomy ? 3 : 0 };
  for (let t = 0; t < T; t++) for (let k = 0; k < T; k++) {
    const place = { x: 34 + k * side, y: 18 + t * side };
    state.cells.push({ node: svg("rect", { class: k <= t ? "moved" : "same", ...place, ...size }), t, k });
  }
  state.row = svg("rect", { class: "mark", x: 33, width: SIDE + 1, height: side, rx: 3 });
  state.here = svg("rect", { class: "here", width: side, height: side, rx: 3 });
  const titles = [[11, _("rows: the prediction of …")], [SIDE + 54, _("columns: the input that was replaced")]]
    .map(([y, words]) => svg("text", { x: 34, y }, words));
  const picture = svg("svg",
    { viewBox: `0 0 ${SIDE + 38} ${SIDE + 58}`, width: SIDE + 38, height: SIDE + 58, role: "img",
      "aria-label": _("Rows: predictions. Columns: the inputs that were replaced.") },
    ...titles, ...state.columns, ...state.rows, ...state.cells.map((c) => c.node), state.row, state.here);
  const where = (event) => {
    const box = picture.getBoundingClientRect(), scale = (SIDE + 38) / box.width;
    const k = Math.floor(((event.clientX - box.left) * scale - 34) / side);
    const t = Math.floor(((event.clientY - box.top) * scale - 18) / side);
    return t >= 0 && k >= 0 && t < T && k < T ? { t, k } : null;
  };
  const point = (at, event) => {
    state.at = at;
    state.link.hover(at?.t ?? null, event);
    show(state);
  };
  picture.onpointermove = (event) => point(where(event), event);
  picture.onpointerleave = () => point(null);
  picture.onclick = (event) => {
    const at = where(event);
    if (at) state.link.go(at.t);
  };
  state.triangle.replaceChildren(picture);
  for (const title of titles) // squeeze a title that is longer than its axis
    if (title.getComputedTextLength?.() > SIDE) write(title, "textLength", SIDE);
}

function show(/** @type {State<"dependence">} */ state) {
  const { drawing } = state.data, T = drawing.inputs.length, t = Math.min(state.link.at.step, T - 1), side = SIDE / T;
  state.row.setAttribute("y", 17 + t * side);
  state.here.style.visibility = state.at ? "inherit" : "hidden";
  write(state.here, "x", 33 + (state.at?.k ?? 0) * side);
  write(state.here, "y", 17 + (state.at?.t ?? 0) * side);
  write(state.question, "data-step", t + 1);
  state.question.replaceChildren(...pieces(_("What can {output} depend on?"),
    { output: [el("i", {}, "o"), el("sub", {}, String(t + 1))] }));
  const later = T - t - 1;
  const read = ngettext("On the one token read so far: {tokens}.", "On the {n} tokens read so far: {tokens}.", t + 1);
  const replaced = ngettext("Replace the later input: it stays the same to the last bit.",
    "Replace the {n} later inputs: it stays the same to the last bit.", later, { n: later });
  state.answer.replaceChildren(...sentences(
    pieces(read, { n: t + 1, tokens: list(drawing.inputs.slice(0, t + 1)) }),
    pieces(_("Its loss depends on the target too: {target}."), { target: el("bdi", {}, drawing.targets[t]) }),
    ...(later ? [[replaced]] : [])));
  bars(state, drawing, t);
  cell(state, drawing);
}

/** The letters separated by commas; at most the last LISTED. */
function list(letters) {
  const last = letters.slice(-LISTED), listed = last.flatMap((letter, i) => [i ? _(", ") : "", el("bdi", {}, letter)]);
  return [last.length < letters.length ? "… " : "", ...listed];
}

/** Show a row of the triangle as bars: the change of this prediction for each replaced input. */
function bars(state, /** @type {DependenceDrawing} */ drawing, t) {
  const first = Math.max(0, t - 9);
  const rows = drawing.words[t].slice(first).map((words, i) => ({ k: first + i, words })).reverse();
  const made = () => el("div.bar-row", { role: "listitem" }, el("bdi"), el("div.track", {}, el("i")), el("span"));
  resizeList(state.bars, rows.length, made).forEach((row, i) => {
    const { k, words } = rows[i];
    setText(row.children[0], drawing.inputs[k]);
    row.children[1].firstChild.style.width = `${Math.max(drawing.shades[t][k], 1)}%`;
    setText(row.children[2], words);
  });
}

function cell(state, /** @type {DependenceDrawing} */ drawing) {
  if (!state.at)
    return setText(state.cell,
      _("Sizes: total variation distance between two predictions, the mean over {instead}. Log scale.",
        { instead: drawing.instead }));
  const { t, k } = state.at;
  const moved = k <= t
    ? _("Read {instead} instead of {input} at step {k}: the prediction after step {t} moves by {size} on average.")
    : _("Read {instead} instead of {input} at step {k}: the prediction after step {t} stays the same to the last bit: "
      + "what is read later cannot change it.");
  state.cell.replaceChildren(...pieces(moved, { instead: drawing.instead, input: el("bdi", {}, drawing.inputs[k]),
    k: k + 1, t: t + 1, size: drawing.words[t][k] }));
}
