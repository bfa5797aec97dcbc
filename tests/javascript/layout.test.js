import assert from "node:assert/strict";
import { test } from "node:test";

import { root } from "./browser.js";
import { codeFont, dotOf, fitted, layoutOf, shownOf } from "../../pages/app/components/network/layout.js";

const wide = codeFont(root()); // 0.6 em for every character: jsdom cannot measure
const layout = (labels, more = {}) =>
  layoutOf({ columns: labels.map((label) => ({ labels: [label, label] })), ...more }, wide);
const letters = (T, more) => layout(Array(T).fill("a"), more);
const prediction = [["thereupon", "0.60", 0.6, false], ["and", "0.30", 0.3, false],
  ["nevertheless", "0.01", 0.01, true]];

test("columns stand side by side, as wide as the page allows", () => {
  for (const T of [1, 5, 15, 40]) {
    const { x, pitch, width } = letters(T);
    assert.equal(x.length, T);
    assert.ok(x.every((at, t) => !t || Math.abs(at - x[t - 1] - pitch) < 0.011));
    assert.ok(x[0] - pitch / 2 >= 90 && x.at(-1) + pitch / 2 <= width && Math.abs(width - 972) <= 1, `${T} ${width}`);
  }
});

test("the more columns, the fewer details", () => {
  assert.deepEqual([5, 9, 10, 25, 26, 40].map((T) => letters(T).density),
    ["roomy", "roomy", "middle", "middle", "tight", "tight"]);
  for (const [T, shown] of [[5, 3], [15, 1], [40, 1]]) {
    const tokens = shownOf(prediction, letters(T));
    assert.equal(tokens.length, shown);
    assert.deepEqual(tokens.filter(({ target }) => target).map(({ p }) => p), ["0.01"]);
  }
});

test("in a scene a short text is narrow, and six columns fit into a window; a long one is as elsewhere", () => {
  for (const symbol of ["a", "word"]) {
    const usual = layout(Array(6).fill(symbol)), scene = layout(Array(6).fill(symbol), { in_scene: true });
    assert.ok(scene.width < usual.width && scene.width <= 840);
    assert.equal(scene.density, "roomy");
  }
  assert.deepEqual(JSON.stringify(letters(40, { in_scene: true })), JSON.stringify(letters(40)));
});

test("a box holds its symbol, or as much of it as there is room between two columns", () => {
  for (const [T, word] of [[5, "nevertheless"], [15, "nevertheless"], [40, "it"], [5, "a"]]) {
    const made = layout(Array(T).fill(word)), shown = fitted(word, made.box - 6, made.font, made);
    assert.ok(made.box < made.pitch && wide(shown, made.font) < made.box, `${T} ${word}`);
    if (T === 5) assert.equal(shown, word);
  }
});

test("a symbol is shortened to its room, with an ellipsis if more than two characters fit", () => {
  const of = (chars) => fitted("abcdefgh", chars * 6 + 0.1, 10, { wide });
  assert.deepEqual([9, 8, 7, 3, 2, 1, 0].map(of), ["abcdefgh", "abcdefgh", "abcdef…", "ab…", "ab", "a", "a"]);
  const double = { wide: (text, size) => size * [...text].length }; // of another script: wider characters
  assert.equal(fitted("数字很长", 30, 10, double), "数字…");
  assert.equal(fitted("👍🏽👍🏽", 10, 10, double), "👍");
});

test("the symbols of predictions leave room for their probabilities", () => {
  for (const T of [5, 9, 15, 40]) {
    const made = layout(Array(T).fill("nevertheless"));
    const room = made.density === "roomy" ? 2 * made.half - 46 : made.pitch;
    for (const { symbol } of shownOf(prediction, made))
      assert.ok(wide(symbol, 14) <= Math.max(room, 9), `${T} ${symbol}`);
  }
});

const texts = ["two", "one", "none"];

test("the larger a loss, the larger and darker its dot, up to a largest one, which what is no number has, too", () => {
  const made = letters(6), dots = [0, 1, 4, 9, 50, null].map((nats) => dotOf([nats, texts], made));
  for (const name of ["radius", "shade"]) {
    const sizes = dots.map((dot) => dot[name]);
    assert.deepEqual(sizes, sizes.toSorted((one, other) => one - other));
    assert.equal(new Set(sizes).size, 4);
  }
});

test("a number has room beside its dot: fewer decimals in narrow columns, and if it is large", () => {
  const of = (T, ...losses) => losses.map((nats) => dotOf([nats, texts], letters(T)).text);
  assert.deepEqual(of(6, 3, 99.9, 100, null), ["two", "two", "one", "two"]);
  assert.deepEqual(of(12, 3, 99.9, 100, null), ["one", "one", "none", "one"]);
  assert.deepEqual(of(20, 3, 9.9, 10), ["one", "one", "none"]);
  assert.deepEqual(of(40, 3, 10), ["two", "one"]);
  for (const T of [9, 12, 15, 20, 25]) { // neither covers the dot of the next column
    const { pitch, loss: [dot, text, size, scale] } = letters(T), largest = 12.5 * scale;
    assert.ok(text + 0.55 * size * (T === 9 ? 4 : 3) <= pitch + dot - largest + 1 && text >= dot + 3 * scale, `${T}`);
  }
});

test("the arrow of the loop begins and ends at the strip, in the middle of the columns", () => {
  for (const T of [1, 6, 40]) {
    const { loop, x, strip } = letters(T), [start] = loop.path.match(/[\d.]+/g).map(Number);
    assert.ok(Math.abs(loop.x - (x[0] + x.at(-1)) / 2) < 1);
    assert.ok(start > strip / 2 && loop.tip[0] === start);
  }
});
