// The text coloured by one unit: what it says after each token. Its states are those of the heat map, already in the
// browser.
// data: {link, text, columns: [[input, target]], suggestions: [[reason, unit]], count: of units}

import { changed, el, listed, setText } from "../shared/paper.js";
import { scaleOf } from "../shared/scales.js";
import { follower } from "../shared/follower.js";

export default follower("unit_text", { steps: (data) => data.columns.length, build, offer, show });

function build(root, state) {
  state.number = el("input", { type: "number", min: 0, step: 1, "aria-label": "Unit" });
  state.number.onkeydown = (event) => event.stopPropagation();
  state.number.onchange = () => choose(state, Number(state.number.value));
  state.offers = el("div.offers", { role: "group", "aria-label": "Suggested units" });
  state.words = el("div.tokens", { "aria-label": "The text, coloured by this unit" });
  state.value = el("span.muted");
  root.replaceChildren(el("section.panel", { "aria-label": "One unit reads along" },
    el("div.head", {}, el("label", {}, "unit ", state.number), state.offers, state.value), state.words));
}

function choose(state, unit) {
  const { units } = state.link.shared;
  if (!units) return; // the heat map has not come yet
  const known = units.length ? units.indexOf(unit) : unit;
  if (Number.isInteger(unit) && known >= 0 && known < state.link.shared.count) state.link.set({ unit: known });
}

function offer(root, state) {
  const { suggestions, columns } = state.data;
  state.signed = scaleOf(root, "diverging");
  state.painted = null;
  if (changed(state, "suggested", suggestions)) {
    state.offers.replaceChildren(...suggestions.map(([reason, unit]) =>
      el("button.outlined.small", { type: "button", onclick: () => choose(state, unit) }, `${reason}: ${unit}`)));
  }
  const word = (t) =>
    el("bdi", { onpointerenter: (event) => state.link.hover(t, event), onpointerleave: () => state.link.hover(null),
      onclick: () => state.link.pin(t) });
  listed(state.words, columns.length, word).forEach((node, t) => setText(node, columns[t][0]));
}

function show(state) {
  const { shared, at } = state.link;
  if (!shared.states || shared.states.length !== shared.count * state.data.columns.length) return;
  const first = state.data.suggestions[0]?.[1] ?? 0;
  const unit = Math.min(at.unit ?? (shared.units.length ? shared.units.indexOf(first) : first), shared.count - 1);
  const t = state.link.shown;
  const name = shared.units.length ? shared.units[unit] : unit, present = shared.states[t * shared.count + unit];
  if (state.number !== state.number.getRootNode().activeElement) state.number.value = name;
  if (state.painted !== shared.states || state.unit !== unit) paint(state, shared, unit);
  [...state.words.children].forEach((word, i) => {
    word.classList.toggle("present", i === t);
    word.classList.toggle("later", i > at.step);
  });
  [...state.offers.children].forEach((button, i) =>
    button.setAttribute("aria-pressed", String(state.data.suggestions[i][1] === name)));
  setText(state.value,
    `after step ${t + 1}: ${present < 0 ? "−" : "+"}${((Math.abs(present) / 100) * shared.limit).toFixed(2)}`);
}

function paint(state, shared, unit) {
  Object.assign(state, { painted: shared.states, unit });
  [...state.words.children].forEach((word, i) => {
    const value = shared.states[i * shared.count + unit];
    state.signed.dress(word, value);
    word.classList.toggle("negative", state.signed.minus(value) !== "");
  });
}
