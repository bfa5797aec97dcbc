// What leads from scene to scene: links that can be copied and opened beside; pressed, they load no page.

import { el } from "./paper.js";
import { leaveFor } from "./link.js";

const AGAIN = 2500, TIMES = 3; // ms after which a press is sent again that nothing came of, as the page was being drawn

/** Sends which scene is to be opened, until one is: `go.heard()` is told then. */
export function goer(send) {
  let waiting = null;
  const go = (key, left = TIMES) => {
    go.heard();
    send(key);
    if (left) waiting = setTimeout(() => go(key, left - 1), AGAIN);
  };
  go.heard = () => clearTimeout(waiting);
  return go;
}

/** A link to a scene, [key, name, address]; `go` hears its key when it is pressed. */
export function sceneLink(spec, [key, , href], go, attributes, ...children) {
  const onclick = (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button) return;
    event.preventDefault();
    leaveFor(href);
    go(key);
  };
  return el(spec, { href, onclick, ...attributes }, ...children);
}
