// What the components share: the themed root, building elements, icons, and sending values to Python at a bearable rate.

const state = new WeakMap();

/** The component's root element and a place to keep things between two updates. */
export function paper(parent, name) {
  const root = parent.querySelector(`.paper.${name}`);
  root.dataset.theme = isDark(root) ? "dark" : "light";
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

/** What a component gives back to be told of its end: Streamlit calls it also when one update overtakes another. Should the
    component ever come back, it begins anew. */
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

/** Write only what changed, so that a selection or a tooltip survives an update. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

const PATHS = {
  play: "M7 4.5v15l12-7.5z",
  pause: "M6.5 5h4v14h-4zM13.5 5h4v14h-4z",
  step: "M5 5v14l9-7zM16 5h3v14h-3z",
  undo: "M9 5 4 10l5 5v-3.5h5a4 4 0 0 1 0 8H8V22h6a6.5 6.5 0 0 0 0-13H9z",
  reset: "M12 5a7.5 7.5 0 1 1-7.3 9.2l2.4-.6A5 5 0 1 0 12 7.500v3.3L6.300 6.200 12 1.800z",
  flag: "M5 3h2.200v1.200h11l-2.600 4.300 2.600 4.300H7.200V21H5z",
};

export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  svg.classList.add("icon");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", PATHS[name]);
  svg.append(path);
  return svg;
}

/** Calls `send` at most every `every` ms with the newest value; the last one always arrives. */
export function throttled(send, every = 100) {
  let last = 0, timer = null, waiting = null;
  const now = () => { timer = null; last = performance.now(); send(...waiting); };
  return (...value) => {
    waiting = value;
    if (timer === null) timer = setTimeout(now, Math.max(0, every - (performance.now() - last)));
  };
}

/**
 * A range input that follows Python except while a hand is on it.
 * `offer(value)` sets it from Python; `onmove(value, done)` is called while dragging and once at the end. Just after a move
 * an offer may be older than it and is passed over; `release()` ends that.
 */
export function slider({ label, min = 0, max = 1, step = "any", onmove, says }) {
  const input = el("input", { type: "range", min, max, step, "aria-label": label });
  let held = false, quietUntil = 0;
  const tell = (done) => {
    quietUntil = performance.now() + 700;
    paint();
    onmove(Number(input.value), done);
  };
  const paint = () => {
    const share = (input.value - input.min) / (input.max - input.min || 1);
    input.style.setProperty("--share", `${100 * share}%`);
    input.setAttribute("aria-valuetext", says(Number(input.value)));
  };
  input.onpointerdown = () => { held = true; };
  input.onpointerup = input.onpointercancel = () => { held = false; };
  input.oninput = () => tell(false);
  input.onchange = () => { held = false; tell(true); };
  const offer = (value) => {
    if (held || performance.now() < quietUntil) return;
    if (Number(input.value) !== value) input.value = value;
    paint();
  };
  return { input, offer, release: () => { quietUntil = 0; } };
}

/** Buttons of which one is chosen. */
export function segments({ label, options, onchoose }) {
  const buttons = options.map(([value, text]) =>
    el("button.segment", { type: "button", onclick: () => onchoose(value), "data-value": value }, text));
  const offer = (chosen) => buttons.forEach((b) => b.setAttribute("aria-pressed", String(b.dataset.value === String(chosen))));
  return { node: el("div.segments", { role: "group", "aria-label": label }, ...buttons), offer };
}
