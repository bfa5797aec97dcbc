// The room on the wall: each step of each kind of question is drawn, and only the truth shows the votes.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { root } from "./browser.js";
import { press } from "../../pages/app/components/shared/keys.js";
import room from "../../pages/app/components/room/room.js";

const CHART = { x: [[0, "1"], [1, "1 k"]], y: [[0.5, "10"]], lines: [[0.4, 0.45, "bigram"]], run: [[0, 0.9], [1, 0.5]],
  closest: "The closest", votes: [
    { lines: [[0.5, null, 0.4]], cells: [], low: [0.4, 0.4, 0.4], middle: [0.5, 0.5, null], high: [0.6, 0.6, 0.6] },
    { lines: [], cells: [[0, 1], [0.5, 0]], low: [0.4, 0.4], middle: [0.5, 0.5], high: [0.6, 0.6] }] };
const ROOM = { step: "", can: true, number: 1, kind: "choice", question: "<b>Which?</b>", options: ["one", "two"],
  misunderstandings: ["", "That"], right: 0, counts: [[3, 1], [4, 0]], hands: [0, 0], earlier: [],
  advice: "", answered: 4, joined: 2, shut: false, by_hand: false, link: "http://x/room/ABCD",
  code: { size: 21, path: "M0 0h1v1z" }, note: "", histogram: null, chart: null };
const HISTOGRAM = { edges: ["1", "10", "100"], medians: [0.2, -1], said: ["median 2", ""], place: 0.5, truth: "10" };

/** A room that is drawn with `draw(data)`, and what was pressed in it. */
function drawn() {
  const place = document.createElement("div"), sent = [];
  place.append(root("room"));
  document.body.append(place);
  const draw = (data) => room({ parentElement: place, data: { ...ROOM, ...data },
    setTriggerValue: (name, value) => sent.push([name, value]) });
  return { place, sent, draw };
}

const KINDS = { choice: {}, number: { histogram: HISTOGRAM }, curve: { options: [], counts: [], chart: CHART } };
for (const [kind, more] of Object.entries(KINDS))
  test(`a ${kind} goes through its steps, and its votes are shown with the truth alone`, () => {
    const { place, sent, draw } = drawn();
    for (const step of ["", "first", "talk", "second", "truth"]) {
      draw({ ...more, kind, step });
      assert.equal(Boolean(place.querySelector(".answers")), step === "truth", step);
      if (step) assert.equal(place.querySelector("h2").textContent, ROOM.question);
      assert.equal(press("room"), true);
      assert.deepEqual(sent.at(-1), ["go", { step, number: 1, what: "on" }]);
    }
    draw({ step: "" });
    assert.equal(place.querySelector(".wall").children.length, 0);
    assert.equal(press("leave"), false);
    place.remove();
  });

test("bars are as long as the shares, and the right answer is marked", () => {
  const { place, draw } = drawn();
  draw({ step: "truth" });
  const rows = [...place.querySelectorAll(".bars li")];
  assert.deepEqual(rows.map(({ className }) => className), ["right", ""]);
  assert.deepEqual([...rows[0].querySelectorAll(".filled")].map(({ style }) => style.width), ["75%", "100%"]);
  place.remove();
});

test("an earlier hall is marked beside the new one", () => {
  const { place, draw } = drawn();
  draw({ step: "truth", earlier: [[1, 3]] });
  const marks = [...place.querySelectorAll(".bars .mark")];
  assert.deepEqual(marks.map(({ style }) => style.left), ["25%", "75%"]);
  assert.match(place.querySelector(".legend").textContent, /4/);
  draw({ step: "truth", kind: "number", histogram: HISTOGRAM, earlier: [[1, 3], [4, 0]], number: 2 });
  assert.equal([...place.querySelectorAll(".histogram .mark")].filter((node) => node.getAttribute("d")).length, 4);
  place.remove();
});

test("a histogram has a bar for each vote and bin, a median for each, and the truth at its place", () => {
  const { place, draw } = drawn();
  draw({ step: "truth", kind: "number", histogram: HISTOGRAM });
  const of = (name) => [...place.querySelectorAll(`.histogram ${name}`)];
  const height = (node) => Number(node.getAttribute("height"));
  const [high, low, highest, none] = of(".filled").map(height);
  assert.ok(Math.abs(high / highest - 0.75) < 1e-9 && Math.abs(low / highest - 0.25) < 1e-9 && none === 0);
  assert.equal(of(".median").length, 1);
  const [middle] = of("path.truth");
  assert.match(middle.getAttribute("d"), /^M500 /);
  assert.match(place.textContent, /10/);
  place.remove();
});

test("where phones guess or draw, the wall has the axes and no answers", () => {
  const { place, draw } = drawn();
  draw({ step: "first", kind: "number", histogram: HISTOGRAM });
  assert.equal(place.querySelectorAll(".histogram text").length, 3);
  assert.equal(place.querySelectorAll(".votes :is(.filled, .median, .truth)").length, 0);
  draw({ step: "first", kind: "curve", options: [], counts: [], chart: CHART, number: 2 });
  assert.equal(place.querySelectorAll(".curves .grid").length, 1);
  assert.equal(place.querySelectorAll(":is(.median, .faint, .run, .cell)").length, 0);
  place.remove();
});

test("each kind of line of the curves has a look of its own, on the wall and in the lecturer's window", () => {
  const { place, draw } = drawn();
  draw({ step: "truth", kind: "curve", options: [], counts: [],
    chart: { ...CHART, votes: CHART.votes.toReversed() } });
  const lines = [...place.querySelectorAll(".curves path")];
  for (const name of ["grid", "model", "faint", "quartile", "median", "before", "run"])
    assert.ok(lines.some(({ classList }) => classList.contains(name)), name);
  for (const sheet of ["room/room.css", "shared/lecturer.css"]) {
    const css = readFileSync(new URL(`../../pages/app/components/${sheet}`, import.meta.url), "utf8");
    const looks = [...css.matchAll(/(\.curves \.[\w.]+) \{/g)].map(([, selector]) => selector);
    const lookOf = (line) => looks.filter((selector) => line.matches(selector)).join();
    for (const line of lines) assert.ok(lookOf(line), `${line.getAttribute("class")} in ${sheet}`);
    const classes = new Set(lines.map((line) => line.getAttribute("class")));
    assert.equal(new Set(lines.map(lookOf)).size, classes.size, sheet);
  }
  place.remove();
});

test("counted hands are sent as whole numbers", () => {
  const { place, sent, draw } = drawn();
  draw({ step: "first", by_hand: true });
  const [field] = place.querySelectorAll("input");
  field.value = "12";
  field.onchange();
  assert.deepEqual(sent, [["hands", { place: 0, many: 12 }]]);
  place.remove();
});
