// What the components share: the themed root, building elements, and sending values to Python at a bearable rate.

const state = new WeakMap();

/** Whether all is drawn for paper, which is white. */
export const print = { on: false };

/** The component's root element and a place to keep things between two updates. */
export function paper(parent, name) {
  const root = parent.querySelector(`.paper.${name}`);
  root.dataset.theme = !print.on && isDark(root) ? "dark" : "light";
  const { presenting, scene } = document.documentElement.dataset;
  if (presenting === undefined) delete root.dataset.presenting;
  else root.dataset.presenting = scene === undefined ? "" : "scene";
  if (!state.has(root)) state.set(root, {});
  return [root, state.get(root)];
}

function isDark(root) {
  const colour = getComputedStyle(root).getPropertyValue("--st-background-color").trim();
  const hex = colour.match(/^#?([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})/i);
  if (!hex) return matchMedia("(prefers-color-scheme: dark)").matches;
  const [r, g, b] = hex.slice(1).map((part) => parseInt(part, 16));
  return 0.3 * r + 0.6 * g + 0.1 * b < 128;
}

/**
 * What a component gives back to be told of its end: Streamlit calls it also when one update overtakes another. Should
 * the component ever come back, it begins anew.
 */
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

/** Whether `value` is another than at the last call with this name: what is built for it is built once. */
export function changed(state, name, value) {
  const before = state[name];
  state[name] = JSON.stringify(value);
  return state[name] !== before;
}

/**
 * The `many` children of a list; those that were there stay, so that a selection survives. `make(i)` makes a new one.
 */
export function listed(list, many, make) {
  while (list.children.length > many) list.lastChild.remove();
  while (list.children.length < many) list.append(make(list.children.length));
  return [...list.children];
}

/** Write only what changed, so that a selection or a tooltip survives an update. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** Sends what a hand moves to Python, with a number, so that the same value twice is heard twice. */
export function mover(state, setStateValue) {
  state.count ??= 0;
  return (message) => setStateValue("move", { ...message, count: ++state.count });
}

/** Calls `send` at most every `every` ms with the newest value; the last one always arrives. */
export function throttled(send, every = 100) {
  let last = 0, timer = null, waiting = null;
  const now = () => {
    timer = null;
    last = performance.now();
    send(...waiting);
  };
  return (...value) => {
    waiting = value;
    if (timer === null) timer = setTimeout(now, Math.max(0, every - (performance.now() - last)));
  };
}

const QUIET = 700; // ms after a move of a hand in which an offer may be older than it

/**
 * A range input that follows Python except while a hand is on it.
 * `offer(value)` sets it from Python; `onmove(value, done)` is called while dragging and once at the end. An offer that
 * comes just after a move waits, unless a newer one comes; `release()` ends that. `says(value, byHand)` hears of every
 * place where it stands, and gives its words.
 * @param {{label: string, min?: number, max?: number, step?: number | "any", onmove: Function, says: Function}} options
 */
export function slider({ label, min = 0, max = 1, step = "any", onmove, says }) {
  const input = el("input", { type: "range", min, max, step, "aria-label": label });
  let held = false, quietUntil = 0, waiting = 0;
  const tell = (done) => {
    quietUntil = performance.now() + QUIET;
    paint(true);
    onmove(Number(input.value), done);
  };
  const paint = (byHand) => {
    const share = (input.value - input.min) / (input.max - input.min || 1);
    input.style.setProperty("--share", `${100 * share}%`);
    input.setAttribute("aria-valuetext", says(Number(input.value), byHand));
  };
  input.onpointerdown = () => { held = true; };
  input.onpointerup = input.onpointercancel = () => { held = false; };
  input.oninput = () => tell(false);
  input.onchange = () => {
    held = false;
    tell(true);
  };
  const offer = (value) => {
    clearTimeout(waiting);
    const wait = held ? QUIET : quietUntil - performance.now();
    if (wait > 0) {
      waiting = setTimeout(() => offer(value), wait);
      return;
    }
    if (Number(input.value) !== value) input.value = value;
    paint(false);
  };
  return { input, offer, release: () => { quietUntil = 0; } };
}

/**
 * A slider over places that have words; `said` shows those of the present one, or what is offered with it, wherever
 * `show` puts them. A hand's moves are heard every so many ms at most.
 */
export function worded({ label, words, onmove, every = 100, said = el("b"), show = (text) => setText(said, text) }) {
  let names = words, offered = { place: -1, says: "" };
  const says = (place, byHand) => {
    const text = !byHand && place === offered.place && offered.says ? offered.says : names[place];
    show(text);
    return text;
  };
  const part = slider({ label, max: words.length - 1, step: 1, says, onmove: throttled(onmove, every) });
  const offer = (place, is, others = names) => {
    names = others;
    offered = { place, says: is };
    part.offer(place);
  };
  return { ...part, said, offer };
}

/** Buttons of which one is chosen. */
export function segments({ label, options, onchoose }) {
  const buttons = options.map(([value, text]) =>
    el("button.segment", { type: "button", onclick: () => onchoose(value), "data-value": value }, text));
  const offer = (chosen) =>
    buttons.forEach((b) => b.setAttribute("aria-pressed", String(b.dataset.value === String(chosen))));
  return { node: el("div.segments", { role: "group", "aria-label": label }, ...buttons), offer };
}
