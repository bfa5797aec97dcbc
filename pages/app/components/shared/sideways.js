// A drawing or a table that is wider than its window scrolls sideways; below it stands on which side it goes on.

import { _, lazy_gettext } from "./messages.js";

const WORDS = {
  right: lazy_gettext("It goes on to the right →"),
  left: lazy_gettext("← It goes on to the left"),
  both: lazy_gettext("← It goes on to both sides →"),
};
const watched = new WeakSet();

/** Say of every drawing and table in a component on which side it goes on, now and whenever that changes. */
export function saySideways(/** @type {HTMLElement} */ mount) {
  for (const stage of /** @type {NodeListOf<HTMLElement>} */ (mount.querySelectorAll(".stage, .scroll"))) {
    const say = () => {
      const hidden = stage.scrollWidth - stage.clientWidth, at = stage.scrollLeft;
      const side = hidden < 2 ? "" : at < 2 ? "right" : at > hidden - 2 ? "left" : "both";
      if (side) stage.dataset.goesOn = _(WORDS[side]);
      else delete stage.dataset.goesOn;
    };
    if (!watched.has(stage)) {
      watched.add(stage);
      stage.addEventListener("scroll", say, { passive: true });
      new ResizeObserver(say).observe(stage);
    }
    say();
  }
}
