import assert from "node:assert/strict";
import { test } from "node:test";

import { placeAt, shareOf, stroke } from "../../pages/app/components/run_view/stroke.js";

const RANGES = { x: [0, 3], y: [0, 2] }; // log10: x from 1 to 1000, y from 1 to 100
const near = (found, wanted) => found.forEach((one, i) => assert.ok(Math.abs(one - wanted[i]) < 1e-9, `${found}`));

for (const grown of [1, 1.25]) {
  test(`a point of the window is a place of the chart, however it is scaled: by ${grown}`, () => {
    const box = { left: 40, top: 60, width: 300 * grown, height: 100 * grown };
    near(placeAt(box, RANGES, 40, 60), [0, 2]);
    near(placeAt(box, RANGES, 40 + 100 * grown, 60 + 50 * grown), [1, 1]);
    near(placeAt(box, RANGES, 40 + 300 * grown, 60 + 100 * grown), [3, 0]);
  });
}

test("who draws beyond the chart draws along its edge", () => {
  const box = { left: 0, top: 0, width: 300, height: 100 };
  near(placeAt(box, RANGES, -50, 500), [0, 0]);
  near(placeAt(box, RANGES, 900, -1), [3, 2]);
});

test("a place stands in the picture where it was pointed at", () => {
  const box = { left: 0, top: 0, width: 300, height: 100 };
  near(shareOf(RANGES, placeAt(box, RANGES, 75, 20)), [0.25, 0.2]);
});

test("a drag is a straight line between where the hand was seen", () => {
  const line = stroke([0, 3]);
  line.to([0, 2]);
  line.to([3, 0]);
  const values = line.values(true);
  assert.deepEqual([values[0], values.at(-1)], [[1, 100], [1000, 1]]);
  const middle = values.find(([x]) => Math.abs(Math.log10(x) - 1.5) < 0.02);
  assert.ok(Math.abs(Math.log10(middle[1]) - 1) < 0.02);
  for (let i = 1; i < values.length; i++) assert.ok(values[i][0] > values[i - 1][0]);
});

test("on linear axes the values are the places, and none is below 0", () => {
  const line = stroke([-1, 9]);
  line.to([-1, 20]);
  line.to([9, -2]);
  const values = line.values(false);
  assert.deepEqual(values.at(-1), [9, 1e-6]);
  assert.deepEqual(values[0], [1e-6, 20]);
});

test("who goes back draws anew, and the line stays one", () => {
  const line = stroke([0, 3]);
  line.to([0, 2]);
  line.to([3, 2]);
  line.to([1.5, 1]);
  const values = line.values(true);
  assert.ok(Math.abs(values.find(([x]) => x > 31)[1] - 10) < 1);
  assert.equal(new Set(values.map(([x]) => x)).size, values.length);
});

test("a click is no line", () => {
  const line = stroke([0, 3]);
  line.to([1, 1]);
  line.to([1.001, 1.5]);
  assert.equal(line.isLine(), false);
});
