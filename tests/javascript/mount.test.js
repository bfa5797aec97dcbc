import assert from "node:assert/strict";
import { test } from "node:test";

import { root } from "./browser.js";
import mount from "../../pages/ui/components/shared/mount.js";

const GOOD = { head: ["model", "bits"], rows: [{ name: "uniform", tone: "", cells: [{ text: "6.4" }] }] };

function placed() {
  const place = document.createElement("div");
  place.append(root("grid"));
  document.body.append(place);
  let sent = 0;
  const draw = (data, number = sent += 1) => {
    const bytes = new TextEncoder().encode(`${number}\n${JSON.stringify(data)}`);
    return mount({ parentElement: place, data: bytes }, "grid");
  };
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

const saying = (text) => ({ ...GOOD, rows: [{ ...GOOD.rows[0], name: text }] });

test("what was sent earlier and is handed over later is not drawn", async () => {
  const { place, draw } = placed(), says = (text) => assert.match(place.querySelector(".grid").textContent, text);
  await Promise.all([draw(saying("newer"), 2), draw(saying("older"), 1)]);
  says(/newer/u);
  await draw(saying("older"), 1);
  says(/newer/u);
  await draw(saying("again"), 2);
  says(/again/u);
  await draw(saying("newest"), 3);
  says(/newest/u);
});
