import assert from "node:assert/strict";
import { test } from "node:test";

import "./browser.js";
import { makeRoom, placeNames } from "../../pages/app/components/live_figure/edges.js";

const PLOT = 160, HIGH = 2, MARGIN = { t: 30, b: 30, r: 100 };
const named = (y, text, yref = "y") => ({ xref: "paper", x: 1, xanchor: "left", yanchor: "middle", yref, y, text,
  showarrow: false, xshift: 14, yshift: 0, font: { size: 14 } });
const figure = (annotations, more = {}) => ({ height: PLOT + 60, margin: MARGIN, yaxis: { range: [0, HIGH] },
  annotations, ...more });
const place = ({ y, yref }) => yref === "paper" ? y * PLOT : y * PLOT / HIGH;
const middle = (name) => place(name) + (name.showarrow ? -name.ay : name.yshift);
const half = ({ text, font }) => 1.3 * font.size * text.split("<br>").length / 2;

/** Asserts that sorted names do not overlap, and that each is at its curve or joined to it by a line. */
function apart(names) {
  for (const [i, name] of names.entries()) {
    if (i) assert.ok(middle(names[i - 1]) - half(names[i - 1]) >= middle(name) + half(name) - 1e-9, name.text);
    assert.ok(name.showarrow || Math.abs(middle(name) - place(name)) <= 4, name.text);
  }
}

test("names that stood apart in a higher figure are apart again, in their order, and joined to their lines", () => {
  const names = [named(1.4, "uniform"), named(0.6, "bigram"), named(0.55, "3-gram –<br>4-gram"), named(0.01, "5-gram")];
  placeNames(figure(names), []);
  apart(names);
  assert.equal(names[0].showarrow, false);
  assert.ok(names.filter(({ showarrow, ax }) => showarrow && ax === 14).length >= 2);
  assert.ok(middle(names.at(-1)) > 0);
});

test("names of two lines are apart, too, where their place is a share of the plot", () => {
  const names = [0.2, 0.02, 0].map((y) => named(y, "its copy<br>× 0.334 per step", "paper"));
  placeNames(figure(names), []);
  apart(names);
});

test("larger type keeps a larger distance", () => {
  const names = ["one", "two"].map((text) => ({ ...named(1, text), font: { size: 40 } }));
  placeNames(figure(names), []);
  apart(names);
});

test("the highest name stands below every entry of the legend that is drawn", () => {
  const legend = { y: 1 + MARGIN.t / PLOT, font: { size: 13 } };
  const data = [true, true, true, false].map((showlegend) => ({ showlegend, x: [1] }));
  const names = [named(1.9, "uniform"), named(1.8, "unigram")];
  placeNames(figure(names, { showlegend: true, legend }), [...data, { showlegend: true, x: [] }]);
  apart(names);
  assert.ok(middle(names[0]) + half(names[0]) <= PLOT + MARGIN.t - 3 * 1.3 * 13);
});

test("where there is no room for all they share what there is, between the top and the foot", () => {
  const names = Array.from({ length: 14 }, (_, i) => named(1, `${i}`));
  placeNames(figure(names), []);
  const places = names.map(middle);
  assert.ok(places[0] <= PLOT + MARGIN.t && places.at(-1) > -8, `${places}`);
  for (const [i, at] of places.slice(1).entries()) assert.ok(at < places[i]);
});

test("what stands apart stays in its place, and what is zoomed out of sight takes no room", () => {
  const names = [named(1.5, "one"), named(0.5, "two"), named(2.5, "out of sight")];
  placeNames(figure(names), []);
  assert.deepEqual(names.slice(0, 2).map(({ yshift, showarrow }) => [yshift, showarrow]), [[0, false], [0, false]]);
});

test("to place names twice changes nothing", () => {
  const moved = [named(1, "one"), named(1, "two")];
  placeNames(figure(moved), []);
  const before = structuredClone(moved);
  placeNames(figure(moved), []);
  assert.deepEqual(moved, before);
});

test("a figure without names is left as it is", () => {
  const layout = figure([{ xref: "paper", x: 1, yanchor: "top", y: 0, text: "a note" }]);
  const before = structuredClone(layout);
  placeNames(layout, []);
  placeNames({ height: 200 }, []);
  assert.deepEqual(layout, before);
});

// Room for the texts at the edges

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
