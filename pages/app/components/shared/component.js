// Helpers of all components: the themed root, elements, and values that are sent as fast as Python answers.

const state = new WeakMap();

let printing = false; // components are then drawn in the light palette

/** Call `draw(is)` when printing begins and ends. */
export function onPrinting(draw) {
  const set = (is) => {
    if (printing === is) return;
    printing = is;
    draw(is);
  };
  window.addEventListener("beforeprint", () => set(true));
  window.addEventListener("afterprint", () => set(false));
  matchMedia("print").addEventListener?.("change", ({ matches }) => set(matches));
}

/**
 * The component's root element, and its state between updates.
 * @template {string} Name
 * @param {HTMLElement} parent
 * @param {Name} name
 * @returns {[HTMLElement, State<Name>]}
 */
export function rootOf(parent, name) {
  const root = /** @type {HTMLElement} */ (parent.querySelector(`.component.${name}`));
  root.dataset.theme = !printing && isDark(root) ? "dark" : "light";
  const { presenting, scene } = document.documentElement.dataset;
  if (presenting === undefined) delete root.dataset.presenting;
  else root.dataset.presenting = scene === undefined ? "" : "scene";
  if (!state.has(root)) state.set(root, {});
  return [root, state.get(root)];
}

let dark = false, known = null; // the last result of isDark, and its theme

/** Whether the page is dark. Computed once per theme: reading a style makes the browser recalculate changed styles. */
function isDark(root) {
  const theme = [document.documentElement.dataset.theme, document.querySelector(".stApp")?.className].join(" ");
  if (theme === known) return dark;
  const colour = getComputedStyle(root).getPropertyValue("--st-background-color").trim();
  const hex = colour.match(/^#?([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})/i);
  if (!hex) return matchMedia("(prefers-color-scheme: dark)").matches;
  const [r, g, b] = hex.slice(1).map((part) => parseInt(part, 16));
  [dark, known] = [0.3 * r + 0.6 * g + 0.1 * b < 128, theme];
  return dark;
}

/** The cleanup function of a component: calls `unmount()` once the root is removed. Streamlit calls it between updates,
 * too. */
export const onRemoval = (root, unmount) => () => {
  if (root.isConnected) return;
  unmount();
  state.delete(root);
  root.replaceChildren();
};

/** el("button.filled", {title: "Play", onclick}, child, "text"): text is always text, never markup. */
export function el(spec, attributes = {}, ...children) {
  const [tag, ...classes] = spec.split(".");
  const node = document.createElement(tag);
  node.className = classes.join(" ");
  if (tag === "button") node.setAttribute("type", "button"); // it submits no form
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node[name] = value;
    else if (name.startsWith("data-")) node.setAttribute(name, value);
    else if (value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

/** Elements without attributes, by name: elements({ number: "b.number", rows: "dl" }). */
export const elements = (specs) =>
  Object.fromEntries(Object.entries(specs).map(([name, spec]) => [name, el(spec)]));

/** Whether `value` differs from that of the last call with this name. */
export function changed(state, name, value) {
  const before = state[name];
  state[name] = JSON.stringify(value);
  return state[name] !== before;
}

/** The children of a list, which is cut or extended by `make(i)` to length `many`; existing ones keep a selection. */
export function resizeList(list, many, make) {
  while (list.children.length > many) list.lastChild.remove();
  while (list.children.length < many) list.append(make(list.children.length));
  return [...list.children];
}

/** Steps of the arrow keys in a table of cells: [rows, columns]. */
export const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/** Set the text if it changed, so that a selection or a tooltip survives an update. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** Set the texts that changed, by the names of their nodes: setTexts(state, { title, note }). */
export function setTexts(nodes, texts) {
  for (const [name, text] of Object.entries(texts)) setText(nodes[name], text);
}

// A slow answer means a busy server: after one that took more than SOON (ms), wait BACKOFF times the excess, LONGEST at
// most.
const SOON = 250, BACKOFF = 2, LONGEST = 1000;

/** `send(...value)` with backpressure: until the promise that it returned is resolved, and `every` ms have passed (more
 * after a slow answer), only the newest value waits; older ones are dropped. Without a promise this is a throttle. The
 * last value is always sent. A call returns a promise that is resolved when no value waits or is unanswered; `flush()`
 * sends the waiting value at once, before another message. */
export function conflated(send, every = 100) {
  let waiting = null, timer = null, unanswered = 0, last = -Infinity, earliest = -Infinity, idle = null;
  const next = () => {
    if (unanswered || timer !== null) return;
    if (waiting) timer = setTimeout(flush, Math.max(0, earliest - performance.now()));
    else {
      idle.resolve();
      idle = null;
    }
  };
  const answered = () => {
    const now = performance.now(), late = Math.max(0, now - last - SOON);
    earliest = Math.max(last + every, now + Math.min(LONGEST, BACKOFF * late));
    unanswered -= 1;
    next();
  };
  const flush = () => {
    clearTimeout(timer);
    timer = null;
    if (!waiting) return;
    const value = waiting;
    waiting = null;
    last = performance.now();
    unanswered += 1;
    const answer = send(...value);
    if (answer?.then) answer.then(answered);
    else answered();
  };
  const call = (...value) => {
    waiting = value;
    idle ??= Promise.withResolvers();
    next();
    return idle.promise;
  };
  return Object.assign(call, { flush });
}

/** Load plotly.js from this address. */
export const loadPlotly = (src) => new Promise((onload, reject) => {
  const onerror = () => reject(new Error("plotly.js did not load"));
  document.head.append(el("script", { src, onload, onerror }));
});

/** Show values from Python by `show(...value)`. While a message to Python is unanswered, they can be older than it, so
 * they wait until all promises given to `until` are resolved; then the newest is shown. */
export function deferWhileUnanswered(show) {
  let unanswered = 0, newest = null;
  const take = () => {
    if (unanswered || !newest) return;
    const value = newest;
    newest = null;
    show(...value);
  };
  const offer = (...value) => {
    newest = value;
    take();
  };
  const until = async (answer) => {
    unanswered += 1;
    await answer;
    unanswered -= 1;
    take();
  };
  return { offer, until };
}

/**
 * A range input. `offer(value)` sets it from Python, unless it is dragged or a move is unanswered. `onmove(value,
 * done)` is called while dragging and once at the end, and may return a promise of the answer. `says(value, byHand)` is
 * called with every value, and returns its text for assistive technology.
 * @param {{label: string, min?: number, max?: number, step?: number | "any", onmove: Function, says: Function}} options
 */
export function slider({ label, min = 0, max = 1, step = "any", onmove, says }) {
  const input = el("input", { type: "range", min, max, step, "aria-label": label });
  let held = null, moved = false;
  const paint = (byHand) => {
    const share = (input.value - input.min) / (input.max - input.min || 1);
    input.style.setProperty("--share", `${100 * share}%`);
    input.setAttribute("aria-valuetext", says(Number(input.value), byHand));
  };
  const { offer, until } = deferWhileUnanswered((value) => {
    if (Number(input.value) !== value) input.value = value;
    paint(false);
  });
  const sendMove = (done) => {
    moved = !done;
    paint(true);
    until(onmove(Number(input.value), done));
  };
  const release = () => {
    if (moved) sendMove(true); // browsers fire no change event if a drag ends where it began
    held?.resolve();
    held = null;
  };
  input.onpointerdown = () => {
    if (held) return;
    held = Promise.withResolvers();
    until(held.promise);
  };
  input.onpointerup = input.onpointercancel = () => setTimeout(release); // after the change event reads the value
  input.oninput = () => sendMove(false);
  input.onchange = () => {
    sendMove(true);
    release();
  };
  return { input, offer };
}

/** CSS position of value `i` of `many` on the track of a slider, whose handle is 18 px wide. */
export const placeOf = (i, many) => `calc(9px + ${i / Math.max(many - 1, 1)} * (100% - 18px))`;

/** A slider whose values have names. `show(text, place)` shows the name of the current value or the text offered with
 * it, by default in `output`. Moves are conflated; `flush()` sends the last one.
 * @param {{label: string, words: string[], onmove: Function, every?: number, output?: any, show?: Function}} options
 */
export function wordSlider({ label, words, onmove, every, output = el("b"), show = (text) => setText(output, text) }) {
  let names = words, offered = { place: -1, says: "" };
  const says = (place, byHand) => {
    const text = !byHand && place === offered.place && offered.says ? offered.says : names[place];
    show(text, place);
    return text;
  };
  const send = conflated(onmove, every);
  const part = slider({ label, max: words.length - 1, step: 1, says, onmove: send });
  const offer = (place, text = "", others = names) => {
    names = others;
    offered = { place, says: text };
    part.offer(place);
  };
  return { ...part, output, offer, flush: send.flush };
}

/** Buttons of which one is selected. */
export function segments({ label, options, onchoose }) {
  const buttons = options.map(([value, text]) =>
    el("button.segment", { onclick: () => onchoose(value), "data-value": value }, text));
  const offer = (chosen) =>
    buttons.forEach((b) => b.setAttribute("aria-pressed", String(b.dataset.value === String(chosen))));
  return { node: el("div.segments", { role: "group", "aria-label": label }, ...buttons), offer };
}
