import assert from "node:assert/strict";
import { test } from "node:test";

import "./browser.js";
import { presented } from "../../pages/ui/components/live_figure/presented.js";

const PLOT = 160, HIGH = 2;
const named = (y, text) => ({ xref: "paper", x: 1, yref: "y", y, text, font: { size: 12 } });
const figure = (annotations) => ({ height: PLOT + 60, margin: { t: 30, b: 30, r: 100 }, yaxis: { range: [0, HIGH] },
  showlegend: true, legend: { font: { size: 12 } }, annotations });
const pixels = ({ y }) => (HIGH - y) * PLOT / HIGH;

test("names that stood apart in a higher figure are apart again, below the legend, in their order", () => {
  const names = [named(2, "uniform"), named(0.6, "bigram"), named(0.55, "3-gram –<br>4-gram"), named(0.01, "5-gram")];
  presented(figure(names));
  const places = names.map(pixels);
  assert.ok(places[0] >= 14, "the legend has two lines");
  const apart = places.slice(1).map((place, i) => place - places[i]);
  for (const [i, least] of [18, 27, 27].entries()) assert.ok(apart[i] >= least - 1e-9, `${places}`);
  assert.ok(places.at(-1) <= PLOT, "beyond the range none is drawn");
});

test("what stands apart stays in its place, and no type is small", () => {
  const names = [named(1.5, "one"), named(0.5, "two")], layout = figure(names);
  presented(layout);
  assert.deepEqual(names.map(({ y }) => Math.round(10 * y) / 10), [1.5, 0.5]);
  assert.ok([layout.legend, ...names].every(({ font }) => font.size >= 13));
});

test("a figure without such names is left as it is", () => {
  const layout = { height: 200 };
  presented(layout);
  assert.deepEqual(layout, { height: 200 });
});
