import assert from "node:assert/strict";
import { test } from "node:test";

import "./browser.js";
import { setPresenting } from "../../pages/app/components/shared/presenting.js";
import { windowScale } from "../../pages/app/components/shared/window_scale.js";

const written = () => Number(document.documentElement.style.getPropertyValue("--scale"));

function widen(width) {
  window.innerWidth = width;
  window.dispatchEvent(new Event("resize"));
}

test("the page grows with the window by a quarter at most, and presented as much as the window allows", () => {
  for (const [width, scale] of [[390, 1], [1280, 1], [1440, 1.125], [1920, 1.25], [3840, 1.25]]) {
    widen(width);
    assert.deepEqual([written(), windowScale()], [scale, scale]);
  }
  setPresenting(true);
  assert.ok(written() > 5);
  widen(390);
  assert.equal(written(), 1);
  widen(1280);
  assert.ok(written() > 1.8);
  setPresenting(false);
  assert.equal(written(), 1);
});
