// The run in the sidebar: how it is, on every page. On the Training page only its state, for the bar there plays it.
// data: {state, title, aside, number, what, sentence, lines: [text], curve: [y in 0..1], buttons: [[do, text, icon]],
//   small}

import { changed, el, listed, paper, setText } from "../shared/paper.js";
import { svg } from "../shared/drawn.js";
import { icon } from "../shared/icons.js";

export default function ({ parentElement, data, setTriggerValue }) {
  const [root, state] = paper(parentElement, "run_card");
  state.command = (what) => setTriggerValue("command", what);
  if (!state.card) build(root, state);
  show(state, data);
}

function build(root, state) {
  state.mark = el("span.mark");
  state.title = el("b");
  state.aside = el("span.small.muted");
  state.number = el("span.number");
  state.what = el("span.small.muted");
  state.path = svg("path");
  state.curve = svg("svg", { viewBox: "0 0 200 48", preserveAspectRatio: "none", "aria-hidden": "true" }, state.path);
  state.sentence = el("div.sentence");
  state.buttons = el("div.buttons");
  state.lines = el("div.lines.small.muted");
  state.more = el("div.more", {}, el("div.big", {}, state.number, state.what), state.curve);
  state.card = el("div.card", { role: "group", "aria-label": "The run" },
    el("div.head", {}, state.mark, state.title, state.aside), state.more, state.sentence, state.buttons, state.lines);
  root.append(state.card);
}

function show(state, data) {
  state.card.dataset.state = data.state;
  if (state.marked !== data.state) {
    const sign = { paused: "pause", diverged: "flag", failed: "flag" }[data.state];
    state.mark.replaceChildren(sign ? icon(sign) : el("i"));
    state.marked = data.state;
  }
  setText(state.title, data.title);
  setText(state.aside, data.aside);
  setText(state.number, data.number);
  setText(state.what, data.what);
  setText(state.sentence, data.sentence);
  state.more.hidden = data.small;
  state.path.setAttribute("d", path(data.curve));
  buttons(state, data.buttons);
  listed(state.lines, data.lines.length, () => el("div", { dir: "auto" }))
    .forEach((node, i) => setText(node, data.lines[i]));
}

function path(curve) {
  return curve.map((y, i) =>
    `${i ? "L" : "M"}${(2 + (196 * i) / Math.max(1, curve.length - 1)).toFixed(1)} ${(44 - 40 * y).toFixed(1)}`)
    .join("");
}

function buttons(state, wanted) {
  if (!changed(state, "buttonShape", wanted)) return;
  state.buttons.replaceChildren(...wanted.map(([what, text, sign], i) => {
    const label = sign ? [icon(sign)] : [text];
    return el(i ? "button"
      : "button.filled", { type: "button", title: text, "aria-label": text, onclick: () => state.command(what) },
    ...label);
  }));
}
