// Presentation mode: larger type, without the frame and what only a reader alone needs. It is an attribute of the whole
// page, for the style sheets of the frame, and of every component's root (component.js), for theirs.

import { holdLast, saveScroll } from "./scroll.js";
import { isPresented, writePresented } from "./url.js";

const page = document.documentElement, listeners = new Set();

export const presenting = () => "presenting" in page.dataset;

/** Call `listener(is)` when it begins and ends. */
export const onPresenting = (listener) => listeners.add(listener);
const notify = () => listeners.forEach((listener) => listener(presenting()));

/** A scene was opened, or left: while it is presented, the page shows only its subject. */
export function setSceneOpen(is) {
  if (is === "scene" in page.dataset) return;
  page.toggleAttribute("data-scene", is);
  if (presenting()) notify();
}

/** Hide what answers the question of the scene of this key (scene.css); null: nothing is hidden. */
export function hideAnswer(key) {
  if (key === null) page.removeAttribute("data-asked");
  else page.dataset.asked = key;
}

/** Begin or end it. Returns whether that changed anything. */
export function present(is) {
  if (is === presenting()) return false;
  const restoreScroll = saveScroll();
  show(is);
  restoreScroll();
  writePresented(is);
  return true;
}

function show(is) {
  page.toggleAttribute("data-presenting", is);
  notify();
}

/** In a viewport of another size, as in full screen, a scene is scrolled to where it began. */
window.addEventListener("resize", () => {
  if (presenting() && "scene" in page.dataset) holdLast();
});

show(isPresented());
