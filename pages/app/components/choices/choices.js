// Sliders for the probabilities of a few tokens; the choices 1/p of each as squares; the three means on one axis below.

import { _ } from "../shared/messages.js";
import { changed, el, elements, rootOf, setText, wordSlider } from "../shared/component.js";
import { maths } from "../shared/maths.js";

export default function (/** @type {Component<"choices">} */ { parentElement, data, setStateValue, setTriggerValue }) {
  const [root, state] = rootOf(parentElement, "choices");
  state.move = (token, place) => setStateValue("move", { token, place });
  state.press = (what) => {
    state.tokens.forEach(({ part }) => part.flush()); // send a pending move first
    setTriggerValue("press", what);
  };
  if (!state.panel) frame(root, state, data);
  if (changed(state, "shape", [data.tokens.length, data.places.length])) {
    state.tokens = data.tokens.map(({ name }, i) => row(name, data.places, (place) => state.move(i, place)));
    state.rows.replaceChildren(...state.tokens.map(({ node }) => node));
  }
  show(state, data);
}

function frame(root, state, /** @type {Data<"choices">} */ data) {
  const button = (what, words, kind = "outlined") =>
    el(`button.${kind}`, { onclick: () => state.press(what), "data-what": what }, words);
  state.examples = data.examples.map(([what, words]) => button(what, words));
  state.more = button("more", _("+ a token"));
  state.fewer = button("fewer", _("− a token"));
  Object.assign(state,
    elements({ rows: "div.rows", sentence: "p.sentence", means: "div.means", written: "div.written" }));
  state.number = el("div.number", { role: "status", "aria-live": "off" });
  state.panel = el("div.whole", {},
    el("div.panel.examples", { role: "group", "aria-label": _("Examples") }, ...state.examples, el("span.gap"),
      el("span.number-of", {}, state.fewer, state.more)),
    el("div.columns", {}, el("section.panel.tokens", {}, state.rows),
      el("section.panel.result", {}, el("div.small.muted", {}, _("perplexity of these tokens")), state.number,
        state.sentence, state.written)),
    el("section.panel.mean", {},
      el("div.small.muted", {}, _("1/p of each token (rings) and their three means, log scale")), state.means));
  root.append(state.panel);
}

function row(token, words, onmove) {
  const squares = el("div.squares", { "aria-hidden": "true" }), value = el("b"), nats = el("span.muted.small");
  const label = _("p of {token}", { token }), part = wordSlider({ label, words, onmove });
  const node = el("div.token", {}, el("label.head", {}, el("span.muted", {}, label), part.output, part.input),
    squares, el("div.says", {}, el("span.muted", {}, "1/p = "), value, nats));
  return { node, part, squares, value, nats };
}

function show(state, /** @type {Data<"choices">} */ data) {
  data.examples.forEach(([, , chosen], i) => state.examples[i].setAttribute("aria-pressed", String(chosen)));
  state.more.disabled = !data.more;
  state.fewer.disabled = !data.fewer;
  data.tokens.forEach((token, i) => {
    const { part, squares, value, nats } = state.tokens[i];
    part.offer(token.at, "", data.places);
    setText(value, token.choices);
    setText(nats, token.nats);
    boxes(squares, token);
  });
  setText(state.number, data.number);
  state.number.dataset.long = data.number.length > 6;
  state.sentence.replaceChildren(...data.sentence.map(([text, tone]) => el(tone ? `span.${tone}` : "span", {}, text)));
  means(state, data);
}

/** Draw a square for each choice; the last one is as wide as its fraction. */
function boxes(node, /** @type {ChoiceToken} */ { squares, beyond }) {
  const key = `${squares}${beyond}`;
  if (node.dataset.key === key) return;
  node.dataset.key = key;
  const whole = Math.floor(squares + 1e-9), rest = squares - whole;
  node.replaceChildren(...Array.from({ length: whole }, () => el("i")),
    rest > 0.01 ? el("i.part", { style: `--share: ${100 * rest}%` }) : "",
    beyond ? el("span.muted", {}, "…") : "");
}

function means(state, /** @type {Data<"choices">} */ data) {
  if (!changed(state, "drawn", [data.axis, data.means, data.written])) return;
  const at = (share) => ({ style: `left: ${100 * share}%` });
  state.written.replaceChildren(...data.written.map((formula) => el("div", {}, maths(formula))));
  const lanes = data.means.map(({ name, value, at: share, finite, tone }) => el(`div.lane.${tone}`, {},
    el("span.name", {}, name), el("b.value", {}, value),
    el("div.track", {}, ...data.axis.marks.map(([place, words]) => el("i.ring", { title: words, ...at(place) })),
      finite === null ? "" : el("i.dot.before", at(finite)), el("i.dot", at(share)))));
  const ticks = el("div.lane.axis", { "aria-hidden": "true" }, el("span.name"), el("span.value"),
    el("div.track", {}, ...data.axis.ticks.map(([place, words]) => el("span.tick", at(place), words))));
  state.means.replaceChildren(...lanes, ticks);
}
