import assert from "node:assert/strict";
import { test } from "node:test";

import "./browser.js";
import { makeRoom } from "../../pages/app/components/live_figure/edges.js";

const letters = (line) => line.replace(/<[^>]*>/g, "").length;
const wide = (text, size) => Math.max(...text.split("<br>").map(letters)) * size / 2;
const name = (text) => ({ xref: "paper", x: 1, xanchor: "left", yanchor: "middle", text, xshift: 14,
  font: { size: 14 } });
const note = (text) => ({ xref: "paper", x: 0, xanchor: "left", text, xshift: -40, font: { size: 16 } });
const axis = (text) => ({ title: { text, font: { size: 14 } } });
const layout = (more = {}) => ({ width: 400, height: 300, font: { size: 14 }, xaxis: axis("updates"),
  yaxis: axis("nats"), margin: { l: 60, r: 100, t: 20, b: 50 }, ...more });
const roomy = (more, data = []) => {
  const made = layout(more);
  makeRoom(made, data, wide);
  return made;
};

test("what fits stays as it is", () => {
  const annotations = [name("bigram<br>12.3"), note("Size against lag")];
  assert.deepEqual(roomy({ annotations: structuredClone(annotations) }), layout({ annotations }));
});

test("the margin is as wide as the longest name, and at most half of the figure", () => {
  assert.equal(roomy({ annotations: [name("<b>das Netz</b>"), name("uniform verteilt")] }).margin.r, 14 + 16 * 7 + 1);
  assert.equal(roomy({ annotations: [name("x".repeat(99))] }).margin.r, 200);
});

test("names of bars that lie have room at their left", () => {
  const bars = { orientation: "h", y: ["lzma", "lzma + Trainingstext"] };
  assert.equal(roomy({}, [bars, { y: [1, 2] }]).margin.l, 20 * 7);
});

test("a title that is longer than the figure is broken near its middle, and has room for two lines", () => {
  const { xaxis, yaxis, margin } = roomy({ xaxis: axis("bits per character and kilobytes for all of the held-out text"),
    yaxis: axis("perplexity of the text in order (log scale)") });
  assert.equal(xaxis.title.text, "bits per character and kilobytes<br>for all of the held-out text");
  assert.equal(yaxis.title.text, "perplexity of the text<br>in order (log scale)");
  assert.ok(margin.b > 50 && margin.l > 60);
  assert.equal(roomy({ xaxis: axis("x".repeat(90)) }).xaxis.title.text, "x".repeat(90));
});

test("a long note is smaller, and still to be read", () => {
  const { annotations: [one, other] } = roomy({ annotations: [note("x".repeat(55)), note("x".repeat(90))] });
  assert.ok(one.font.size < 16 && one.font.size >= 13);
  assert.equal(other.font.size, 12);
});
