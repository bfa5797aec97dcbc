import assert from "node:assert/strict";
import { test } from "node:test";

import { clock, root, settled } from "./browser.js";
import figure from "../../pages/app/components/live_figure/live_figure.js";

/** A figure `top` px below the top of the window, with this number as its label. */
function mounted(top) {
  const place = document.createElement("div");
  place.append(root("live_figure"));
  document.body.append(place);
  place.firstChild.getBoundingClientRect = () => ({ top });
  const data = { figure: { data: [], layout: { height: 300 } }, keep: "", label: `${top}`, plotly: "" };
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
