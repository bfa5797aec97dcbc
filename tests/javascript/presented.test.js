import assert from "node:assert/strict";
import { test } from "node:test";

import "./browser.js";
import { presented } from "../../pages/app/components/live_figure/live_figure.js";

const figure = (annotations) => ({ height: 220, margin: { t: 30, b: 30, r: 100 }, yaxis: { range: [0, 2] },
  showlegend: true, legend: { font: { size: 12 } }, annotations });

test("no type is small, and the legend has room at the top", () => {
  const names = [{ text: "one", font: { size: 12 } }, { text: "two", font: { size: 14 } }], layout = figure(names);
  presented(layout);
  assert.deepEqual([layout.legend, ...names].map(({ font }) => font.size), [13, 13, 14]);
  assert.equal(layout.legend.y, 1 + 30 / 160);
  assert.ok(layout.margin.r > 100);
});

test("a figure without a legend is left as it is", () => {
  const layout = { height: 200 };
  presented(layout);
  assert.deepEqual(layout, { height: 200 });
});
