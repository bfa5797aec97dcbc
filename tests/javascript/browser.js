// A simulated browser for tests: jsdom's document, a clock that moves only with `clock.pass(ms)`, and observers that
// are called only by `see(node, is)`.

import { JSDOM, VirtualConsole } from "jsdom";

String.prototype.toWellFormed ??= function () { return this.replace(/\p{Surrogate}/gu, "\ufffd"); }; // before Node 20
Promise.withResolvers ??= function () { // before Node 22
  let resolve = null, reject = null;
  const promise = new Promise((...both) => { [resolve, reject] = both; });
  return { promise, resolve, reject };
};

/** The errors of event handlers. */
export const complaints = [];
const virtualConsole = new VirtualConsole();
virtualConsole.on("jsdomError", (error) => complaints.push(`${error.message} ${error.detail?.stack ?? ""}`));

const { window } = new JSDOM("<!doctype html><body></body>", { virtualConsole, url: "http://localhost/" });
const NAMES = ["document", "Node", "Element", "HTMLElement", "Event", "CustomEvent", "KeyboardEvent",
  "getComputedStyle", "MutationObserver"];
for (const name of NAMES) globalThis[name] = window[name];
globalThis.window = window;
globalThis.matchMedia = () => ({ matches: false });

/** Accepts any property access or call without effect: stands for a canvas, an animation, plotly. */
export const fake = new Proxy(() => fake, { get: (_, key) => (key === "then" || key === Symbol.iterator ? undefined
  : key === "data" ? { fill() {}, set() {} } : key === "finished" ? Promise.resolve() : fake), set: () => true });

globalThis.CSS = { escape: (text) => text };
globalThis.devicePixelRatio = 1;
globalThis.Plotly = window.Plotly = { react: async () => {}, relayout() {}, purge() {}, Fx: fake };
window.plotlyLoading = Promise.resolve();
window.HTMLCanvasElement.prototype.getContext = () => fake;
Object.assign(window.Element.prototype, { animate: () => fake, scrollTo() {}, on() {} });
Object.defineProperty(window.HTMLElement.prototype, "offsetParent", { get() { return this.parentElement; } });
Object.defineProperty(window.Element.prototype, "clientWidth", { get: () => 900 });
window.Element.prototype.getBoundingClientRect = () => ({ left: 0, top: 0, width: 900, height: 300 });
const opened = (open) => function () { this.open = open; };
Object.assign(window.HTMLDialogElement.prototype, { showModal: opened(true), close: opened(false) });
window.document.elementsFromPoint = () => [];
window.open = () => null; // as in a browser that blocks pop-ups
const { click } = window.HTMLElement.prototype;
window.HTMLAnchorElement.prototype.click = function () { // jsdom would navigate to a download
  if (!this.download) click.call(this);
};

/** The simulated time in ms and the pending timers; `pass(ms)` advances the time and calls those that are due. */
export const clock = {
  now: 0,
  waiting: new Map(),
  count: 0,
  set(call, delay) {
    clock.count += 1;
    clock.waiting.set(clock.count, { call, due: clock.now + delay });
    return clock.count;
  },
  pass(ms) {
    const end = clock.now + ms;
    for (;;) {
      const next = [...clock.waiting].filter(([, { due }]) => due <= end).sort(([, a], [, b]) => a.due - b.due)[0];
      if (!next) break;
      clock.waiting.delete(next[0]);
      clock.now = Math.max(clock.now, next[1].due);
      next[1].call(clock.now);
    }
    clock.now = end;
  },
};

/** Resolves after all callbacks of promises that are resolved by now have run. */
export const settled = () => new Promise((done) => { setImmediate(done); });

globalThis.setTimeout = (call, delay = 0, ...given) => clock.set(() => call(...given), delay);
globalThis.clearTimeout = (id) => clock.waiting.delete(id);
globalThis.requestAnimationFrame = (call) => clock.set(call, 16);
globalThis.cancelAnimationFrame = (id) => clock.waiting.delete(id);
Object.defineProperty(globalThis, "performance", { value: { now: () => clock.now } });

/** The active observers: `see(node, is)` calls those of a node with whether it intersects the viewport. */
const observers = new Set();
class Observer {
  constructor(hear) { this.hear = hear; }
  observe(node) {
    this.node = node;
    observers.add(this);
  }

  disconnect() { observers.delete(this); }
}
globalThis.IntersectionObserver = Observer;
globalThis.ResizeObserver = Observer;

export function see(node, isIntersecting) {
  const contentRect = { width: 900, height: 300 };
  for (const observer of observers) if (observer.node === node) observer.hear([{ isIntersecting, contentRect }]);
}

/** A component's root element in the document, with both colour scales as CSS variables. */
export function root(name = "test") {
  const node = document.createElement("div");
  node.className = `component ${name}`;
  const grey = (i) => `#${(i * 42).toString(16).padStart(2, "0").repeat(3)}`;
  for (let i = 0; i < 7; i++) {
    node.style.setProperty(`--sequential-${i}`, grey(i));
    node.style.setProperty(`--diverging-${i}`, grey(6 - i));
  }
  document.body.replaceChildren(node);
  return node;
}

export function fire(node, type) {
  if (type.startsWith("pointer")) node[`on${type}`]?.({ type }); // jsdom does not support these on... handlers
  node.dispatchEvent(new window.Event(type, { bubbles: true }));
}
