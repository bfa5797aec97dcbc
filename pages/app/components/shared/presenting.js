// Presentation mode: larger type, without the frame and the parts for individual readers. It is an attribute of the
// document element, for the frame's style sheets, and of every component's root (component.js), for the component's.

import { holdLast, saveScroll } from "./scroll.js";
import { isPresented, writePresented } from "./url.js";
import { scalePage } from "./window_scale.js";

const page = document.documentElement, listeners = new Set();

export const presenting = () => "presenting" in page.dataset;

/** Call `listener(is)` when presentation mode begins and ends. */
export const onPresenting = (listener) => listeners.add(listener);
const notify = () => listeners.forEach((listener) => listener(presenting()));

/** Mark the page while a scene is open: in presentation mode it then shows only the subject of the scene. */
export function setSceneOpen(is) {
  if (is === "scene" in page.dataset) return;
  page.toggleAttribute("data-scene", is);
  if (presenting()) notify();
}

/** Hide the parts of the page that answer the question of this scene (scene.css); null shows them. */
export function hideAnswer(key) {
  if (key === null) page.removeAttribute("data-asked");
  else page.dataset.asked = key;
}

/** Begin or end presentation mode. Return whether the mode changed. */
export function setPresenting(is) {
  if (is === presenting()) return false;
  const restoreScroll = saveScroll();
  page.toggleAttribute("data-presenting", is);
  scalePage();
  notify();
  restoreScroll();
  writePresented(is);
  return true;
}

/** Scroll a scene to its beginning again when the size of the viewport changes, as with full screen. */
window.addEventListener("resize", () => {
  if (presenting() && "scene" in page.dataset) holdLast();
});

page.toggleAttribute("data-presenting", isPresented());
scalePage();
