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
  state.running = svg("svg", { class: "running", height: RUN + 8, "aria-hidden": "true" }, state.path, state.dot);
  state.plot = el("div.plot", {}, state.lines, state.frame, state.running);
  state.plot.style.height = `${HEIGHT}px`;
  state.scroller = el("div.scroller",
    { tabindex: 0, role: "group", "aria-label": _("Surprise by each token. Arrow keys move from token to token.") },
    state.plot);
  state.scroller.onscroll = () => columns(state);
  state.scroller.onkeydown = (event) => keys(state, event);
  state.plot.onclick = (event) => onpick(at(state, event));
  state.plot.onpointermove = (event) => {
    const i = at(state, event);
    onhover(i >= 0 && i < state.drawing.symbols.length ? i : null);
  };
  state.plot.onpointerleave = () => onhover(null);
  const node = el("div.bars", {}, state.ticks, state.scroller, state.run_label);
  new ResizeObserver(() => state.drawing && layout(state)).observe(node);
  return { node, offer: (drawing, mode, size) => offer(state, drawing, mode, size) };
}

const at = (state, event) => Math.floor(placeOn(state.plot, event.clientX, 0)[0] / state.pitch);

function keys(/** @type {State<"surprise">} */ state, event) {
  const { picked, symbols } = state.drawing, last = symbols.length - 1;
  const to = { ArrowLeft: picked - 1, ArrowRight: picked + 1, Home: 1, End: last }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  if (to <= last) state.onpick(to);
}

function offer(/** @type {State<"surprise">} */ state, /** @type {ShownText} */ drawing, mode, size) {
  const moved = !state.drawing || state.drawing.picked !== drawing.picked || state.drawing.text !== drawing.text;
  Object.assign(state, { drawing, mode, size });
  layout(state);
  if (moved) reveal(state);
}

function layout(/** @type {State<"surprise">} */ state) {
  const { drawing } = state, room = state.scroller.clientWidth;
  if (!room) return;
  const longest = Math.max(...drawing.symbols.map((symbol) => [...symbol].length));
  const least = longest > 1 ? Math.min(longest * LETTER + 8, 104) : LEAST;
  state.pitch = Math.max(least, Math.min(room / drawing.symbols.length, Math.max(MOST, least)));
  state.plot.style.width = `${Math.max(state.pitch * drawing.symbols.length, 1)}px`;
  state.frame.style.cssText = `left:${drawing.picked * state.pitch}px;width:${state.pitch}px`;
  axis(state);
  columns(state);
  running(state);
}

/** Scroll the picked column into view. */
function reveal(/** @type {State<"surprise">} */ state) {
  const left = state.drawing.picked * state.pitch, { scrollLeft, clientWidth } = state.scroller;
  if (left < scrollLeft || left + state.pitch > scrollLeft + clientWidth)
    state.scroller.scrollLeft = left - clientWidth / 2;
}

function axis(/** @type {State<"surprise">} */ state) {
  const { drawing, mode } = state, signed = mode === "difference";
  const top = signed ? drawing.difference.top : drawing.top;
  const marks = signed ? [[top, `+${top / 100}`], [0, "0"], [-top, `−${top / 100}`]] : drawing.ticks;
  const y = (value) => BARS * (signed ? (1 - value / top) / 2 : 1 - value / top);
  if (!changed(state, "ticked", [marks, drawing.running_top])) return;
  const at = (px) => ({ style: `top: ${px}px` });
  const label = (words, px) => el("span", at(px), words), line = (px) => el("i", at(px));
  state.ticks.replaceChildren(...marks.map(([value, words]) => label(words, y(value))),
    label(drawing.running_top, HEIGHT - RUN), label("1", HEIGHT));
  state.lines.replaceChildren(...marks.map(([value]) => line(y(value))), line(HEIGHT - RUN), line(HEIGHT - 1));
}

function columns(/** @type {State<"surprise">} */ state) {
  const { drawing, pitch, scroller } = state;
  // A text that became shorter ends before the place scrolled to, until the browser has laid it out.
  const left = Math.max(0, Math.min(scroller.scrollLeft, pitch * drawing.symbols.length - scroller.clientWidth));
  const from = Math.max(0, Math.floor(left / pitch) - 4);
  const to = Math.min(drawing.symbols.length, Math.ceil((left + scroller.clientWidth) / pitch) + 4);
  while (state.columns.length > to - from) state.columns.pop().remove();
  while (state.columns.length < to - from) state.columns.push(
    state.plot.appendChild(el("div.column", {}, el("div.bar"), el("div.dash"), el("bdi.cell"))));
  state.columns.forEach((node, j) => column(state, node, from + j));
}

function column(/** @type {State<"surprise">} */ state, node, i) {
  const { drawing, pitch, mode } = state, [bar, dash, cell] = node.children;
  node.style.left = `${i * pitch}px`;
  node.style.width = `${pitch}px`;
  setText(cell, drawing.symbols[i]);
  node.classList.toggle("picked", i === drawing.picked);
  const shade = i > 0 ? drawing.shades[i - 1] : null;
  state.size.shade(cell, shade);
  bar.hidden = dash.hidden = i === 0;
  if (i === 0) return;
  if (mode === "difference") {
    const gain = drawing.difference.gain[i - 1], size = (BARS / 2) * (Math.abs(gain) / drawing.difference.top);
    bar.className = `bar ${gain < 0 ? "loses" : "gains"}`;
    bar.style.cssText = `top:${gain < 0 ? BARS / 2 : BARS / 2 - size}px;height:${Math.max(size, 1)}px`;
    dash.hidden = true;
  } else {
    const nats = drawing.nats[i - 1], height = (value) => (value < 0 ? BARS : (BARS * value) / drawing.top);
    bar.className = `bar${nats < 0 ? " impossible" : ""}`;
    const [top, high] = [BARS - height(nats), Math.max(height(nats), 1)];
    bar.style.cssText = `top:${top}px;height:${high}px;background:${state.size.css(shade)}`;
    dash.hidden = !drawing.beside.length;
    if (drawing.beside.length) dash.style.top = `${BARS - height(drawing.beside[i - 1]) - 1.5}px`;
  }
}

function running(/** @type {State<"surprise">} */ state) {
  const { drawing, pitch } = state, y = (height) => 4 + RUN - (RUN * height) / 1000;
  const points = drawing.running.map((height, i) => `${((i + 1.5) * pitch).toFixed(1)} ${y(height).toFixed(1)}`);
  const last = drawing.running.length - 1;
  write(state.running, "width", pitch * drawing.symbols.length);
  write(state.path, "d", points.length > 1 ? `M${points.join("L")}` : "");
  write(state.dot, "cx", (last + 1.5) * pitch);
  write(state.dot, "cy", y(drawing.running[last]));
  state.run_label.style.top = `${drawing.running[last] > 500 ? HEIGHT - 19 : HEIGHT - RUN}px`;
  setText(state.run_label, _("running perplexity {perplexity}", { perplexity: drawing.running_words[last] }));
}
