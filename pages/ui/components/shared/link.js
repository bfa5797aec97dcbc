// One play head for all pictures of a page: the components on it share this module, whatever shadow roots they live in.
// step: where the play head stands; sub: the named part of the step; back: whether the pass is the one backward; hover,
// pin: a column looked at instead; cell: the loss t and the state k that are pointed at together, in words too; held:
// one that was clicked.

const links = new Map();

export function link(name) {
  if (!links.has(name)) links.set(name, makeLink());
  return links.get(name);
}

function makeLink() {
  const listeners = new Set();
  const at = { text: null, T: 1, step: 0, sub: 5, slow: false, back: false, folded: false, hover: null, pin: null,
    unit: null, cell: null, held: null };
  const tell = () => listeners.forEach((listener) => listener(at));
  return {
    at,
    shared: {}, // what one component decoded and others use: the states of all units
    share(what) {
      Object.assign(this.shared, what);
      tell();
    },
    /** The column whose numbers are shown. */
    get shown() { return at.hover ?? at.pin ?? at.step; },
    /**
     * Another text puts the head at its end, where all is drawn; the same text with new numbers leaves it where it is.
     */
    follow(text, T) {
      if (text !== at.text)
        Object.assign(at, { text, T, step: T - 1, sub: 5, hover: null, pin: null, cell: null, held: null });
    },
    /** A drawing with a way back begins on it, once for every text. */
    begin(text, step) {
      if (text === this.begun) return;
      this.begun = text;
      this.set({ back: true, step: Math.min(step, at.T - 1), sub: 5 });
    },
    /** The pointer is over column t, or over none (null); a finger does not hover. */
    hover(t, event) { if (event?.pointerType !== "touch") this.set({ hover: t }); },
    /** Column t is clicked: pinned, or let go; `changes` come with it. */
    pin(t, changes) { this.set({ pin: at.pin === t ? null : t, ...changes }); },
    set(changes) {
      if (Object.entries(changes).every(([name, value]) => at[name] === value)) return;
      Object.assign(at, changes);
      tell();
    },
    /**
     * Calls `listener` at every change, where a `node` is given only while that can be seen, and when it comes into
     * view.
     */
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
  };
}
