import assert from "node:assert/strict";
import { test } from "node:test";

import { complaints, root } from "./browser.js";
import continuations from "../../pages/app/components/continuations/continuations.js";

test("the ranking can be chosen while there is nothing to rank", () => {
  const parentElement = document.createElement("div");
  parentElement.append(root("continuations"));
  const data = { drawing: null, prompt: "", notice: "No text.", serial: 0 };
  continuations({ parentElement, data, setTriggerValue() {} });
  const buttons = [...parentElement.querySelectorAll("button[aria-pressed]")];
  buttons[1].click();
  assert.deepEqual(complaints, []);
  assert.deepEqual(buttons.map((button) => button.getAttribute("aria-pressed")), ["false", "true"]);
});
