// The chart, the readout beside it, the expected curve below it, and new data for the sample further down: one
// component, so that Python sends only one message per poll.

import { _ } from "../shared/messages.js";
import { expecting } from "./expecting.js";
import { link } from "../shared/link.js";
import { el, resizeList, rootOf, segments, setText } from "../shared/component.js";
import figure from "../live_figure/live_figure.js";
import readout from "../readout/readout.js";

export default function (/** @type {Component<"run_view">} */ { parentElement, data, setTriggerValue: send }) {
  const [root, state] = rootOf(parentElement, "run_view");
  readout({ parentElement, data: data.readout, setTriggerValue: send });
  link(data.link).share({ writing: data.writing });
  const leave = figure({ parentElement, data: data.figure, low: true,
    onseek: (update) => send("seek", update), ondraw: () => state.offer?.(state.expected) });
  state.offer ??= expecting(root, root.querySelector(".live_figure"), send);
  state.expected = data.expecting;
  state.offer(data.expecting);
  state.beside ??= besideOf(root);
  const made = () => el("span.line", {}, el("b"), " ", el("span.text", { dir: "auto" }));
  resizeList(state.beside, data.beside.length, made).forEach((line, i) => fillLine(line, data.beside[i]));
  state.scale ??= axesChoice(root, send);
  state.scale.offer(data.scale);
  return leave;
}

/** The lines beside the button below the chart: what the network writes. */
function besideOf(root) {
  const node = el("div.beside");
  root.querySelector(".expecting").append(node);
  return node;
}

function fillLine(line, /** @type {BesideRow} */ { name, parts }) {
  setText(line.firstChild, name);
  line.lastChild.replaceChildren(...parts.map(([words, isCopied]) => el(isCopied ? "mark" : "span", {}, words)));
}

/** The choice of the chart's axes, below it. */
function axesChoice(root, send) {
  const scale = segments({ label: _("Axes of the chart"), onchoose: (value) => send("scale", value),
    options: [["log", _("log")], ["linear", _("linear")]] });
  root.querySelector(".expecting [role=status]").before(scale.node);
  return scale;
}
