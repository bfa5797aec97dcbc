// How every component begins: its style sheets come before its own script, so that it can measure and read the palette.
// What fails is replaced by a sentence until the next data come, and then built anew.

import "./address.js";
import { offerPictures } from "./save.js";
import { onPresenting } from "./presenting.js";
import { el, print } from "./paper.js";
import { revive } from "./revive.js";
import { acknowledge, channel } from "./channel.js";
import { _, lazy_gettext, useLanguage } from "./messages.js";
import { adoptStyles } from "./styles.js";

const SAYS = lazy_gettext("This picture could not be drawn. It is drawn anew as soon as its numbers change.");

const drawings = new Map(); // the place of every component -> how it is drawn anew
let darkened = []; // those that were dark before they were printed

/** All that is dark is drawn anew in the light palette while it is printed, for colours that a script has chosen. */
function printing(is) {
  if (print.on === is) return;
  print.on = is;
  if (is) darkened = [...drawings].filter(([place]) => place.querySelector("[data-theme=\"dark\"]"));
  for (const [place, draw] of darkened) if (place.isConnected) draw();
}

revive();
onPresenting(() => { for (const [place, draw] of drawings) if (place.isConnected) draw(); });
window.addEventListener("beforeprint", () => printing(true));
window.addEventListener("afterprint", () => printing(false));
matchMedia("print").addEventListener?.("change", ({ matches }) => printing(matches));

/**
 * Draw component `name` with what Streamlit hands over; its data are bytes: a line with their number, the count of the
 * newest message that Python has handled and the language, and a line of JSON. In another language it is built anew.
 * `load(name)` is its script: in the bundle of all.
 */
export default async function ({ data: sent, ...component }, name, load = (one) => import(`../${one}/${one}.js`)) {
  const place = component.parentElement, [header, data] = new TextDecoder().decode(sent).split("\n");
  const [number, answered] = header.split(" ").map(Number), language = header.split(" ").at(-1);
  acknowledge(component, answered);
  if (number < place.number) return undefined; // two that wait for one script are handed it in any order
  place.number = number;
  const turn = place.turn = (place.turn ?? 0) + 1;
  const root = () => place.querySelector(`.paper.${name}`);
  place.blank ??= root().cloneNode(true);
  try {
    const [script] = await Promise.all([load(name), useLanguage(language)]);
    if (turn !== place.turn) return undefined; // newer data came while the script was loaded
    if (place.isConnected) adoptStyles(place.getRootNode(), [...place.querySelectorAll(".paper")].map(nameOf));
    if (place.trouble || (place.language ?? language) !== language) root().replaceWith(place.blank.cloneNode(true));
    place.language = language;
    say(place, "");
    const drawn = () => {
      const leave = script.default({ ...component, ...channel(place), data: JSON.parse(data) });
      offerPictures(place);
      return leave;
    };
    for (const other of drawings.keys()) if (!other.isConnected) drawings.delete(other);
    drawings.set(place, drawn);
    return drawn();
  } catch (error) {
    console.error(error);
    if (root()) root().hidden = true;
    say(place, _(SAYS));
    return undefined;
  }
}

/** The component whose root this is: its second class. */
const nameOf = ({ classList }) => classList[1];

/** A sentence in the place of the component; none when empty. */
function say(place, sentence) {
  place.trouble?.remove();
  place.trouble = sentence ? el("p.paper.trouble", { role: "status" }, sentence) : null;
  if (place.trouble) place.append(place.trouble);
}
