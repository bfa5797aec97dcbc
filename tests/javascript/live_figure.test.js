import assert from "node:assert/strict";
import { test } from "node:test";

import { clock, root, settled } from "./browser.js";
import figure, { presented } from "../../pages/app/components/live_figure/live_figure.js";

/** A figure `top` px below the top of the window, with this number as its label. */
function mounted(top, traces = []) {
  const place = document.createElement("div");
  place.append(root("live_figure"));
  document.body.append(place);
  place.firstChild.getBoundingClientRect = () => ({ top });
  const data = { figure: { data: traces, layout: { height: 300 } }, keep: "", label: `${top}`, plotly: "" };
  return { place, leave: figure({ parentElement: place, data }) };
}

test("the figures that waited for plotly.js are drawn from the top, the others in later tasks", async (context) => {
  const drawn = [];
  context.mock.method(Plotly, "react", async (node) => { drawn.push(node.getAttribute("aria-label")); });
  for (const top of [700, 200, 450]) mounted(top);
  await settled();
  assert.deepEqual(drawn, ["200"]);
  clock.pass(0);
  await settled();
  assert.deepEqual(drawn, ["200", "450", "700"]);
});

test("plotly forgets a figure that left the page only when its drawing has ended", async (context) => {
  const drawing = Promise.withResolvers();
  let forgotten = false;
  context.mock.method(Plotly, "react", () => drawing.promise);
  context.mock.method(Plotly, "purge", () => { forgotten = true; });
  const { place, leave } = mounted(0);
  await settled();
  place.remove();
  leave();
  await settled();
  assert.equal(forgotten, false);
  drawing.resolve();
  await settled();
  assert.equal(forgotten, true);
});

test("a colour in a scale, after a number, is one of the palette, too", async (context) => {
  let drawn;
  context.mock.method(Plotly, "react", async (node, data) => { drawn = data; });
  const { place } = mounted(0, [{ x: [1, null, 2], colorscale: [[0, "token:surface"], [1, "token:forward"]] }]);
  place.firstChild.style.setProperty("--surface", "#fff");
  place.firstChild.style.setProperty("--forward", "#00f");
  await settled();
  assert.deepEqual(drawn, [{ x: [1, null, 2], colorscale: [[0, "#fff"], [1, "#00f"]] }]);
});

// In presentation mode

const withNames = (annotations) => ({ height: 220, margin: { t: 30, b: 30, r: 100 }, yaxis: { range: [0, 2] },
  showlegend: true, legend: { yanchor: "bottom", font: { size: 12 } }, annotations });

test("no type is small, and the legend has room at the top", () => {
  const names = [{ text: "one", font: { size: 12 } }, { text: "two", font: { size: 14 } }], layout = withNames(names);
  presented(layout);
  assert.deepEqual([layout.legend, ...names].map(({ font }) => font.size), [13, 13, 14]);
  assert.equal(layout.legend.y, 1 + 30 / 160);
  assert.equal(layout.legend.yanchor, "top"); // below the upper edge, wherever it was anchored
  assert.ok(layout.margin.r > 100);
});

test("a figure without a legend is left as it is", () => {
  const layout = { height: 200 };
  presented(layout);
  assert.deepEqual(layout, { height: 200 });
});
