// What leads from scene to scene: links that can be copied and opened beside; pressed, they load no page.

import { el } from "./paper.js";
import { leaveFor } from "./link.js";

const TIMES = 3; // that a press is sent again where no answer came: Streamlit can drop it while a page is being drawn

/** Sends which scene is to be opened, until one is: `go.heard()` is told then. */
export function goer(send) {
  let newest = null;
  const go = async (key, left = TIMES) => {
    const press = newest = Symbol(key);
    const answered = await send(key);
    if (answered === false && left && press === newest) await go(key, left - 1);
  };
  go.heard = () => { newest = null; };
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
