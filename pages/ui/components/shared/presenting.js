// Presenting: larger type, without the frame and what only a reader alone needs. It is an attribute of the whole page,
// for the style sheets of the frame, and of every component's root (paper.js), for theirs.

import { isPresented, keepPresented } from "./address.js";

const page = document.documentElement, listeners = new Set();

export const presenting = () => "presenting" in page.dataset;

/** `listener(is)` hears it begin and end. */
export const onPresenting = (listener) => listeners.add(listener);

/** Begin or end it. Says whether that changed anything. */
export function present(is) {
  if (is === presenting()) return false;
  show(is);
  keepPresented(is);
  return true;
}

function show(is) {
  page.toggleAttribute("data-presenting", is);
  listeners.forEach((listener) => listener(is));
}

show(isPresented());
