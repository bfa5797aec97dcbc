// The chart and the readout beside it: one component, because all that Python sends at a poll is then one message.
// data: {figure: what live_figure draws, readout: what readout draws}

import { paper } from "./paper.js";
import figure from "./live_figure.js";
import readout from "./readout.js";

export default function ({ parentElement, data, setTriggerValue }) {
  paper(parentElement, "run_view");
  readout({ parentElement, data: data.readout, setTriggerValue });
  return figure({ parentElement, data: data.figure });
}
