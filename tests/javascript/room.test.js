// The room on the wall: each step of each kind of question is drawn, and only the truth shows the votes.

import assert from "node:assert/strict";
import { test } from "node:test";

import { root } from "./browser.js";
import { press } from "../../pages/app/components/shared/keys.js";
import room from "../../pages/app/components/room/room.js";

const CHART = { x: [[0, "1"], [1, "1 k"]], y: [[0.5, "10"]], lines: [[0.4, "bigram"]], run: [[0, 0.9], [1, 0.5]],
  closest: "The closest", votes: [
    { lines: [[0.5, null, 0.4]], cells: [], low: [0.4, 0.4, 0.4], middle: [0.5, 0.5, null], high: [0.6, 0.6, 0.6] },
    { lines: [], cells: [[0, 1], [0.5, 0]], low: [0.4, 0.4], middle: [0.5, 0.5], high: [0.6, 0.6] }] };
const ROOM = { step: "", can: true, number: 1, kind: "choice", question: "<b>Which?</b>", options: ["one", "two"],
  misunderstandings: ["", "That"], right: 0, counts: [[3, 1], [4, 0]], hands: [0, 0], middles: ["7", "8"], truth: "9",
  place: 0.5, advice: "", answered: 4, joined: 2, shut: false, by_hand: false, link: "http://x/room/ABCD",
  code: { size: 21, path: "M0 0h1v1z" }, note: "", chart: null };

/** A room that is drawn with `draw(data)`, and what was pressed in it. */
function drawn() {
  const place = document.createElement("div"), sent = [];
  place.append(root("room"));
  document.body.append(place);
  const draw = (data) => room({ parentElement: place, data: { ...ROOM, ...data },
    setTriggerValue: (name, value) => sent.push([name, value]) });
  return { place, sent, draw };
}

for (const [kind, more] of [["choice", {}], ["number", {}], ["curve", { options: [], counts: [], chart: CHART }]])
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

test("counted hands are sent as whole numbers", () => {
  const { place, sent, draw } = drawn();
  draw({ step: "first", by_hand: true });
  const [field] = place.querySelectorAll("input");
  field.value = "12";
  field.onchange();
  assert.deepEqual(sent, [["hands", { place: 0, many: 12 }]]);
  place.remove();
});
