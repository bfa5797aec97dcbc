import assert from "node:assert/strict";
import { test } from "node:test";

import { root, settled } from "./browser.js";
import replacement from "../../pages/app/components/replacement/replacement.js";

const DATA = { tokens: ["a", "b", "c"], targets: ["b", "c", "a"], at: 1, other: "c", options: ["a", "b", "c", "d"],
  choice: 2, units: [0], cells: [[0, 50, -20]], largest: "0.5", distances: ["0", "0.5", "0.2"],
  moved: [0, -10, 5], says: "",
  probabilities: [["0.50", "0.50"], ["0.60", "0.50"], ["0.10", "0.15"]] };

test("keys pressed before the answer add up, and stop at the ends", async () => {
  const parentElement = document.createElement("div"), sent = [];
  parentElement.append(root("replacement"));
  const draw = (data, answer) => replacement({ parentElement, data,
    setTriggerValue: (_name, value) => { sent.push(value); return answer; } });
  const answered = Promise.withResolvers();
  draw(DATA, answered.promise);
  const stage = parentElement.querySelector(".stage");
  const press = (key) => stage.dispatchEvent(Object.assign(new Event("keydown"), { key }));
  for (const key of ["ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight"]) press(key);
  assert.deepEqual(sent, [{ at: 1, choice: 3 }, { at: 1, choice: 3 }, { at: 2, choice: 3 }, { at: 2, choice: 3 }]);
  draw({ ...DATA, at: 1, choice: 3 }, answered.promise); // the answer to the first one
  press("ArrowLeft");
  assert.deepEqual(sent.at(-1), { at: 1, choice: 3 });
  answered.resolve();
  await settled();
  draw({ ...DATA, at: 0, choice: 1 });
  press("ArrowUp");
  assert.deepEqual(sent.at(-1), { at: 0, choice: 0 });
});
