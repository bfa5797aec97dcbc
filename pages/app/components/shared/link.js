// One play head for all pictures of a page: the components share this module, even from different shadow roots.
// step: the step of the play head, whose numbers are shown; sub: its sub-step; back: whether the pass is backward;
// hover: the column under the pointer; unit: the number of the hidden unit that is marked in all pictures; cell: the
// loss t and the state k under the pointer, with a description in words; held: the cell that was clicked.

import { requestedPlayhead, setTarget, writePlayhead } from "./target.js";

const LAST = 5; // the last sub-step: after a jump, the step is shown completed
const links = new Map(), URL_DELAY = 500; // ms after which the position is written into the URL

export function link(name) {
  if (!links.has(name)) links.set(name, makeLink());
  return links.get(name);
}

/** Make all play heads take the position in this URL, before an internal link is opened without a page load. */
export function beforeNavigation(href) {
  setTarget(href);
  for (const playhead of links.values()) playhead.reset();
}

function makeLink() {
  const listeners = new Set();
  const at = { text: null, T: 1, step: 0, sub: LAST, slow: false, back: false, folded: false, hover: null, unit: null,
    cell: null, held: null };
  const notify = () => listeners.forEach((listener) => listener(at));
  let initial = {}, requested = null, timer = null; // default position; position in the URL
  const self = {}, updateUrl = () => {
    clearTimeout(timer);
    const isInitial = () => at.step === initial.step && at.back === initial.back;
    if (self.inUrl) timer = setTimeout(() => writePlayhead(isInitial() ? null : at), URL_DELAY);
  };
  return Object.assign(self, {
    at,
    inUrl: true, // whether the position is written into the URL
    begun: null, // the text for which `begin` was called
    reset() {
      this.onLeave();
      clearTimeout(timer);
      at.text = this.begun = null;
    },
    shared: {}, // data that one component has and others use: the states of all units, the generated texts
    share(what) {
      Object.assign(this.shared, what);
      notify();
    },
    /** For a new text, move the play head to the last step, for the first text to the position in the URL. New data of
     * the same text keep the position. */
    follow(text, T) {
      if (text === at.text) return;
      requested = requestedPlayhead(T);
      initial = { step: T - 1, back: at.back };
      Object.assign(at, { text, T, sub: LAST, hover: null, unit: null, cell: null, held: null }, requested ?? initial);
      updateUrl();
    },
    /** Begin in the backward pass at `step`, once per text, unless the URL has a position. */
    begin(text, step) {
      if (text === this.begun) return;
      this.begun = text;
      initial = { step: Math.min(step, at.T - 1), back: true };
      if (!requested) this.set({ ...initial, sub: LAST });
      updateUrl();
    },
    /** Set the column under the pointer, or null; touch does not hover. */
    hover(t, event) { if (event?.pointerType !== "touch") this.set({ hover: t }); },
    /** Move the play head to column t, clamped to the text, apply `changes`, and release a held cell. */
    go(t, changes) {
      this.set({ step: Math.max(0, Math.min(at.T - 1, t)), sub: LAST, cell: null, held: null, ...changes });
      this.onGo();
    },
    onGo() {}, // set by a player, which restarts its interval
    onLeave() {}, // set by a player, which pauses: else the next page's URL would get its position
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
