// Mounts a component. Its style sheets are adopted before its script runs, which can measure and read colours. If the
// script throws, an error message replaces the component until the next data arrive; then it is built anew.

import "./url.js";
import { offerPictures } from "./save.js";
import { saySideways } from "./sideways.js";
import { isTyped } from "./find.js";
import { onPresenting } from "./presenting.js";
import { el, onPrinting } from "./component.js";
import { revive } from "./revive.js";
import { acknowledge, channel } from "./channel.js";
import { _, lazy_gettext, useLanguage } from "./messages.js";
import { adoptStyles } from "./styles.js";
import { setDrawn } from "./loading.js";

const FAILED = lazy_gettext("This picture could not be drawn. It is drawn anew as soon as its numbers change.");
const KEYS = ["keydown", "keyup", "keypress"];

const drawings = new Map(); // mount element of each component -> function that redraws the component
let darkened = []; // the drawings with a dark theme before the page was printed

/** Redraw those of these components that are on the page. */
const drawAll = (entries) => { for (const [mount, draw] of entries) if (mount.isConnected) draw(); };

revive();
onPresenting(() => drawAll(drawings));
onPrinting((is) => { // dark components are redrawn in the light palette: scripts set colours, too
  if (is) darkened = [...drawings].filter(([mount]) => mount.querySelector("[data-theme=\"dark\"]"));
  drawAll(darkened);
});

/**
 * Draw component `name` with the arguments from Streamlit. `data` are bytes of two lines: when they were drawn, the
 * count of the newest message that Python has handled, and the language; and JSON. Data older than those that have
 * come are left out: Streamlit imports a component's script each time that data come, and until it is loaded, these
 * imports wait; then Chromium continues them in any order. A change of language rebuilds the component.
 * `load(name)` imports the script of the component, in production from the bundle.
 */
export default async function ({ data: sent, ...component }, name, load = (one) => import(`../${one}/${one}.js`)) {
  const mount = component.parentElement, [header, data] = new TextDecoder().decode(sent).split("\n");
  const [when, answered, language] = header.split(" "), drawn = Number(when);
  if (drawn < mount.newest) return undefined;
  mount.newest = drawn;
  acknowledge(component, Number(answered));
  const root = () => mount.querySelector(`.component.${name}`);
  if (!mount.blank) for (const type of KEYS) mount.addEventListener(type, keepTyped);
  mount.blank ??= root().cloneNode(true);
  try {
    const [script] = await Promise.all([load(name), useLanguage(language)]);
    // newer data arrived while the script was loaded, or the component left the page and was emptied
    if (drawn < mount.newest || !mount.isConnected) return undefined;
    const names = [...mount.querySelectorAll(".component")].map(({ classList }) => classList[1]);
    adoptStyles(mount.getRootNode(), names);
    if (mount.error || (mount.language ?? language) !== language) root().replaceWith(mount.blank.cloneNode(true));
    mount.language = language;
    showError(mount, "");
    const draw = () => {
      const unmount = script.default({ ...component, ...channel(mount), data: JSON.parse(data) });
      offerPictures(mount);
      saySideways(mount);
      return unmount;
    };
    for (const other of drawings.keys()) if (!other.isConnected) drawings.delete(other);
    drawings.set(mount, draw);
    setDrawn(mount);
    return draw();
  } catch (error) {
    console.error(error);
    if (root()) root().hidden = true;
    showError(mount, _(FAILED));
    setDrawn(mount);
    return undefined;
  }
}

/** Keep typed keys from Streamlit, which has shortcuts of its own and sees only the host of a shadow root. */
function keepTyped(event) {
  if (isTyped(event)) event.stopPropagation();
}

/** Show an error message in place of the component; an empty sentence removes it. */
function showError(mount, sentence) {
  mount.error?.remove();
  mount.error = sentence ? el("p.component.error", { role: "status" }, sentence) : null;
  if (mount.error) mount.append(mount.error);
}
