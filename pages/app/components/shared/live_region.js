// An ARIA live region for a quickly changing number; a screen reader gets a sentence at most every 10 seconds.

import { conflated, el, setText } from "./component.js";

const EVERY = 10_000; // ms between two sentences; the last one is always written

export function liveRegion() {
  const node = el("p.live-region", { "aria-live": "polite" });
  return { node, tell: conflated((sentence) => setText(node, sentence), EVERY) };
}
