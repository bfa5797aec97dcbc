// One play head for all pictures of a page: the components on it share this module, whatever shadow roots they live in.
// step: where the play head stands, of which all numbers speak; sub: the named part of the step; back: whether the pass
// is the one backward; hover: a column that is only lit; unit: the number of the unit that is marked everywhere; cell:
// the loss t and the state k that are pointed at together, in words too; held: one that was clicked.

import { following, headAsked, keepHead } from "./address.js";

const LAST = 5; // sub-step: a step that is gone to is complete
const links = new Map(), RESTED = 500; // ms after which the address follows the play head

export function link(name) {
  if (!links.has(name)) links.set(name, makeLink());
  return links.get(name);
}

/** Another place of these pages is about to be opened: all play heads stand where its address puts them. */
export function leaveFor(href) {
  following(href);
  for (const one of links.values()) one.forget();
}

function makeLink() {
  const listeners = new Set();
  const at = { text: null, T: 1, step: 0, sub: LAST, slow: false, back: false, folded: false, hover: null, unit: null,
    cell: null, held: null };
  const notify = () => listeners.forEach((listener) => listener(at));
  let rest = {}, asked = null, waiting = null; // where the head is by itself, and where a link puts it
  const self = {}, keep = () => {
    clearTimeout(waiting);
    const rests = () => at.step === rest.step && at.back === rest.back;
    if (self.kept) waiting = setTimeout(() => keepHead(rests() ? null : at), RESTED);
  };
  return Object.assign(self, {
    at,
    kept: true, // whether the address follows the head
    begun: null, // the text for which it was put where the drawing begins
    forget() {
      this.onLeave();
      clearTimeout(waiting);
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
      asked = headAsked(T);
      rest = { step: T - 1, back: at.back };
      Object.assign(at, { text, T, sub: LAST, hover: null, unit: null, cell: null, held: null }, asked ?? rest);
      keep();
    },
    /** A drawing with a way back begins on it, once for every text. */
    begin(text, step) {
      if (text === this.begun) return;
      this.begun = text;
      rest = { step: Math.min(step, at.T - 1), back: true };
      if (!asked) this.set({ ...rest, sub: LAST });
      keep();
    },
    /** The pointer is over column t, or over none (null); a finger does not hover. */
    hover(t, event) { if (event?.pointerType !== "touch") this.set({ hover: t }); },
    /** Set the play head to column t, within the text, and these changes with it; nothing is held any more. */
    go(t, changes) {
      this.set({ step: Math.max(0, Math.min(at.T - 1, t)), sub: LAST, cell: null, held: null, ...changes });
      this.onGo();
    },
    onGo() {}, // whoever plays begins its time anew
    onLeave() {}, // whoever plays pauses: else its head would stand in the address of the next place
    set(changes) {
      if (Object.entries(changes).every(([name, value]) => at[name] === value)) return;
      Object.assign(at, changes);
      if ("step" in changes || "back" in changes) keep();
      notify();
    },
    /** Call `listener` at every change; with a `node`, only while that is in view, and when it comes into view. */
    listen(listener, node) {
      let seen = !node;
      const hear = () => seen && listener(at);
      const watcher = node && new IntersectionObserver((entries) => {
        seen = entries.at(-1).isIntersecting;
        hear();
      });
      watcher?.observe(node);
      listeners.add(hear);
      return () => {
        listeners.delete(hear);
        watcher?.disconnect();
      };
    },
  });
}
