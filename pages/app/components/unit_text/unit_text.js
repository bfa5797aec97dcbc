// The text coloured by the state of one unit after each token. The states are those of the heat map, which the browser
// already has.

import { _, pgettext } from "../shared/messages.js";
import { changed, el, resizeList, setText } from "../shared/component.js";
import { scaleOf } from "../shared/scales.js";
import { follower } from "../shared/follower.js";

export default follower("unit_text", { steps: (data) => data.columns.length, build, offer, show });

function build(root, state) {
  state.number = el("input", { type: "number", min: 0, step: 1, "aria-label": pgettext("hidden unit", "Unit") });
  state.number.onchange = () => choose(state, Number(state.number.value));
  state.offers = el("div.offers", { role: "group", "aria-label": _("Suggested units") });
  state.words = el("div.tokens", { "aria-label": _("The text, coloured by this unit") });
  state.value = el("span.muted");
  root.replaceChildren(el("section.panel", { "aria-label": _("One unit over the text") },
    el("div.head", {}, el("label", {}, _("unit"), " ", state.number), state.offers, state.value), state.words));
}

function choose(state, unit) {
  if (state.link.shared.units?.includes(unit)) state.link.set({ unit }); // else the heat map is not loaded yet
}

function offer(root, /** @type {State<"unit_text">} */ state) {
  const { suggestions, columns } = state.data;
  state.signed = scaleOf(root, "diverging");
  if (changed(state, "suggested", suggestions)) {
    state.offers.replaceChildren(...suggestions.map(([reason, unit]) =>
      el("button.outlined.small", { onclick: () => choose(state, unit) },
        _("{reason}: {unit}", { reason, unit }))));
  }
  const word = (t) =>
    el("bdi", { onpointerenter: (event) => state.link.hover(t, event), onpointerleave: () => state.link.hover(null),
      onclick: () => state.link.go(t) });
  resizeList(state.words, columns.length, word).forEach((node, t) => setText(node, columns[t][0]));
}

function show(/** @type {State<"unit_text">} */ state) {
  const { shared: { states, units, limit }, at } = state.link, t = at.step;
  if (!states || states.length !== units.length * state.data.columns.length) return;
  const name = at.unit ?? state.data.suggestions[0]?.[1], place = Math.max(units.indexOf(name), 0);
  const present = states[t * units.length + place];
  if (state.number !== state.number.getRootNode().activeElement) state.number.value = units[place];
  [...state.words.children].forEach((word, i) => {
    const value = states[i * units.length + place];
    state.signed.shade(word, value);
    word.classList.toggle("negative", state.signed.minus(value) !== "");
    word.classList.toggle("present", i === t);
    word.classList.toggle("later", i > t || (i === t && at.sub < 2)); // the third sub-step computes the state
  });
  [...state.offers.children].forEach((button, i) =>
    button.setAttribute("aria-pressed", String(state.data.suggestions[i][1] === units[place])));
  setText(state.value, _("after step {step}: {value}",
    { step: t + 1, value: `${present < 0 ? "−" : "+"}${((Math.abs(present) / 100) * limit).toFixed(2)}` }));
}
