// Controls for the state of a page that was saved as a file: a bar that plays through the states, or buttons.

import { el, wordSlider } from "./component.js";
import { icon } from "./icons.js";
import { _ } from "./messages.js";
import { player } from "./player.js";

const EVERY = 1200; // ms between two states in playback

/** A play button and a slider over the states, beginning with state `begins`. `show(i)` shows state i. */
export function statesBar(names, begins, show) {
  const play = el("button.outlined", { onclick: () => plays.toggle() });
  const { input, output, offer } = wordSlider({ label: _("Moment"), words: names, every: 0, output: el("output"),
    onmove: (i) => {
      plays.pause();
      return show(i);
    } });
  const at = () => Number(input.value);
  const go = (i) => {
    offer(i);
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
  offer(begins);
  play.append(icon("play"), _("Play"));
  return el("div.states", { role: "group", "aria-label": _("The page at several moments") }, play, input, output);
}

/** A button for each distinct name that is not empty; each click shows the next state of that name (`nextOf`). */
export function statesButtons(names, showNext) {
  const kinds = [...new Set(names)].filter(Boolean);
  const buttons = kinds.map((name) => el("button.outlined", { onclick: () => showNext(name) }, name));
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
