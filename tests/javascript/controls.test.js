import assert from "node:assert/strict";
import { test } from "node:test";

import { clock, fire, root, settled } from "./browser.js";
import controls from "../../pages/app/components/controls/controls.js";

const KNOB = { is: "knob", name: "rate", label: "rate", words: ["0", "1", "2"], help: "", ends: [], ticks: [],
  typed: false, settles: false, error: "", at: 0, says: null };
const BUTTON = { is: "button", name: "again", words: "Again", icon: "", filled: false, disabled: false, help: "" };

/** Records a component's messages; `answer` answers the oldest one. */
function python() {
  const sent = [], answers = [];
  const told = (kind) => (event, value) => {
    sent.push([kind, event, value]);
    answers.push(Promise.withResolvers());
    return answers.at(-1).promise;
  };
  const answer = async (is = true) => {
    answers.shift().resolve(is);
    await settled();
    clock.pass(1100); // enough even after a slow answer
  };
  clock.pass(1000);
  return { sent, answer, functions: { setStateValue: told("state"), setTriggerValue: told("trigger") } };
}

/** A bar with these controls. */
function bar(...row) {
  const { sent, answer, functions } = python(), place = document.createElement("div");
  place.append(root("controls"));
  document.body.append(place);
  const draw = (...shown) => controls({ parentElement: place, data: { label: "", look: "bar", rows: [shown] },
    ...functions });
  draw(...row);
  const drag = (value, type = "input") => {
    place.querySelector("input").value = value;
    fire(place.querySelector("input"), type);
    clock.pass(100);
  };
  return { place, sent, answer, draw, drag };
}

const move = (value, done) => ["state", "move", { name: "rate", value, done }];

test("a knob sends its next value when the last one was answered, and the last one in the end", async () => {
  const { sent, answer, drag } = bar(KNOB);
  drag(1);
  drag(2);
  drag(1);
  drag(2);
  drag(2, "change");
  assert.deepEqual(sent, [move(1, false)]);
  await answer();
  assert.deepEqual(sent.slice(1), [move(2, true)]);
  await answer();
  assert.equal(sent.length, 2);
});

test("a press is sent after the last move, even where that waits for an answer", async () => {
  const { place, sent, answer, drag } = bar(KNOB, BUTTON);
  drag(1);
  drag(2);
  drag(2, "change");
  place.querySelector("button").click();
  assert.deepEqual(sent, [move(1, false), move(2, true), ["trigger", "press", "again"]]);
  await answer();
  await answer();
  await answer();
  assert.equal(sent.length, 3);
});

test("a knob does not go back to what Python said before it heard of the move", async () => {
  const { place, answer, draw, drag } = bar(KNOB), { value } = place.querySelector("input");
  assert.equal(value, "0");
  drag(2, "change");
  draw({ ...KNOB, at: 0 }); // a poll that was drawn before the move
  assert.equal(place.querySelector("input").value, "2");
  draw({ ...KNOB, at: 1 }); // Python has corrected the value
  await answer();
  assert.equal(place.querySelector("input").value, "1");
});
