import assert from "node:assert/strict";
import { test } from "node:test";

import "./browser.js";
import { inkOf } from "../../pages/app/components/shared/ink.js";

test("a colour is three whole numbers and how much it covers, however CSS says it", () => {
  assert.deepEqual(inkOf("rgb(1, 22, 255)"), { rgb: "rgb(1,22,255)", alpha: 1 });
  assert.deepEqual(inkOf("rgba(1, 2, 3, 0.25)"), { rgb: "rgb(1,2,3)", alpha: 0.25 });
  assert.deepEqual(inkOf("color(srgb 1 0.5 2e-3 / 0.4)"), { rgb: "rgb(255,128,1)", alpha: 0.4 });
  assert.equal(inkOf("transparent").alpha, 0);
  assert.equal(inkOf("none"), null);
  assert.equal(inkOf("url(\"#hatch\")"), null);
});
