// The unrolled network: numbers of Python, which layout.js places, played by the bar above the drawing.
// If it `plays` by itself, its position is not written into the URL.

import { _ } from "../shared/messages.js";
import { changed, el, elements, onRemoval, rootOf, setText } from "../shared/component.js";
import { bar, makePlayer } from "./bar.js";
import { backwardOf, fillBackward, showBackward, tellBackward } from "./backward.js";
import { still, svg, write } from "../shared/drawn.js";
import { BOTTOM, codeFont, dotOf, HEIGHT, INPUT_Y, layoutOf, shownOf, TOP } from "./layout.js";
import { column, fill, loop, mean, MEAN_X, names, rowNames, start } from "./column.js";
import { placeOf, px, travel, veil } from "./motion.js";
import { writeLaw } from "../shared/maths.js";
import { link } from "../shared/link.js";
import { scaleOf } from "../shared/scales.js";

export default function (/** @type {Component<"network">} */ { parentElement, data }) {
  const [root, state] = rootOf(parentElement, "network");
  state.data = data;
  if (!state.link) build(root, state);
  state.link.inUrl = !data.plays;
  state.link.follow(data.text, data.drawing.columns.length);
  update(root, state);
  if (data.plays && !state.begun && !still()) {
    state.begun = true; // it does not start again after the user has stopped it
    state.player.play();
  }
  if (data.drawing.backward) state.link.begin(data.text, data.drawing.backward.begin);
  return onRemoval(root, () => {
    state.leave();
    state.watcher.disconnect();
    window.removeEventListener("resize", state.resized);
    state.player.pause();
  });
}

function build(root, /** @type {State<"network">} */ state) {
  state.link = link(state.data.link);
  // the drawing may still have the number of steps of the previous text: then the new data arrive next
  const refresh = () => state.columns?.length === state.link.at.T && show(state);
  state.player = makePlayer(state.link, { drawing: () => state.data.drawing, last: () => stepsOf(state).length - 1,
    drawn: refresh, repeats: () => state.data.plays });
  state.bar = bar(state.player);
  Object.assign(state, elements({ stage: "div.stage", substep: "b.substep", law: "span.law", scale: "span.scale" }));
  state.watcher = new ResizeObserver(([{ contentRect }]) => {
    state.width = contentRect.width;
    reveal(state);
  });
  // Presented, the drawing keeps its size in a larger window, but loses its scroll position for a moment.
  state.resized = () => reveal(state);
  window.addEventListener("resize", state.resized);
  state.caption = el("div.caption", { "aria-live": "polite" }, state.substep, state.law, state.scale);
  state.whole = el("div.whole", { tabindex: 0, role: "group", onkeydown: (event) => keys(event, state) },
    state.bar.node, state.stage, state.caption);
  state.leave = state.link.listen(refresh);
  root.replaceChildren(state.whole);
}

/** The named sub-steps of the pass that is shown. */
const stepsOf = (/** @type {State<"network">} */ { data, link }) =>
  (link.at.back ? data.drawing.backward.substeps : data.substeps);

const MARKS = ["hover", "unit", "cell", "held"]; // the marks in the drawing

/** Handle keys while the focus is within: Space plays, arrows step, Home and End jump, Escape removes marks. */
function keys(event, state) {
  const { player, link } = state, inside = event.target.tagName;
  const acts = {
    " ": () => player.toggle(), ArrowRight: () => player.move(1), ArrowLeft: () => player.move(-1),
    Home: () => player.go(0), End: () => player.go(link.at.T - 1),
    Escape: () => link.set(Object.fromEntries(MARKS.map((mark) => [mark, null]))),
  };
  if (!acts[event.key] || (event.key === " " && inside === "BUTTON") || event.ctrlKey || event.metaKey || event.altKey)
    return;
  if (event.key === "Escape" && !MARKS.some((mark) => (link.at[mark] ?? null) !== null)) return; // the page handles it
  event.preventDefault();
  event.stopPropagation();
  acts[event.key]();
}

function update(root, /** @type {State<"network">} */ state) {
  const { drawing } = state.data;
  state.layout = layoutOf(drawing, codeFont(root));
  if (changed(state, "shape", [state.layout, drawing.units.length, drawing.backward?.borders, drawing.names])) {
    state.folded = undefined;
    draw(state);
    state.watcher.disconnect();
    state.watcher.observe(state.stage); // scrolls to the play head
  }
  state.signed = scaleOf(root, "diverging");
  state.size = scaleOf(root, "sequential");
  state.columns.forEach((column, t) => fill(state, column, drawing.columns[t]));
  if (state.back) fillBackward(state.back, drawing.backward, state.size);
  state.bar.offer(state.data);
  state.whole.setAttribute("aria-label", state.data.label);
  state.before = null;
  show(state);
}

// Building the drawing, once per shape

/** Build the drawing in layers, so that a move of the play head does not repaint it. From the bottom: play head,
 * drawing, the sheets that dim parts of it, and names, outlines and areas for pointer events. */
function draw(/** @type {State<"network">} */ state) {
  const { drawing } = state.data, { pitch, edge, density, width, x, track } = state.layout;
  const above = density === "tight" ? 15 : 1; // room for the tag
  Object.assign(state, elements({ head: "div.layer.head", later: "div.layer.veil.later", past: "div.layer.veil.past",
    stub: "div.layer.veil.stub" }));
  // motion.js moves these sheets over the part to dim; moved by their own width, they are beside the drawing.
  // The inputs are not dimmed: the text is known, what is not is what the network makes of it.
  const box = { width: px(width), height: px(INPUT_Y - 2) };
  for (const sheet of [state.later, state.past]) Object.assign(sheet.style, box);
  Object.assign(state.head.style, { width: px(pitch - 2), borderRadius: px(Math.min(12, pitch / 3)) });
  state.hover = svg("rect",
    { class: "hover", y: above, width: pitch - 4, height: HEIGHT - 1 - above, rx: Math.min(10, pitch / 3) });
  state.unit = svg("rect", { class: "one-unit", x: x[0] - pitch / 2 });
  state.tag = svg("text", { class: "tag", y: 12, "text-anchor": "middle" });
  state.columns = x.map((_x, t) => column(state, t));
  for (const border of drawing.backward?.borders ?? [])
    state.columns[border.after].parts[1].classList.add(border.forward);
  state.back = drawing.backward ? backwardOf(drawing.backward, state.layout) : null;
  state.names = names(drawing, state.layout);
  state.dots = svg("g", { class: "dots" });
  state.loop = loop(drawing, state.layout);
  const layer = (...nodes) =>
    svg("svg", { class: "layer", viewBox: `0 0 ${width} ${HEIGHT}`, "aria-hidden": "true" }, ...nodes);
  state.mean = mean();
  const shape = { "data-density": density, "data-two": Boolean(drawing.backward),
    "data-plays": state.data.plays };
  state.sheet = el("div.sheet", shape,
    state.head, layer(...rowNames(state.layout), start(), state.mean.node, ...state.columns.map((c) => c.node)),
    ...(state.back ? [layer(state.back.under)] : []),
    el("div.veils", {}, state.later, state.stub, state.past),
    layer(...Object.values(state.names), state.loop, ...(state.back?.over ?? []), state.dots, state.hover, state.unit,
      state.tag, ...state.columns.map((c) => c.hit)));
  state.sheet.style.setProperty("--wide", width);
  state.sheet.style.setProperty("--high", HEIGHT);
  Object.assign(state.stub.style,
    { top: px(track - 5), width: px(Math.max(pitch / 2 - edge, 0)) });
  state.stage.replaceChildren(state.sheet);
}

// Showing the position of the play head

function show(/** @type {State<"network">} */ state) {
  const { link: { at }, layout, data: { drawing } } = state, steps = stepsOf(state);
  const words = drawing.columns[at.step].labels;
  state.columns.forEach((column, t) => column.parts.forEach((part, i) => {
    const is = at.back ? "past" : t === at.step ? (i > at.sub ? "todo" : i === at.sub ? "doing" : "done") : t > at.step
      ? "later" : "past";
    if (part.dataset.is !== is) part.dataset.is = is;
  }));
  const x = layout.x[at.step];
  state.head.style.transform = `translateX(${px(x - layout.pitch / 2 + 1)})`;
  veil(state, at, x);
  showMean(state, at);
  if (state.back) showBackward(state.back, at, layout, state.columns);
  setText(state.scale, at.back ? drawing.backward.scale : "");
  fold(state, at);
  for (const node of Object.values(state.names)) node.style.transform = `translateX(${placeOf(state)}px)`;
  const hovers = at.hover !== null && at.hover < state.columns.length;
  state.hover.style.visibility = hovers ? "inherit" : "hidden";
  if (hovers) write(state.hover, "x", layout.x[at.hover] - layout.pitch / 2 + 2);
  markUnit(state, at);
  tag(state, at);
  state.sheet.dataset.slow = at.slow;
  Object.assign(state.whole.dataset, { back: at.back, step: at.step, sub: at.sub, playing: state.player.playing });
  state.caption.setAttribute("aria-live", state.player.playing ? "off" : "polite");
  state.bar.show(at, words, steps);
  setText(state.substep, `${steps[at.sub][0]} `);
  const alone = at.back && !state.back.futures[at.step] ? drawing.backward.alone[at.sub] : null;
  writeLaw(state.law, alone ?? steps[at.sub][1], at.step, { x: words[0], y: words[1] });
  const key = `${at.back}/${at.step}/${at.sub}`;
  if (state.before !== null && state.before !== key) {
    travel(state, at);
    reveal(state);
  }
  state.before = key;
}

/** Folded, all columns are at one place and only that of the play head is visible. Unfolded, they move to their places,
 * and the arrows of the shared weights flash. */
function fold(/** @type {State<"network">} */ state, at) {
  state.columns.forEach(({ node }, i) => node.classList.toggle("behind", at.folded && i !== at.step));
  if (state.folded === at.folded) return;
  const { layout } = state, first = state.folded === undefined;
  state.folded = at.folded;
  state.sheet.dataset.folded = at.folded;
  state.columns.forEach((column, t) => {
    column.node.style.transform = `translateX(${at.folded ? layout.loop.x : layout.x[t]}px)`;
    column.hit.style.visibility = at.folded ? "hidden" : "inherit";
  });
  if (first || still()) return;
  const fading = at.folded ? [1, 0] : [0, 1];
  state.columns.forEach(({ node }, t) => t !== at.step && node.animate({ opacity: fading }, 400));
  if (at.folded) return;
  const arrows = state.columns.flatMap((column) => [1, 3].map((part) => column.parts[part]));
  arrows.forEach((part) =>
    part.animate([{ opacity: 0 }, { opacity: 0, offset: 0.55 }, { opacity: 1, offset: 0.7 },
      { opacity: 0.2, offset: 0.85 }, { opacity: 1 }], 1800));
}

function showMean(/** @type {State<"network">} */ state, at) {
  const complete = at.back || at.sub === state.data.substeps.length - 1;
  const step = at.back ? at.T - 1 : complete ? at.step : at.step - 1, { line, dot, words, node } = state.mean;
  node.style.visibility = step < 0 ? "hidden" : "inherit";
  if (step < 0) return;
  const { radius, shade, text: nats } = dotOf(state.data.drawing.means[step], state.layout);
  const end = state.layout.x[step] + Number(state.columns[step].dot.getAttribute("cx"));
  write(line, "width", end - MEAN_X);
  write(dot, "r", Math.min(radius, 7));
  write(dot, "fill", state.size.css(shade));
  setText(words, _("mean {nats}", { nats }));
}

/** Outline the marked unit across all steps. */
function markUnit(/** @type {State<"network">} */ { unit: node, data: { drawing }, layout }, at) {
  const i = drawing.units.indexOf(at.unit), high = (BOTTOM - TOP) / drawing.units.length;
  node.style.visibility = i < 0 || at.folded ? "hidden" : "inherit";
  write(node, "y", TOP + i * high - 1);
  write(node, "height", high + 1);
  write(node, "width", layout.x.length * layout.pitch);
}

/** Show the numbers of the hovered column or cell above it: in the backward pass, and if the columns are narrow. */
function tag(/** @type {State<"network">} */ state, at) {
  const { layout, data: { drawing: { columns, backward } } } = state, tight = layout.density === "tight" || at.back;
  const t = at.cell ? at.cell.k : at.hover;
  state.tag.style.visibility = tight && t !== null ? "inherit" : "hidden";
  if (!tight || t === null) return;
  const { prediction, loss } = columns[t], [{ p }] = shownOf(prediction, layout);
  if (at.cell) setText(state.tag, at.cell.words);
  else if (at.back) tellBackward(state.tag, backward, t, at.T - 1);
  else setText(state.tag, _("p {p} · {nats} nats", { p, nats: dotOf(loss, layout).text }));
  const room = at.back ? 130 : 70;
  state.tag.setAttribute("x", Math.min(Math.max(layout.x[t], 50 + room), layout.width - room));
}

/** Scroll the play head into view, in a window narrower than the drawing. */
function reveal(/** @type {State<"network">} */ state) {
  const { stage, sheet, width } = state, x = placeOf(state) / state.layout.width * sheet.clientWidth;
  if (width < sheet.clientWidth) stage.scrollTo({ left: x - width / 2, behavior: "instant" });
}
