// The chart and the readout beside it, and news for the sample further down: one component, because all that Python
// sends at a poll is then one message.
// data: {figure: what live_figure draws, readout: what readout draws, writing: what writing draws, link: which writing}

import { link } from "../shared/link.js";
import { paper } from "../shared/paper.js";
import figure from "../live_figure/live_figure.js";
import readout from "../readout/readout.js";

export default function ({ parentElement, data, setTriggerValue }) {
  paper(parentElement, "run_view");
  readout({ parentElement, data: data.readout, setTriggerValue });
  link(data.link).share({ writing: data.writing });
  return figure({ parentElement, data: data.figure, ongo: (update) => setTriggerValue("go", update) });
}
