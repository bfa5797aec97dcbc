// Links to scenes, which can be copied and opened in a new tab; a click opens the scene without a page load.

import { el } from "./component.js";
import { beforeNavigation } from "./link.js";

const RETRIES = 3; // of a message without an answer: Streamlit can drop it while a page is being drawn

/** Return `open(key)`, which sends the key of a scene, with retries until it is answered; `open.cancel()` ends them. */
export function sceneOpener(send) {
  let newest = null;
  const open = async (key, retries = RETRIES) => {
    const click = newest = Symbol(key);
    const answered = await send(key);
    if (answered === false && retries && click === newest) await open(key, retries - 1);
  };
  open.cancel = () => { newest = null; };
  return open;
}

/** A link to a scene, [key, name, address]; a click calls `open(key)`. */
export function sceneLink(spec, [key, , href], open, attributes, ...children) {
  const onclick = (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button) return;
    event.preventDefault();
    beforeNavigation(href);
    open(key);
  };
  return el(spec, { href, onclick, ...attributes }, ...children);
}
