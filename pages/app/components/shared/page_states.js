// Controls for the state of a page that was saved as a file: a bar that plays through the states, or buttons.

import { el, setText } from "./component.js";
import { icon } from "./icons.js";
import { _ } from "./messages.js";
import { player } from "./player.js";

const EVERY = 1200; // ms between two states in playback

/** A play button and a slider over the states, beginning with state `begins`. `show(i)` shows state i. */
export function statesBar(names, begins, show) {
  const input = el("input", { type: "range", min: 0, max: names.length - 1, step: 1, "aria-label": _("Moment") });
  const output = el("output"), play = el("button.outlined", { type: "button", onclick: () => plays.toggle() });
  const at = () => Number(input.value);
  const say = () => {
    setText(output, names[at()]);
    input.setAttribute("aria-valuetext", names[at()]);
  };
  const go = (i) => {
    input.value = String(i);
    say();
    show(i);
  };
  const plays = player({
    pace: () => EVERY,
    advance: () => {
      if (at() === names.length - 1) return false;
      go(at() + 1);
      return at() < names.length - 1;
    },
    drawn: () => {
      play.replaceChildren(icon(plays.playing ? "pause" : "play"), plays.playing ? _("Pause") : _("Play"));
      if (plays.playing && at() === names.length - 1) go(0);
    },
  });
  input.value = String(begins);
  input.oninput = () => {
    plays.pause();
    go(at());
  };
  say();
  play.append(icon("play"), _("Play"));
  return el("div.states", { role: "group", "aria-label": _("The page at several moments") }, play, input, output);
}

/** A button for each distinct name that is not empty; each click shows the next state of that name. */
export function statesButtons(names, show) {
  const next = nextOf(names, show), kinds = [...new Set(names)].filter(Boolean);
  const buttons = kinds.map((name) => el("button.outlined", { type: "button", onclick: () => next(name) }, name));
  return el("div.states", { role: "group" }, ...buttons);
}

/** Return `next(name)`, which shows the next state of this name, cyclically, and returns whether there is one. */
export function nextOf(names, show) {
  let at = -1;
  return (name) => {
    const places = names.flatMap((one, i) => (one === name ? [i] : []));
    if (!places.length) return false;
    at = places.find((i) => i > at) ?? places[0];
    show(at);
    return true;
  };
}
