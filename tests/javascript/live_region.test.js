import assert from "node:assert/strict";
import { test } from "node:test";

import { clock } from "./browser.js";
import { liveRegion } from "../../pages/app/components/shared/live_region.js";

test("of a number that changes all the time a sentence is told every ten seconds, and the last one", () => {
  const { node, tell } = liveRegion(), told = [];
  for (let i = 0; i <= 250; i++) {
    tell(`perplexity ${i}`);
    clock.pass(100);
    if (node.textContent !== told.at(-1)) told.push(node.textContent);
  }
  assert.ok(told.length <= 4, `${told}`);
  clock.pass(10_000);
  assert.equal(node.textContent, "perplexity 250");
});
