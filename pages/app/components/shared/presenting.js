// Presenting: larger type, without the frame and what only a reader alone needs. It is an attribute of the whole page,
// for the style sheets of the frame, and of every component's root (paper.js), for theirs.

import { isPresented, keepPresented, kept } from "./address.js";

const page = document.documentElement, listeners = new Set();

export const presenting = () => "presenting" in page.dataset;

/** `listener(is)` hears it begin and end. */
export const onPresenting = (listener) => listeners.add(listener);
const tell = () => listeners.forEach((listener) => listener(presenting()));

/** A scene is open, or is no longer: presented, it shows what it is about, and no ways to elsewhere. */
export function inScene(is) {
  if (is === "scene" in page.dataset) return;
  page.toggleAttribute("data-scene", is);
  if (presenting()) tell();
}

/** The scene of this key asks its question, and what answers it is hidden (elements.css); null: nothing is hidden. */
export function asking(key) {
  if (key === null) page.removeAttribute("data-asked");
  else page.dataset.asked = key;
}

/** Begin or end it. Says whether that changed anything. */
export function present(is) {
  if (is === presenting()) return false;
  const again = kept();
  show(is);
  again();
  keepPresented(is);
  return true;
}

function show(is) {
  page.toggleAttribute("data-presenting", is);
  tell();
}

show(isPresented());
