// One play head for all pictures of a page: the components on it share this module, whatever shadow roots they live in.
// step: where the play head stands, of which all numbers speak; sub: the named part of the step; back: whether the pass
// is the one backward; hover: a column that is only lit; unit: the number of the unit that is marked everywhere; cell:
// the loss t and the state k that are pointed at together, in words too; held: one that was clicked.

import { requestedPlayhead, setTarget, writePlayhead } from "./url.js";

const LAST = 5; // sub-step: a step that is gone to is complete
const links = new Map(), URL_DELAY = 500; // ms after which the position is written into the URL

export function link(name) {
  if (!links.has(name)) links.set(name, makeLink());
  return links.get(name);
}

/** Before a link within these pages is opened without a load: all play heads take the position in its URL. */
export function beforeNavigation(href) {
  setTarget(href);
  for (const playhead of links.values()) playhead.reset();
}

function makeLink() {
  const listeners = new Set();
  const at = { text: null, T: 1, step: 0, sub: LAST, slow: false, back: false, folded: false, hover: null, unit: null,
    cell: null, held: null };
  const notify = () => listeners.forEach((listener) => listener(at));
  let initial = {}, requested = null, timer = null; // the positions without a link and in the URL
  const self = {}, updateUrl = () => {
    clearTimeout(timer);
    const isInitial = () => at.step === initial.step && at.back === initial.back;
    if (self.inUrl) timer = setTimeout(() => writePlayhead(isInitial() ? null : at), URL_DELAY);
  };
  return Object.assign(self, {
    at,
    inUrl: true, // whether the URL has the position
    begun: null, // the text for which `begin` was called
    reset() {
      this.onLeave();
      clearTimeout(timer);
      at.text = this.begun = null;
    },
    shared: {}, // what one component decoded and others use: the states of all units
    share(what) {
      Object.assign(this.shared, what);
      notify();
    },
    /** Another text sets the head to its end, the first text to where the link says; new numbers of the same text keep
     * it. */
    follow(text, T) {
      if (text === at.text) return;
      requested = requestedPlayhead(T);
      initial = { step: T - 1, back: at.back };
      Object.assign(at, { text, T, sub: LAST, hover: null, unit: null, cell: null, held: null }, requested ?? initial);
      updateUrl();
    },
    /** A drawing with a way back begins on it, once for every text. */
    begin(text, step) {
      if (text === this.begun) return;
      this.begun = text;
      initial = { step: Math.min(step, at.T - 1), back: true };
      if (!requested) this.set({ ...initial, sub: LAST });
      updateUrl();
    },
    /** The pointer is over column t, or over none (null); a finger does not hover. */
    hover(t, event) { if (event?.pointerType !== "touch") this.set({ hover: t }); },
    /** Set the play head to column t, within the text, and these changes with it; nothing is held any more. */
    go(t, changes) {
      this.set({ step: Math.max(0, Math.min(at.T - 1, t)), sub: LAST, cell: null, held: null, ...changes });
      this.onGo();
    },
    onGo() {}, // a player starts its interval anew
    onLeave() {}, // a player pauses: else its position would be in the URL of the next page
    set(changes) {
      if (Object.entries(changes).every(([name, value]) => at[name] === value)) return;
      Object.assign(at, changes);
      if ("step" in changes || "back" in changes) updateUrl();
      notify();
    },
    /** Call `listener` at every change; with a `node`, only while that is in view, and when it comes into view. */
    listen(listener, node) {
      let visible = !node;
      const call = () => visible && listener(at);
      const observer = node && new IntersectionObserver((entries) => {
        visible = entries.at(-1).isIntersecting;
        call();
      });
      observer?.observe(node);
      listeners.add(call);
      return () => {
        listeners.delete(call);
        observer?.disconnect();
      };
    },
  });
}
