import assert from "node:assert/strict";
import { test } from "node:test";

import { root } from "./browser.js";
import mount from "../../pages/ui/components/shared/mount.js";

const GOOD = { head: ["model", "bits"], rows: [{ name: "uniform", tone: "", cells: [{ text: "6.4" }] }] };

function placed() {
  const blank = root("grid"), place = blank.parentNode;
  const draw = (data) => mount({ parentElement: place, data: new TextEncoder().encode(JSON.stringify(data)) }, "grid");
  const seen = () => [place.querySelector(".grid").hidden, place.querySelectorAll("table").length];
  return { place, draw, seen };
}

test("what cannot be drawn says so, and is drawn anew from the next data", async (context) => {
  const failures = context.mock.method(console, "error", () => {});
  const { place, draw, seen } = placed();
  await draw(GOOD);
  const whole = place.querySelector(".grid").textContent;
  assert.deepEqual(seen(), [false, 1]);
  await draw({ head: null });
  assert.equal(place.querySelectorAll("[role=status]").length, 1);
  assert.equal(place.querySelector(".grid").hidden, true);
  assert.equal(failures.mock.callCount(), 1);
  await draw({ head: null });
  assert.equal(place.querySelectorAll("[role=status]").length, 1);
  await draw(GOOD);
  assert.deepEqual(seen(), [false, 1]);
  assert.equal(place.querySelector(".grid").textContent, whole);
  assert.equal(place.querySelectorAll("[role=status]").length, 0);
});
