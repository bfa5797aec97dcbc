// What the components share: the themed root, building elements, and values that are sent as fast as Python answers.

const state = new WeakMap();

/** Whether all is drawn for paper, which is white. */
export const print = { on: false };

/**
 * The component's root element and a place to keep things between two updates.
 * @template {string} Name
 * @param {HTMLElement} parent
 * @param {Name} name
 * @returns {[HTMLElement, State<Name>]}
 */
export function paper(parent, name) {
  const root = /** @type {HTMLElement} */ (parent.querySelector(`.paper.${name}`));
  root.dataset.theme = !print.on && isDark(root) ? "dark" : "light";
  const { presenting, scene } = document.documentElement.dataset;
  if (presenting === undefined) delete root.dataset.presenting;
  else root.dataset.presenting = scene === undefined ? "" : "scene";
  if (!state.has(root)) state.set(root, {});
  return [root, state.get(root)];
}

let dark = false, known = null; // whether the page is dark, and the theme of which that is known

/** Whether the page is dark. Computed once a theme: to read a style, the browser has to style all that has changed. */
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

/** The cleanup function of a component. Streamlit calls it also between two updates: then the root is still
 * connected. */
export const leaving = (root, leave) => () => {
  if (root.isConnected) return;
  leave();
  state.delete(root);
  root.replaceChildren();
};

/** el("button.filled", {title: "Play", onclick}, child, "text"): text is always text, never markup. */
export function el(spec, attributes = {}, ...children) {
  const [tag, ...classes] = spec.split(".");
  const node = document.createElement(tag);
  node.className = classes.join(" ");
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

/** Whether `value` is another than at the last call with this name: what is built for it is built once. */
export function changed(state, name, value) {
  const before = state[name];
  state[name] = JSON.stringify(value);
  return state[name] !== before;
}

/** The `many` children of a list: existing ones are kept, with their selection; `make(i)` makes a new one. */
export function listed(list, many, make) {
  while (list.children.length > many) list.lastChild.remove();
  while (list.children.length < many) list.append(make(list.children.length));
  return [...list.children];
}

/** What the arrow keys move in a table of cells: [rows, columns]. */
export const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/** Write only what changed, so that a selection or a tooltip survives an update. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

// ms that an answer may take; twice as long as it took beyond that, up to LONGEST, nothing is sent: others wait, too.
const SOON = 250, REST = 2, LONGEST = 1000;

/** `send(...value)` with backpressure: until the promise that it returned is resolved, and `every` ms have passed (more
 * after a slow answer), newer values wait, and only the newest of them is sent. Without a promise this is a throttle.
 * The last value is always sent. A call returns a promise that is resolved once nothing is sent or waits; `flush()`
 * sends at once what waits, before another message. */
export function conflated(send, every = 100) {
  let waiting = null, timer = null, underWay = 0, last = -Infinity, free = -Infinity, idle = null;
  const next = () => {
    if (underWay || timer !== null) return;
    if (waiting) timer = setTimeout(flush, Math.max(0, free - performance.now()));
    else {
      idle.resolve();
      idle = null;
    }
  };
  const answered = () => {
    const now = performance.now(), late = Math.max(0, now - last - SOON);
    free = Math.max(last + every, now + Math.min(LONGEST, REST * late));
    underWay -= 1;
    next();
  };
  const flush = () => {
    clearTimeout(timer);
    timer = null;
    if (!waiting) return;
    const value = waiting;
    waiting = null;
    last = performance.now();
    underWay += 1;
    const answer = send(...value);
    if (answer?.then) answer.then(answered);
    else answered();
  };
  const call = (...value) => {
    waiting = value;
    idle ??= deferred();
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

/** A promise, and the function that resolves it. */
export function deferred() {
  let resolve = null;
  const promise = new Promise((done) => { resolve = done; });
  return { promise, resolve };
}

/** Values from Python, for `show(...value)`. One that comes before the answer to what the reader did may be older than
 * that: it waits until all promises given to `until` are resolved; the newest is shown. */
export function offers(show) {
  let unanswered = 0, kept = null;
  const take = () => {
    if (unanswered || !kept) return;
    const value = kept;
    kept = null;
    show(...value);
  };
  const offer = (...value) => {
    kept = value;
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
 * A range input that follows Python except while a hand is on it or what it did is unanswered.
 * `offer(value)` sets it from Python; `onmove(value, done)` is called while dragging and once at the end, and returns a
 * promise of the answer, if there is to be one. `says(value, byHand)` hears of every place where it stands, and gives
 * its words.
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
  const { offer, until } = offers((value) => {
    if (Number(input.value) !== value) input.value = value;
    paint(false);
  });
  const tell = (done) => {
    moved = !done;
    paint(true);
    until(onmove(Number(input.value), done));
  };
  const letGo = () => {
    if (moved) tell(true); // a browser fires no change event where the handle is back at the place where the drag began
    held?.resolve();
    held = null;
  };
  input.onpointerdown = () => {
    if (held) return;
    held = deferred();
    until(held.promise);
  };
  input.onpointerup = input.onpointercancel = () => setTimeout(letGo); // after the change event, which reads the value
  input.oninput = () => tell(false);
  input.onchange = () => {
    tell(true);
    letGo();
  };
  return { input, offer };
}

/** Where place `i` of `many` lies on the track of a slider, whose handle is 18 px wide. */
export const placeOf = (i, many) => `calc(9px + ${i / Math.max(many - 1, 1)} * (100% - 18px))`;

/** A slider over places with words: `said` shows those of the present place, or what is offered with it, set by `show`.
 * Moves by hand are conflated; `flush()` sends the last one. */
export function worded({ label, words, onmove, every = 100, said = el("b"), show = (text) => setText(said, text) }) {
  let names = words, offered = { place: -1, says: "" };
  const says = (place, byHand) => {
    const text = !byHand && place === offered.place && offered.says ? offered.says : names[place];
    show(text);
    return text;
  };
  const send = conflated(onmove, every);
  const part = slider({ label, max: words.length - 1, step: 1, says, onmove: send });
  const offer = (place, is, others = names) => {
    names = others;
    offered = { place, says: is };
    part.offer(place);
  };
  return { ...part, said, offer, flush: send.flush };
}

/** Buttons of which one is chosen. */
export function segments({ label, options, onchoose }) {
  const buttons = options.map(([value, text]) =>
    el("button.segment", { type: "button", onclick: () => onchoose(value), "data-value": value }, text));
  const offer = (chosen) =>
    buttons.forEach((b) => b.setAttribute("aria-pressed", String(b.dataset.value === String(chosen))));
  return { node: el("div.segments", { role: "group", "aria-label": label }, ...buttons), offer };
}
