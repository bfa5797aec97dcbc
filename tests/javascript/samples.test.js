import assert from "node:assert/strict";
import { test } from "node:test";

import { clock, root } from "./browser.js";
import samples from "../../pages/app/components/samples/samples.js";

const STEPS = [[0, 5000, [0, 5000], 69], [1, 5000, [1, 5000], 69], [0, 5000, [0, 5000], 69]];
const controls = (prompt, notice = "") => ({ prompt, serial: 0, texts: 1, most: 4, greedy: false, notice,
  temperature: { words: ["0.5", "1", "2"], one: 1, at: 1 } });
const drawing = (number, steps, grows) => ({ number, rate: 10, grows, joint: "", says: "", symbols: [["a"], ["b"]],
  texts: [{ seed: 0, mean: "1", steps }], bend: null });

test("a text grows token by token, and stops where a prompt that was typed meanwhile cannot be continued", () => {
  const mounted = root("samples"), setTriggerValue = () => Promise.resolve(true);
  const draw = (data) => samples({ parentElement: document.body, data, setTriggerValue });
  const written = () => mounted.querySelectorAll(".token").length;
  draw({ controls: controls("a"), drawing: drawing(1, STEPS, false) });
  assert.equal(written(), 3); // complete texts are shown at once
  draw({ controls: controls("a"), drawing: drawing(2, STEPS, true) });
  clock.pass(150);
  assert.ok(written() < 3);
  draw({ controls: controls("a☃", "Cannot be continued."), drawing: null });
  const before = written();
  clock.pass(5000);
  assert.equal(written(), before);
  assert.ok(mounted.querySelector(".body").hidden);
  assert.equal(mounted.querySelector(".notice").textContent, "Cannot be continued.");
  draw({ controls: controls("a"), drawing: drawing(3, STEPS, false) });
  clock.pass(5000);
  assert.equal(written(), 3);
});
