// Links to scenes, which can be copied and opened in a new tab; a click opens the scene without a page load.

import { el } from "./component.js";
import { beforeNavigation } from "./link.js";

/** Whether a click opens a link in this tab: no modifier key, the first button. */
export const isPlainClick = ({ ctrlKey, metaKey, shiftKey, altKey, button }) =>
  !(ctrlKey || metaKey || shiftKey || altKey || button);

/** A link to a scene, [key, name, address]; a click calls `open(key)`. */
export function sceneLink(spec, [key, , href], open, attributes, ...children) {
  const onclick = (event) => {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    beforeNavigation(href);
    open(key);
  };
  return el(spec, { href, onclick, ...attributes }, ...children);
}
