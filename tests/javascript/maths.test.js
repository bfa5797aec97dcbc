import assert from "node:assert/strict";
import { test } from "node:test";

import { root } from "./browser.js";
import { drawnLaw, maths, read, writeLaw } from "../../pages/app/components/shared/maths.js";
import { el } from "../../pages/app/components/shared/component.js";
import { scaleOf } from "../../pages/app/components/shared/scales.js";
import { svg } from "../../pages/app/components/shared/drawn.js";

test("a formula is read into indices, letters, words and the rest", () => {
  assert.deepEqual(read("H_t = tanh(W_{hh}^2)"), [["letter", "H"], ["_", "t"], ["", " = "], ["word", "tanh"], ["", "("],
    ["letter", "W"], ["_", "hh"], ["^", "2"], ["", ")"]]);
  assert.deepEqual(read("row of “{x}”"),
    [["word", "row"], ["", " "], ["word", "of"], ["", " “"], ["slot", "x"], ["", "”"]]);
});

test("no character of a formula is lost, and none is read as markup", () => {
  for (const text of ["a < b & c > {", "“{”", "φ'(a) · {{", "x"]) assert.equal(maths(text).textContent, text);
  assert.equal(maths("<b>x</b>").querySelector("b"), null);
});

test("letters are set in italics, words upright, and pieces may be lit", () => {
  const node = maths([["tanh(x)", ""], ["W_{xh}", "input"]]);
  assert.deepEqual([...node.querySelectorAll("i")].map((i) => i.textContent), ["x", "W", "xh"]);
  assert.equal(node.querySelector(".input").textContent, "Wxh");
});

test("a law is written for its step, and for those beside it", () => {
  const node = el("span"), indices = () => [...node.querySelectorAll("sub")].map((sub) => sub.textContent);
  writeLaw(node, "h_{t} = tanh(h_{t-1} W_{hh} + d_{t+1})", 4);
  assert.deepEqual(indices(), ["5", "4", "hh", "6"]);
  assert.equal(node.querySelector(".upright").textContent, "tanh");
  writeLaw(node, "p(“{y}”)", 0, { y: "<b>" });
  assert.equal(node.textContent, "p(“<b>”)");
});

test("in a drawing an index stands lower, and the next part is back on the line", () => {
  const node = svg("text");
  drawnLaw(node, "h_{t} = φ(a_{t})", 0);
  assert.equal(node.textContent, "h1 = φ(a1)");
  assert.equal([...node.children].reduce((y, part) => y + Number(part.getAttribute("dy") ?? 0), 0), 0);
  assert.deepEqual([...node.querySelectorAll(".index")].map((part) => part.textContent), ["1", "1"]);
});

test("a scale goes through its stops in even steps, and ends with its ends", () => {
  const { rgb, stops } = scaleOf(root(), "sequential");
  assert.equal(stops.length, 7);
  assert.deepEqual([0, 50, 100].map((level) => rgb(level)[0]), [0, 126, 252]);
  assert.deepEqual([rgb(-5), rgb(500)], [rgb(0), rgb(100)]);
  assert.deepEqual([-100, 0, 100].map((level) => scaleOf(root(), "diverging").rgb(level)[0]), [252, 126, 0]);
});

test("the text on a colour is the more legible of black and white", () => {
  const { ink, rgb } = scaleOf(root(), "sequential");
  const light = (c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4);
  for (let level = 0; level <= 100; level += 5) {
    const ground = light(rgb(level)[0]), black = (ground + 0.05) / 0.05, white = 1.05 / (ground + 0.05);
    if (Math.abs(black - white) > 0.1) assert.equal(ink(level), black > white ? "#000" : "#fff", `at ${level}`);
  }
});

test("cells below a quarter of the scale carry a minus bar, and no others", () => {
  const { minus } = scaleOf(root(), "diverging");
  assert.deepEqual([100, 0, -25].map(minus), ["", "", ""]);
  assert.deepEqual([-26, -100].map(minus), ["dark", "dark"]);
});

test("a node is dressed in a level, and undressed without one", () => {
  const node = el("i"), { shade } = scaleOf(root(), "sequential");
  shade(node, 100);
  assert.ok(node.style.background && node.style.color);
  shade(node, null);
  assert.deepEqual([node.style.background, node.style.color], ["", ""]);
});
