// A number that changes many times a second, for who hears the page: a sentence, told now and then.

import { conflated, el, setText } from "./paper.js";

const EVERY = 10_000; // ms between two sentences; the last one is always told

export function heard() {
  const node = el("p.heard", { "aria-live": "polite" });
  return { node, tell: conflated((sentence) => setText(node, sentence), EVERY) };
}
