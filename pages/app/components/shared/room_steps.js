// What a lecturer can press at each step of a question for the hall.

import { _, lazy_gettext } from "./messages.js";
import { el } from "./component.js";

const ON = { first: lazy_gettext("Close the vote"), talk: lazy_gettext("Vote again"),
  second: lazy_gettext("Both votes and the truth"), truth: lazy_gettext("Back to the page") };
const NAMES = { first: lazy_gettext("First vote"), talk: lazy_gettext("Discuss with your neighbours."),
  second: lazy_gettext("Second vote"), truth: lazy_gettext("The answers") };

export const nameOf = (step) => (step ? _(NAMES[step]) : "");

/** The buttons of the step; each calls `go(what)`. With `keys`, V presses the first one, and Escape the last one. */
export function stepButtons(/** @type {RoomDrawing} */ { step, by_hand: byHand }, go, keys) {
  const button = (what, words, key = "") =>
    el(what === "on" ? "button.filled" : "button.outlined",
      { onclick: () => go(what), ...(keys && key ? { "data-key": key } : {}) }, words);
  const open = step === "first" || step === "second";
  return el("div.steps", {}, button("on", _(ON[step]), step === "truth" ? "room leave" : "room"),
    step === "talk" ? button("truth", _("Show the truth")) : null,
    open ? button(byHand ? "phones" : "hands", byHand ? _("Use phones") : _("Count hands")) : null,
    step === "truth" ? null : button("leave", _("Back to the page"), "leave"));
}
