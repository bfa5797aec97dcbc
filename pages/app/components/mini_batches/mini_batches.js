// Mini-batches: the text as a bar, and for each row the block read before, now and next. Plays update by update.

import { _ } from "../shared/messages.js";
import { changed, el, onRemoval, rootOf, setText, setTexts } from "../shared/component.js";
import { scissors, svg } from "../shared/drawn.js";
import { icon, iconButton } from "../shared/icons.js";
import { player } from "../shared/player.js";

export default function (/** @type {Component<"mini_batches">} */ { parentElement, data }) {
  const [root, state] = rootOf(parentElement, "mini_batches");
  const advance = () => state.at + 1 < state.drawing.frames.length && go(state, state.at + 1);
  state.player ??= player({ advance, pace: () => state.drawing.pace, drawn: () => show(state) });
  if (state.text !== data.text) {
    if (state.player.playing) state.player.pause();
    state.at = 0;
  }
  Object.assign(state, { text: data.text, drawing: data.drawing });
  if (changed(state, "shape", [data.drawing.lanes.length, data.drawing.size, data.drawing.cells, data.drawing.starts]))
    build(root, state);
  show(state);
  return onRemoval(root, () => state.player.pause());
}

function build(root, /** @type {State<"mini_batches">} */ state) {
  state.play = el("button.filled.play", { "data-key": "play", onclick: () => play(state) },
    icon("play"), icon("pause"));
  const on = iconButton("forward", _("An update on"), () => go(state, state.at + 1));
  on.dataset.key = "step";
  state.position = el("input", { type: "range", min: 0, step: 1, "aria-label": _("Update"),
    oninput: () => go(state, Number(state.position.value)) });
  state.where = el("span.where");
  const bar = el("div.panel.bar", { role: "toolbar", "aria-label": _("Play the updates") },
    iconButton("reset", _("To the first update"), () => go(state, 0)), state.play,
    iconButton("back", _("An update back"), () => go(state, state.at - 1)),
    on, el("div.position", {}, state.position), state.where);
  state.caption = el("p.caption", { "aria-live": "polite" });
  const stage = el("div.stage", { tabindex: 0 }, draw(state)), [width] = state.drawing.block;
  root.replaceChildren(bar, stage, state.caption);
  // a narrow window shows the blocks that are read now
  stage.scrollLeft = state.drawing.blocks_x[1] + width / 2 - stage.clientWidth / 2;
}

function draw(/** @type {State<"mini_batches">} */ state) {
  const { drawing } = state, [width, height] = drawing.size, [x, y, w, h] = drawing.bar;
  state.spans = svg("g");
  state.lanes = drawing.lanes.map((lane) => laneOf(lane, drawing));
  return svg("svg",
    { viewBox: `0 0 ${width} ${height}`, width, height, role: "img",
      "aria-label": _("The text as a bar; below it for each row the block read before, now and next") },
    text("row", 0, y + h / 2, _("the text")), svg("rect", { class: "whole", x, y, width: w, height: h, rx: 4 }),
    state.spans,
    ...drawing.starts.flatMap(([at, words]) =>
      [svg("path", { class: "start", d: `M${at} ${y - 6}V${y + h + 6}` }), text("mark", at + 4, y - 11, words)]),
    text("mark end", x + w, y + h + 14, drawing.ends[1]),
    drawing.skipped ? text("row", 0, (drawing.lanes[1].y + drawing.lanes[2].y) / 2 + 17,
      _("{n} more", { n: drawing.skipped })) : "",
    ...state.lanes.map(({ node }) => node));
}

function laneOf(/** @type {Lane} */ { y, name }, /** @type {MiniBatchesDrawing} */ { blocks_x, block: [w, h] }) {
  const blocks = blocks_x.map((x, i) => {
    const words = svg("g"), where = text("place", x + w / 2, y + h + 12, "");
    const node = svg("g", { class: `block ${["before", "now", "next"][i]}` },
      svg("rect", { x, y, width: w, height: h, rx: 6 }), words, where);
    return { node, words, where, x, y, w, h, row: i === 1 ? name : "" }; // a narrow window shows no more than that
  });
  const hands = [0, 1].map((i) => {
    const from = blocks_x[i] + w + 3, to = blocks_x[i + 1] - 4, middle = (from + to) / 2;
    const name = text("handed", middle, y + 1, "");
    const node = svg("g", { class: "hand" },
      svg("path", { class: "arrow",
        d: `M${from} ${y + 13}H${to - 5}M${to - 8} ${y + 8}L${to} ${y + 13}L${to - 8} ${y + 18}` }), name,
      scissors(middle, y + 29, 0.75));
    return { node, name };
  });
  const node = svg("g", {}, text("row", 0, y + h / 2, name), ...[...blocks, ...hands].map((part) => part.node));
  return { node, blocks, hands };
}

const text = (kind, x, y, words) => svg("text", { class: kind, x, y }, words);

// The play head

function go(/** @type {State<"mini_batches">} */ state, at) {
  state.at = Math.max(0, Math.min(state.drawing.frames.length - 1, at));
  show(state);
}

function play(/** @type {State<"mini_batches">} */ state) {
  if (!state.player.playing && state.at === state.drawing.frames.length - 1) state.at = 0;
  state.player.toggle();
}

function show(/** @type {State<"mini_batches">} */ state) {
  const { drawing } = state, { frames, follows } = drawing;
  const at = (state.at = Math.min(state.at ?? 0, frames.length - 1));
  const frame = frames[at];
  state.position.max = frames.length - 1;
  if (Number(state.position.value) !== at) state.position.value = at;
  state.position.style.setProperty("--share", `${(100 * at) / Math.max(frames.length - 1, 1)}%`);
  state.position.setAttribute("aria-valuetext", _("update {update}", { update: frame.update + 1 }));
  state.play.dataset.playing = state.player.playing;
  state.play.title = state.player.playing ? _("Pause") : _("Play");
  state.play.setAttribute("aria-label", state.play.title);
  setTexts(state, { where: frame.where, caption: frame.caption });
  const [, y, , h] = drawing.bar;
  const past = frames.slice(0, at).filter((_, i) => follows.slice(i + 1, at + 1).every(Boolean));
  const rect = (kind, [x, width]) => svg("rect", { class: kind, x, y, width, height: h });
  state.spans.replaceChildren(...past.flatMap(({ spans }) => spans.map((span) => rect("read", span))),
    ...frame.spans.map((span) => rect("now", span)));
  const around = [follows[at] ? frames[at - 1] : null, frame, follows[at + 1] ? frames[at + 1] : null];
  state.lanes.forEach((lane, row) => {
    lane.blocks.forEach((block, i) => fill(block, around[i]?.blocks[row]));
    lane.hands.forEach((hand, i) => {
      const first = i === 0 && frame.update === 0;
      setText(hand.name, first ? "h₀ = 0" : frame.handed[i]);
      hand.node.setAttribute("class", `hand${first ? " first" : ""}${drawing.in_order ? "" : " lost"}`);
    });
  });
}

function fill(block, /** @type {Block} */ content) {
  block.node.style.visibility = content ? "inherit" : "hidden";
  if (!content || !changed(block, "shape", content)) return;
  const { x, y, w, h } = block, pitch = w / (content.cells.length || 1);
  const between = (at) => svg("line", { class: "between", x1: at, x2: at, y1: y, y2: y + h });
  block.words.replaceChildren(
    ...content.cells.map((words, i) =>
      text(words.length > 2 ? "letter small" : "letter", x + (i + 0.5) * pitch, y + h / 2, words)),
    ...content.cells.slice(1).map((_, i) => between(x + (i + 1) * pitch)),
    content.cells.length ? "" : text("letter", x + w / 2, y + h / 2, content.text));
  setText(block.where, block.row ? `${block.row} · ${content.where}` : content.where);
}
