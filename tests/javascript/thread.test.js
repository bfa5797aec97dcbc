import assert from "node:assert/strict";
import { test } from "node:test";

import { clock, root } from "./browser.js";
import thread from "../../pages/ui/components/thread/thread.js";
import { el } from "../../pages/ui/components/shared/paper.js";

const way = (name) => [name, name, `/${name}`];
const DATA = { key: "branching", opened: 1, at: "7 of 17", name: "A scene", question: "What then?", do: "Press it.",
  notice: "It is so.", done: false, watch: ["pressed", "worst"], previous: way("before"), next: way("after"),
  all: ["", "all scenes", "/"] };

test("what was done is ticked at once, and the page is told after the press was", () => {
  const told = [], strip = root("thread");
  thread({ parentElement: strip.parentNode, data: DATA, setTriggerValue: (...message) => told.push(message) });
  const button = el("button", { onclick: () => told.push(["press", "worst"]) }, "worst");
  document.body.append(button);
  button.click();
  assert.equal(strip.querySelector(".said").textContent, "done");
  assert.deepEqual(told, [["press", "worst"]]);
  clock.pass(1000);
  assert.deepEqual(told, [["press", "worst"], ["done", "branching"]]);
});

test("who presses next at once is told of first", () => {
  const told = [], strip = root("thread");
  thread({ parentElement: strip.parentNode, data: { ...DATA, watch: ["shown", ""] }, setTriggerValue: (event) =>
    told.push(event) });
  strip.querySelector("[data-key=notice]").click();
  strip.querySelector("[data-key=next]").click();
  assert.deepEqual(told, ["done", "go"]);
  clock.pass(1000);
  assert.deepEqual(told, ["done", "go"]);
});
