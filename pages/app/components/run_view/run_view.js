// The chart, the readout beside it, the expected curve below it, and new data for the sample further down: one
// component, so that Python sends only one message per poll.

import { _ } from "../shared/messages.js";
import { expecting } from "./expecting.js";
import { link } from "../shared/link.js";
import { rootOf, segments } from "../shared/component.js";
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
  state.scale ??= scaleOf(root, send);
  state.scale.offer(data.scale);
  return leave;
}

/** The choice of the chart's axes, below it. */
function scaleOf(root, send) {
  const scale = segments({ label: _("Axes of the chart"), onchoose: (value) => send("scale", value),
    options: [["log", _("log")], ["linear", _("linear")]] });
  root.querySelector(".expecting [role=status]").before(scale.node);
  return scale;
}
