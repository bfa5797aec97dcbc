// One column per token: its bar, the mark of the second model, the symbol, and the running perplexity. A long text
// scrolls; only the visible columns exist.

import { _ } from "../shared/messages.js";
import { changed, el, elements, setText } from "../shared/component.js";
import { placeOn, svg, write } from "../shared/drawn.js";

const BARS = 150, SYMBOLS = 40, RUN = 58, GAP = 8; // px, from the top
const LEAST = 23, MOST = 44, LETTER = 9; // px: width of a column, and of a letter of a word
const HEIGHT = BARS + SYMBOLS + RUN + 2 * GAP;

export function bars({ onpick, onhover }) {
  /** @type {Record<string, any>} */
  const state = { columns: [], onpick, onhover,
    ...elements({ ticks: "div.ticks", frame: "div.frame", lines: "div.lines", run_label: "span.run-label" }) };
  state.path = svg("path");
  state.dot = svg("circle", { r: 5 });
  state.drawing = svg("svg", { class: "running", height: RUN + 8, "aria-hidden": "true" }, state.path, state.dot);
  state.plot = el("div.plot", {}, state.lines, state.frame, state.drawing);
  state.plot.style.height = `${HEIGHT}px`;
  state.scroller = el("div.scroller",
    { tabindex: 0, role: "group", "aria-label": _("Surprise by each token. Arrow keys move from token to token.") },
    state.plot);
  state.scroller.onscroll = () => columns(state);
  state.scroller.onkeydown = (event) => keys(state, event);
  state.plot.onclick = (event) => onpick(at(state, event));
  state.plot.onpointermove = (event) => {
    const i = at(state, event);
    onhover(i >= 0 && i < state.scene.symbols.length ? i : null);
  };
  state.plot.onpointerleave = () => onhover(null);
  const node = el("div.bars", {}, state.ticks, state.scroller, state.run_label);
  new ResizeObserver(() => state.scene && layout(state)).observe(node);
  return { node, offer: (scene, mode, size) => offer(state, scene, mode, size) };
}

const at = (state, event) => Math.floor(placeOn(state.plot, event.clientX, 0)[0] / state.pitch);

function keys(/** @type {State<"surprise">} */ state, event) {
  const { picked, symbols } = state.scene, last = symbols.length - 1;
  const to = { ArrowLeft: picked - 1, ArrowRight: picked + 1, Home: 1, End: last }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  if (to <= last) state.onpick(to);
}

function offer(/** @type {State<"surprise">} */ state, /** @type {ShownText} */ scene, mode, size) {
  const moved = !state.scene || state.scene.picked !== scene.picked || state.scene.text !== scene.text;
  Object.assign(state, { scene, mode, size });
  layout(state);
  if (moved) reveal(state);
}

function layout(/** @type {State<"surprise">} */ state) {
  const { scene } = state, room = state.scroller.clientWidth;
  if (!room) return;
  const longest = Math.max(...scene.symbols.map((symbol) => [...symbol].length));
  const least = longest > 1 ? Math.min(longest * LETTER + 8, 104) : LEAST;
  state.pitch = Math.max(least, Math.min(room / scene.symbols.length, Math.max(MOST, least)));
  state.plot.style.width = `${Math.max(state.pitch * scene.symbols.length, 1)}px`;
  state.frame.style.cssText = `left:${scene.picked * state.pitch}px;width:${state.pitch}px`;
  axis(state);
  columns(state);
  running(state);
}

/** Scroll the picked column into view. */
function reveal(/** @type {State<"surprise">} */ state) {
  const left = state.scene.picked * state.pitch, { scrollLeft, clientWidth } = state.scroller;
  if (left < scrollLeft || left + state.pitch > scrollLeft + clientWidth)
    state.scroller.scrollLeft = left - clientWidth / 2;
}

function axis(/** @type {State<"surprise">} */ state) {
  const { scene, mode } = state, signed = mode === "difference";
  const top = signed ? scene.difference.top : scene.top;
  const marks = signed ? [[top, `+${top / 100}`], [0, "0"], [-top, `−${top / 100}`]] : scene.ticks;
  const y = (value) => BARS * (signed ? (1 - value / top) / 2 : 1 - value / top);
  if (!changed(state, "ticked", [marks, scene.running_top])) return;
  const at = (px) => ({ style: `top: ${px}px` });
  const label = (words, px) => el("span", at(px), words), line = (px) => el("i", at(px));
  state.ticks.replaceChildren(...marks.map(([value, words]) => label(words, y(value))),
    label(scene.running_top, HEIGHT - RUN), label("1", HEIGHT));
  state.lines.replaceChildren(...marks.map(([value]) => line(y(value))), line(HEIGHT - RUN), line(HEIGHT - 1));
}

function columns(/** @type {State<"surprise">} */ state) {
  const { scene, pitch, scroller } = state;
  // A text that became shorter ends before the place scrolled to, until the browser has laid it out.
  const left = Math.max(0, Math.min(scroller.scrollLeft, pitch * scene.symbols.length - scroller.clientWidth));
  const from = Math.max(0, Math.floor(left / pitch) - 4);
  const to = Math.min(scene.symbols.length, Math.ceil((left + scroller.clientWidth) / pitch) + 4);
  while (state.columns.length > to - from) state.columns.pop().remove();
  while (state.columns.length < to - from) state.columns.push(
    state.plot.appendChild(el("div.column", {}, el("div.bar"), el("div.dash"), el("bdi.cell"))));
  state.columns.forEach((node, j) => column(state, node, from + j));
}

function column(/** @type {State<"surprise">} */ state, node, i) {
  const { scene, pitch, mode } = state, [bar, dash, cell] = node.children;
  node.style.left = `${i * pitch}px`;
  node.style.width = `${pitch}px`;
  setText(cell, scene.symbols[i]);
  node.classList.toggle("picked", i === scene.picked);
  const shade = i > 0 ? scene.shades[i - 1] : null;
  state.size.shade(cell, shade);
  bar.hidden = dash.hidden = i === 0;
  if (i === 0) return;
  if (mode === "difference") {
    const gain = scene.difference.gain[i - 1], size = (BARS / 2) * (Math.abs(gain) / scene.difference.top);
    bar.className = `bar ${gain < 0 ? "loses" : "gains"}`;
    bar.style.cssText = `top:${gain < 0 ? BARS / 2 : BARS / 2 - size}px;height:${Math.max(size, 1)}px`;
    dash.hidden = true;
  } else {
    const nats = scene.nats[i - 1], height = (value) => (value < 0 ? BARS : (BARS * value) / scene.top);
    bar.className = `bar${nats < 0 ? " impossible" : ""}`;
    const [top, high] = [BARS - height(nats), Math.max(height(nats), 1)];
    bar.style.cssText = `top:${top}px;height:${high}px;background:${state.size.css(shade)}`;
    dash.hidden = !scene.beside.length;
    if (scene.beside.length) dash.style.top = `${BARS - height(scene.beside[i - 1]) - 1.5}px`;
  }
}

function running(/** @type {State<"surprise">} */ state) {
  const { scene, pitch } = state, y = (height) => 4 + RUN - (RUN * height) / 1000;
  const points = scene.running.map((height, i) => `${((i + 1.5) * pitch).toFixed(1)} ${y(height).toFixed(1)}`);
  const last = scene.running.length - 1;
  write(state.drawing, "width", pitch * scene.symbols.length);
  write(state.path, "d", points.length > 1 ? `M${points.join("L")}` : "");
  write(state.dot, "cx", (last + 1.5) * pitch);
  write(state.dot, "cy", y(scene.running[last]));
  state.run_label.style.top = `${scene.running[last] > 500 ? HEIGHT - 19 : HEIGHT - RUN}px`;
  setText(state.run_label, _("running perplexity {perplexity}", { perplexity: scene.running_words[last] }));
}
