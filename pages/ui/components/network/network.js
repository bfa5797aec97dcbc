// The unrolled network: drawn from a scene that Python computed, played by the bar above it.
// data: {link, text, scene, substeps: [[name, law]], label, tell: whether Python hears the step}

import { paper, el, setText, throttled, leaving } from "./paper.js";
import { bar, makePlayer, travels } from "./bar.js";
import { FORWARD_Y, backwardOf, backwardTravels, fillBackward, showBackward, tellBackward } from "./backward.js";
import { colours, formula, still, svg, write } from "./drawn.js";
import { link } from "./link.js";

const PARTS = ["input", "arrive", "state", "leave", "prediction", "loss"]; // a group of a column per sub-step
const MEAN_X = 78, MEAN_Y = 45; // px
const MINUS_FROM = -25, MINUS_HEIGHT = 6; // hundredths, px: cells darker than this and as high carry a minus bar

export default function ({ parentElement, data, setStateValue }) {
  const [root, state] = paper(parentElement, "network");
  state.data = data;
  state.tell = data.tell ? (step) => setStateValue("step", step) : () => {};
  if (!state.link) build(root, state);
  state.link.follow(data.text, data.scene.columns.length);
  offer(root, state);
  if (data.scene.backward) state.link.begin(data.text, data.scene.backward.begin);
  return leaving(root, () => { state.leave(); state.watcher.disconnect(); state.player.pause(); state.link = null; root.replaceChildren(); });
}

function build(root, state) {
  state.link = link(state.data.link);
  const refresh = () => state.columns?.length === state.link.at.T && show(state); // else another text is on its way
  state.player = makePlayer(state.link, { pace: () => state.data.scene.pace, last: () => stepsOf(state).length - 1, drawn: refresh, returns: () => Boolean(state.data.scene.backward) });
  state.bar = bar(state.player);
  state.stage = el("div.stage");
  state.watcher = new ResizeObserver(([{ contentRect }]) => {
    state.width = contentRect.width;
    reveal(state, state.columns[state.link.at.step].x);
  });
  state.law = el("span.law");
  state.said = el("b.said");
  const caption = state.caption = el("div.caption", { "aria-live": "polite" }, state.said, state.law, state.scale = el("span.scale"));
  const whole = el("div.whole", { tabindex: 0, role: "group", onkeydown: (event) => keys(event, state) }, state.bar.node, state.stage, caption);
  state.whole = whole;
  state.leave = state.link.listen(refresh);
  state.told = throttled((step) => state.tell(step), 250);
  root.replaceChildren(whole);
}

/** The named sub-steps of the pass that is shown. */
const stepsOf = ({ data, link }) => (link.at.back ? data.scene.backward.substeps : data.substeps);

/** Space plays, arrows step, Home and End jump, Esc lets a pinned column go: only while something of this has the focus. */
function keys(event, state) {
  const { player, link } = state, inside = event.target.tagName;
  const acts = {
    " ": () => player.toggle(), ArrowRight: () => player.move(1), ArrowLeft: () => player.move(-1),
    Home: () => player.go(0), End: () => player.go(link.at.T - 1), Escape: () => link.set({ pin: null, hover: null, cell: null, held: null }),
  };
  if (!acts[event.key] || (event.key === " " && inside === "BUTTON") || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  event.stopPropagation();
  acts[event.key]();
}

function offer(root, state) {
  const { scene } = state.data;
  const shape = JSON.stringify([scene.layout, scene.columns.map((column) => column.x), scene.units.length, scene.backward?.borders]);
  if (state.shape !== shape) {
    state.shape = shape;
    state.folded = undefined;
    draw(state);
    state.watcher.disconnect();
    state.watcher.observe(state.stage); // reveals the head
  }
  state.signed = colours(scene.scales, "signed", root.dataset.theme);
  state.size = colours(scene.scales, "size", root.dataset.theme);
  state.columns.forEach((column, t) => fill(state, column, scene.columns[t]));
  if (state.back) fillBackward(state.back, scene.backward, state.size);
  state.bar.offer(state.data);
  state.whole.setAttribute("aria-label", state.data.label);
  state.before = null;
  show(state);
}

// Building the drawing, once per shape

/** Layers of their own for what moves at every step, so that the drawing itself is not painted again: head, drawing, sheets
    over it, and on top the names, outlines and all that can be pointed at. */
function draw(state) {
  const { scene } = state.data, { pitch } = scene.layout, [width, height] = scene.size;
  const above = scene.layout.density === "tight" ? 15 : 1; // room for the tag
  state.head = el("div.layer.head");
  Object.assign(state.head.style, { width: `${pitch - 2}px`, borderRadius: `${Math.min(12, pitch / 3)}px` });
  state.later = el("div.layer.veil.later");
  state.past = el("div.layer.veil.past");
  state.stub = el("div.layer.veil.stub");
  state.hover = svg("rect", { class: "hover", y: above, width: pitch - 4, height: height - 1 - above, rx: Math.min(10, pitch / 3) });
  state.pin = state.hover.cloneNode();
  state.pin.setAttribute("class", "pin");
  state.tag = svg("text", { class: "tag", y: 12, "text-anchor": "middle" });
  state.columns = scene.columns.map((_, t) => column(state, t));
  for (const border of scene.backward?.borders ?? []) state.columns[border.after].parts[1].classList.add(border.forward);
  state.back = scene.backward ? backwardOf(scene) : null;
  state.names = names(scene);
  state.dots = svg("g", { class: "dots" });
  state.loop = loop(scene);
  const paper = (...nodes) => svg("svg", { class: "layer", viewBox: `0 0 ${width} ${height}`, width, height, "aria-hidden": "true" }, ...nodes);
  state.mean = mean();
  state.sheet = el("div.sheet", { "data-density": scene.layout.density, "data-two": Boolean(scene.backward) }, state.head, paper(...rowNames(scene), start(scene), state.mean.node, ...state.columns.map((c) => c.node)),
    ...(state.back ? [paper(state.back.under)] : []),
    el("div.veils", {}, state.later, state.stub, state.past),
    paper(...Object.values(state.names), state.loop, ...(state.back?.over ?? []), state.dots, state.hover, state.pin, state.tag, ...state.columns.map((c) => c.hit)));
  Object.assign(state.sheet.style, { width: `${width}px`, height: `${height}px` });
  placeStub(state);
  state.stage.replaceChildren(state.sheet);
}

/** Where the forward arrows run: in the middle of the strips, higher where the way back needs its own track. */
function trackOf({ strip: [top, bottom], backward }) {
  return backward ? FORWARD_Y : (top + bottom) / 2;
}

function placeStub(state) {
  const { layout } = state.data.scene, edge = layout.strip / 2 + layout.gap - 1;
  Object.assign(state.stub.style, { top: `${trackOf(state.data.scene) - 5}px`, width: `${Math.max(layout.pitch / 2 - edge - 1, 0)}px` });
}

function rowNames(scene) {
  return scene.rows.map(([name, y]) => {
    const label = svg("text", { class: "row", x: 0, y, "dominant-baseline": "central" });
    label.textContent = name;
    return label;
  });
}

/** The mean of the losses so far: a node of its own, fed by every dot up to the play head. */
function mean() {
  const line = svg("rect", { class: "feed", x: MEAN_X, y: MEAN_Y - 1, width: 1, height: 2 });
  const dot = svg("circle", { class: "dot", cx: MEAN_X, cy: MEAN_Y }), words = svg("text", { class: "mean", x: 0, y: MEAN_Y });
  return { line, dot, words, node: svg("g", { class: "mean-node" }, line, dot, words) };
}

function start(scene) {
  const [top, bottom] = scene.strip, node = svg("rect", { class: "start", x: 66, y: top, width: 9, height: bottom - top, rx: 3 }, svg("title"));
  node.firstChild.textContent = "h₀: zeros";
  return node;
}

function column(state, t) {
  const { scene } = state.data, { layout } = scene, [top, bottom] = scene.strip, x = scene.columns[t].x;
  const mid = trackOf(scene), edge = layout.strip / 2 + layout.gap, aside = scene.backward ? (layout.density === "tight" ? -4 : -6) : 0;
  const from = t ? layout.strip / 2 + layout.gap - layout.pitch : 79 - x;
  const box = svg("rect", { class: "box", x: -layout.box / 2, y: 254, width: layout.box, height: 32, rx: Math.min(8, layout.box / 2) });
  const letter = svg("text", { class: "letter", y: 270, "font-size": layout.box_font });
  const cells = scene.units.map((_, i) => cell(scene, i));
  const minus = ["dark", "light"].map((ink) => svg("path", { class: `minus ${ink}` }));
  const frame = svg("rect", { class: "frame", x: -layout.strip / 2 - 1, y: top - 1, width: layout.strip + 2, height: bottom - top + 2, rx: Math.min(4, layout.strip / 3) });
  const rows = Array.from({ length: layout.density === "roomy" ? 3 : 1 }, (_, i) => predictionRow(layout, i));
  const dot = svg("circle", { class: "dot", cy: 26, cx: { roomy: -18, middle: -12, tight: 0 }[layout.density] });
  const nats = svg("text", { class: "nats", y: 27, x: layout.density === "roomy" ? 2 : 4, "font-size": layout.density === "roomy" ? 17 : 14 });
  const content = [[box, letter], [arrow(0, 252, 0, 241), arrow(from, mid, -edge, mid)], [...cells, ...minus, frame],
    [arrow(aside, 121, aside, 109)], rows.map((row) => row.node), [dot, nats]];
  const parts = content.map((nodes, i) => svg("g", { class: `part ${PARTS[i]}` }, ...nodes));
  const node = svg("g", { class: `column ${layout.density}` }, ...parts);
  node.style.transform = `translateX(${x}px)`;
  const hit = svg("rect", { class: "hit", x: x - layout.pitch / 2, y: 0, width: layout.pitch, height: scene.size[1] });
  hit.addEventListener("pointerenter", (event) => event.pointerType !== "touch" && state.link.set({ hover: t }));
  hit.addEventListener("pointerleave", () => state.link.set({ hover: null }));
  hit.addEventListener("click", () => state.link.set({ pin: state.link.at.pin === t ? null : t }));
  return { node, parts, hit, letter, cells, minus, rows, dot, nats, x };
}

function cell(scene, i) {
  const [top, bottom] = scene.strip, height = (bottom - top) / scene.units.length, { strip } = scene.layout;
  const node = svg("rect", { x: -strip / 2, y: top + i * height, width: strip, height: height - (height > 4 ? 1 : 0) });
  node.append(svg("title"));
  return node;
}

/** Roomy: mark, symbol, bar, probability side by side (words stand on their bars). Else: symbol over bar. */
function predictionRow(layout, i) {
  const { half, density, symbols } = layout, y = density === "roomy" ? 61 + 18 * i : 66;
  const mark = svg("path", { class: "mark", d: `M${-half} ${y - 5}v10l7 -5z` });
  const symbol = svg("text", { class: "symbol", y });
  const bar = svg("rect", { class: "bar", rx: 2 });
  const p = svg("text", { class: "p", y });
  const back = svg("rect", { class: "back", rx: 2 });
  let room;
  if (density !== "roomy") {
    symbol.setAttribute("text-anchor", "middle");
    symbol.setAttribute("y", density === "middle" ? 60 : 70);
    p.setAttribute("y", density === "middle" ? 79 : -100);
    p.setAttribute("text-anchor", "middle");
    mark.setAttribute("d", "");
    room = place(density === "middle" ? 92 : 90, -half, 2 * half, 6);
  } else if (symbols) {
    symbol.setAttribute("x", -half + 12);
    room = place(y - 6, -half + 16 + symbols, 2 * half - 52 - symbols, 12);
  } else {
    symbol.setAttribute("x", -half + 14);
    room = place(y - 8, -half + 11, 2 * half - 11, 16);
    bar.classList.add("under");
  }
  if (density === "roomy") { p.setAttribute("x", half); p.setAttribute("text-anchor", "end"); }
  for (const node of [bar, back]) for (const [name, value] of Object.entries(room)) node.setAttribute(name, value);
  const node = svg("g", { class: "row" }, ...(density === "roomy" ? [] : [back]), bar, mark, symbol, p);
  return { node, mark, symbol, bar, p, room: room.width };
}

const place = (y, x, width, height) => ({ x, y, width: Math.max(width, 0), height });

function arrow(x1, y1, x2, y2) {
  const length = Math.hypot(x2 - x1, y2 - y1), ux = (x2 - x1) / length, uy = (y2 - y1) / length;
  const head = Math.min(8, length * 0.7), side = Math.min(4, head * 0.6), bx = x2 - ux * head, by = y2 - uy * head;
  return svg("path", { class: "arrow",
    d: `M${x1} ${y1}L${bx} ${by}M${x2} ${y2}L${bx - uy * side} ${by + ux * side}L${bx + uy * side} ${by - ux * side}Z` });
}

/** The matrices' names stand on the arrows of the present step only, where there is room between two columns. */
function names(scene) {
  const { layout } = scene, label = (name, x, y, anchor) => {
    const node = svg("text", { class: `matrix ${name}`, x, y, "text-anchor": anchor });
    node.append("W", svg("tspan", { dy: 5 }));
    node.lastChild.textContent = name;
    return node;
  };
  const beside = layout.strip / 2 + 5;
  return { xh: label("xh", beside, 248, "start"), hq: label("hq", beside, 120, "start"), hh: label("hh", -layout.pitch / 2 - 4, trackOf(scene) - 10, "middle") };
}

/** The arrow from the state onto itself: all there is before the network is unrolled. */
function loop(scene) {
  const { x, path, tip: [tx, ty], label: [lx, ly] } = scene.loop;
  const name = svg("text", { class: "matrix", x: lx, y: ly }, "W", svg("tspan", { dy: 5 }));
  name.lastChild.textContent = "hh";
  const says = svg("text", { class: "says", x: lx + 46, y: ly });
  says.textContent = "the same weights at every step";
  return svg("g", { class: "loop", transform: `translate(${x} 0)` }, svg("path", { class: "back-again", d: path }),
    svg("path", { class: "arrow", d: `M${tx} ${ty}l9 -4l-2 8.500z` }), name, says);
}

// Filling it with numbers, at every update

function fill(state, column, scene) {
  const { layout, units, strip } = state.data.scene, height = (strip[1] - strip[0]) / units.length;
  setText(column.letter, scene.input);
  const minus = { dark: "", light: "" };
  scene.state.forEach((value, i) => {
    write(column.cells[i], "fill", state.signed.css(value));
    setText(column.cells[i].firstChild, `unit ${units[i]}`);
    if (value <= MINUS_FROM && height >= MINUS_HEIGHT)
      minus[state.signed.ink(value) === "#000" ? "dark" : "light"] += `M${-layout.strip / 6} ${strip[0] + (i + 0.5) * height - 0.5}h${layout.strip / 3}`;
  });
  column.minus.forEach((path, i) => write(path, "d", i ? minus.light : minus.dark));
  scene.prediction.forEach(([symbol, p, share, target], i) => {
    const row = column.rows[i];
    if (!row) return;
    row.node.classList.toggle("target", target);
    row.node.style.visibility = "";
    setText(row.symbol, symbol);
    setText(row.p, p);
    write(row.bar, "width", Math.max(share * row.room, 1).toFixed(1));
  });
  column.rows.slice(scene.prediction.length).forEach((row) => { row.node.style.visibility = "hidden"; });
  const [radius, shade, nats] = scene.loss;
  write(column.dot, "r", radius);
  write(column.dot, "fill", state.size.css(shade));
  setText(column.nats, layout.density === "tight" ? "" : nats);
}

// Showing where the play head is

function show(state) {
  const { at } = state.link, { scene } = state.data, steps = stepsOf(state), words = scene.columns[at.step].said;
  state.columns.forEach((column, t) => column.parts.forEach((part, i) => {
    const is = at.back ? "past" : t === at.step ? (i > at.sub ? "todo" : i === at.sub ? "doing" : "done") : t > at.step ? "later" : "past";
    if (part.dataset.is !== is) part.dataset.is = is;
  }));
  const x = state.columns[at.step].x;
  state.head.style.transform = `translateX(${x - scene.layout.pitch / 2 + 1}px)`;
  veil(state, at, x);
  showMean(state, at, x);
  if (state.back) showBackward(state.back, at, scene, state.columns);
  setText(state.scale, at.back ? scene.backward.scale : "");
  fold(state, at);
  for (const node of Object.values(state.names)) node.style.transform = `translateX(${at.folded ? scene.loop.x : x}px)`;
  outline(state, state.hover, at.hover);
  outline(state, state.pin, at.pin);
  tag(state, at);
  state.sheet.dataset.slow = at.slow;
  state.whole.dataset.back = at.back;
  state.whole.dataset.step = at.step;
  state.whole.dataset.sub = at.sub;
  state.whole.dataset.playing = state.player.playing;
  state.caption.setAttribute("aria-live", state.player.playing ? "off" : "polite");
  state.bar.show(at, words, steps);
  setText(state.said, `${steps[at.sub][0]} `);
  const law = at.back && !state.back.futures[at.step] ? scene.backward.alone[at.sub] ?? steps[at.sub][1] : steps[at.sub][1];
  formula(state.law, law, at.step, { x: words[0], y: words[1] });
  const key = `${at.back}/${at.step}/${at.sub}`;
  if (state.before !== null && state.before !== key) {
    if (travels(at)) travel(state, at);
    reveal(state, x);
    state.told(at.step);
  }
  state.before = key;
}

/** Folded, all columns lie on one in the middle; unfolding, they move to their places and the shared weights light up. */
function fold(state, at) {
  if (state.folded === at.folded) return;
  const { scene } = state.data, first = state.folded === undefined;
  state.folded = at.folded;
  state.sheet.dataset.folded = at.folded;
  state.columns.forEach((column, t) => {
    column.node.style.transform = `translateX(${at.folded ? scene.loop.x : column.x}px)`;
    column.node.classList.toggle("behind", at.folded && t !== at.step);
    column.hit.style.visibility = at.folded ? "hidden" : "visible";
  });
  if (first || at.folded || still()) return;
  const arrows = state.columns.flatMap((column) => [1, 3].map((part) => column.parts[part]));
  arrows.forEach((part) => part.animate([{ opacity: 0 }, { opacity: 0, offset: 0.55 }, { opacity: 1, offset: 0.7 }, { opacity: 0.2, offset: 0.85 }, { opacity: 1 }], 1800));
}

/** One sheet over all that is not computed yet, in slow motion another over what is not being computed: far cheaper to
    paint than to make every part of every column transparent. */
function veil(state, at, x) {
  if (at.back) return veilBackward(state, at, x);
  const { layout } = state.data.scene, reached = x - layout.pitch / 2, feeds = at.sub === 1 && at.step > 0 ? layout.pitch : 0;
  const edge = layout.strip / 2 + layout.gap - 1;
  state.later.style.transform = `translateX(${x + layout.pitch / 2 - 1}px)`;
  state.stub.style.transform = `translateX(${x + edge}px)`;
  state.stub.style.visibility = at.step + 1 < at.T ? "visible" : "hidden";
  state.past.style.transform = `translateX(${reached - feeds - state.data.scene.size[0]}px)`;
  state.past.style.visibility = at.slow ? "visible" : "hidden";
}

/** The same on the way back: what is not reached lies to the left, what is done to the right. */
function veilBackward(state, at, x) {
  const { layout, size } = state.data.scene, feeds = (at.sub === 2 || at.sub === 3) && at.step + 1 < at.T ? layout.pitch : 0;
  state.later.style.transform = `translateX(${x - layout.pitch / 2 - size[0]}px)`;
  state.stub.style.visibility = "hidden";
  state.past.style.transform = `translateX(${x + layout.pitch / 2 + feeds}px)`;
  state.past.style.visibility = at.slow ? "visible" : "hidden";
}

function showMean(state, at, x) {
  const complete = at.back || at.sub === state.data.substeps.length - 1, step = at.back ? at.T - 1 : complete ? at.step : at.step - 1, { line, dot, words, node } = state.mean;
  node.style.visibility = step < 0 ? "hidden" : "visible";
  if (step < 0) return;
  const [radius, shade, nats] = state.data.scene.means[step], end = state.columns[step].x + Number(state.columns[step].dot.getAttribute("cx"));
  write(line, "width", end - MEAN_X);
  write(dot, "r", Math.min(radius, 7));
  write(dot, "fill", state.size.css(shade));
  setText(words, `mean ${nats}`);
}

function outline(state, node, t) {
  const visible = t !== null && t < state.columns.length;
  node.style.visibility = visible ? "visible" : "hidden";
  if (visible) node.setAttribute("x", state.columns[t].x - state.data.scene.layout.pitch / 2 + 2);
}

/** Where columns are too narrow for numbers, the hovered or pinned one says its own above. */
function tag(state, at) {
  const { columns, layout, size, backward } = state.data.scene, tight = layout.density === "tight" || at.back;
  const t = at.cell ? at.cell.k : at.hover ?? at.pin;
  state.tag.style.visibility = tight && t !== null ? "visible" : "hidden";
  if (!tight || t === null) return;
  const { x, prediction, loss } = columns[t];
  if (at.cell) setText(state.tag, at.cell.words);
  else if (at.back) tellBackward(state.tag, backward, t, at.T - 1);
  else setText(state.tag, `p ${prediction[0][1]} · ${loss[2]} nats`);
  const room = at.back ? 130 : 70;
  state.tag.setAttribute("x", Math.min(Math.max(x, 50 + room), size[0] - room));
}

/** In a window narrower than the drawing, the head stays in view. */
function reveal(state, x) {
  const { stage, width } = state;
  if (width < state.data.scene.size[0]) stage.scrollTo({ left: x - width / 2, behavior: "instant" });
}

const TRAVEL = { duration: 750, delay: 250, easing: "cubic-bezier(.4,0,.2,1)", fill: "backwards" };

/** Slow motion: what is being computed moves along its arrow, or grows. */
function travel(state, at) {
  const column = state.columns[at.step], { layout } = state.data.scene;
  const grow = (node, axis) => node.animate([{ transform: `scale${axis}(0)` }, { transform: `scale${axis}(1)` }], TRAVEL);
  const dot = (x1, y1, x2, y2) => {
    const node = svg("circle", { r: 6, class: "traveller" });
    state.dots.append(node);
    node.animate([{ transform: `translate(${x1}px,${y1}px)` }, { transform: `translate(${x2}px,${y2}px)` }], TRAVEL).onfinish = () => node.remove();
  };
  state.dots.replaceChildren();
  if (at.back) return travelBackward(state, at, dot);
  if (at.sub === 0) grow(column.parts[0].firstChild, "");
  if (at.sub === 1) {
    dot(column.x, 262, column.x, 236);
    const track = trackOf(state.data.scene);
    dot(column.x - layout.pitch + layout.strip / 2, track, column.x - layout.strip / 2, track);
  }
  if (at.sub === 2) column.cells.forEach((cell) => cell.animate([{ opacity: 0 }, { opacity: 1 }], TRAVEL));
  if (at.sub === 3) dot(column.x, 124, column.x, 106);
  if (at.sub === 4) column.rows.forEach((row) => grow(row.bar, "X"));
  if (at.sub === 5) grow(column.dot, "");
}

function travelBackward(state, at, dot) {
  backwardTravels(state.back, at, state.data.scene).forEach((way) => dot(...way));
  if (at.sub === 4) state.columns[at.step].cells.forEach((cell) => cell.animate([{ opacity: 1 }, { opacity: 0.2 }, { opacity: 1 }], TRAVEL));
}
