import assert from "node:assert/strict";
import { test } from "node:test";

import "./browser.js";
import { gradientOf, inkOf } from "../../pages/app/components/shared/ink.js";

test("a colour is three whole numbers and how much it covers, however CSS says it", () => {
  assert.deepEqual(inkOf("rgb(1, 22, 255)"), { rgb: "rgb(1,22,255)", alpha: 1 });
  assert.deepEqual(inkOf("rgba(1, 2, 3, 0.25)"), { rgb: "rgb(1,2,3)", alpha: 0.25 });
  assert.deepEqual(inkOf("color(srgb 1 0.5 2e-3 / 0.4)"), { rgb: "rgb(255,128,1)", alpha: 0.4 });
  assert.equal(inkOf("transparent").alpha, 0);
  assert.equal(inkOf("none"), null);
  assert.equal(inkOf("url(\"#hatch\")"), null);
});

const stopsOf = (node) => [...node.children].map((stop) => Number(stop.getAttribute("offset")));
const line = (node) => ["x1", "y1", "x2", "y2"].map((name) => Math.round(Number(node.getAttribute(name))));

test("a gradient runs as CSS has it: to a side, by an angle, downwards if it says nothing", () => {
  const of = (said) => line(gradientOf(`linear-gradient(${said})`, "id", [10, 20, 100, 40], 1));
  assert.deepEqual(of("to right, rgb(0, 0, 0), rgb(9, 9, 9)"), [10, 40, 110, 40]);
  assert.deepEqual(of("to top, rgb(0, 0, 0), rgb(9, 9, 9)"), [60, 60, 60, 20]);
  assert.deepEqual(of("90deg, rgb(0, 0, 0), rgb(9, 9, 9)"), [10, 40, 110, 40]);
  assert.deepEqual(of("rgb(0, 0, 0), rgb(9, 9, 9)"), [60, 20, 60, 60]);
});

test("stops without a place stand evenly; px, shares and sums of both are places", () => {
  const of = (said) => gradientOf(said, "id", [0, 0, 100, 40], 2);
  assert.deepEqual(stopsOf(of("linear-gradient(to right, rgb(0, 0, 0), rgb(1, 1, 1), rgb(2, 2, 2))")), [0, 0.5, 1]);
  const mixed = of("linear-gradient(to right, rgb(0, 0, 0) 0px, rgb(1, 1, 1) 30%, rgb(2, 2, 2) calc(30% + 10px))");
  assert.deepEqual(stopsOf(mixed), [0, 0.3, 0.5]);
  const hatch = of("repeating-linear-gradient(90deg, transparent 0px 3px, rgb(1, 1, 1) 3px 4px)");
  assert.deepEqual(stopsOf(hatch), [0, 0.75, 0.75, 1]);
  assert.deepEqual([line(hatch)[2], hatch.getAttribute("spreadMethod")], [8, "repeat"]);
  assert.equal(of("none"), null);
});
