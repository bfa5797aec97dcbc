import assert from "node:assert/strict";
import { test } from "node:test";

import { clock } from "./browser.js";
import { el } from "../../pages/app/components/shared/component.js";
import { beforeNavigation, link } from "../../pages/app/components/shared/link.js";
import { clickNext, clickWhenShown, setClicks, watchAction } from "../../pages/app/components/shared/scene_actions.js";

const { history } = window;

test("a button that says it is pressed, and no other one", () => {
  let done = 0;
  const right = el("button", {}, el("span", {}, "per token")), wrong = el("button", {}, "by the whole");
  document.body.replaceChildren(right, wrong);
  watchAction("pressed", "per token", () => { done += 1; });
  wrong.click();
  assert.equal(done, 0);
  right.firstChild.click();
  right.click();
  assert.equal(done, 1);
});

test("what the address said from the beginning nobody did", () => {
  let done = 0;
  history.pushState({}, "", "/actions");
  watchAction("address", "step=", () => { done += 1; });
  clock.pass(1000);
  history.pushState({}, "", "/actions?step=2");
  clock.pass(1000);
  assert.equal(done, 0);
  history.pushState({}, "", "/actions");
  clock.pass(5000);
  assert.equal(done, 1);
});

test("whatever it is; and who leaves is told nothing", () => {
  let done = 0;
  watchAction("address", "pair=*", () => { done += 1; });
  const leave = watchAction("address", "pair=*", () => { done += 10; });
  leave();
  history.pushState({}, "", "/actions?pair=1-2");
  clock.pass(1000);
  assert.equal(done, 1);
});

test("a link that is followed without loading a page puts the play head where it says", () => {
  const one = link("followed");
  history.pushState({}, "", "/truncation");
  one.follow("machine", 6);
  assert.equal(one.at.step, 5);
  beforeNavigation("/truncation?step=2");
  history.pushState({}, "", "/truncation");
  one.follow("machine", 6);
  assert.equal(one.at.step, 1);
  assert.match(window.location.search, /step=2/);
});

test("the next press of what a scene asks for, in turn: a button by its words, controls by their mark", () => {
  const pressed = [], one = (words, more = {}) =>
    Object.assign(el("button", { ...more, onclick: () => pressed.push(words) }, words),
      { getBoundingClientRect: () => ({ width: 10 }) });
  const slider = Object.assign(el("input", { type: "range", min: 0, max: 3, value: 1, "data-do": "tau" }),
    { getBoundingClientRect: () => ({ width: 10 }) });
  const swaps = ["a", "b"].map((name) => one(name, { "data-do": "swap" }));
  document.body.replaceChildren(one("1.1"), one("2"), ...swaps, slider);
  assert.equal(clickNext(), "");
  setClicks(["1.1", "2", "swap", "tau", "elsewhere"]);
  for (let i = 0; i < 4; i += 1) assert.equal(clickNext(), "pressed");
  assert.deepEqual([pressed, slider.value], [["1.1", "2", "a", "b"], "2"]);
  assert.equal(clickNext(), "none");
  setClicks([]);
  assert.equal(clickNext(), "");
});

test("once all were pressed, one that is gone is passed over", () => {
  const pressed = [], shown = (words) => Object.assign(el("button", { onclick: () => pressed.push(words) }, words),
    { getBoundingClientRect: () => ({ width: 10 }) });
  const first = shown("One product");
  document.body.replaceChildren(first, shown("New numbers"));
  setClicks(["One product", "New numbers"]);
  clickNext();
  first.remove();
  for (let i = 0; i < 3; i += 1) assert.equal(clickNext(), "pressed");
  assert.deepEqual(pressed, ["One product", "New numbers", "New numbers", "New numbers"]);
  document.body.replaceChildren();
  assert.equal(clickNext(), "none");
  document.body.append(shown("Train"));
  setClicks(["say", "Train", "goodbye"], true); // words in quotation marks that a lecturer wrote
  assert.deepEqual([clickNext(), pressed.at(-1)], ["pressed", "Train"]);
  document.body.replaceChildren();
  assert.equal(clickNext(), ""); // so that the key plays
  setClicks([]);
});

test("a click on a control that is not there yet is performed once it is, unless another scene was opened", () => {
  let pressed = 0;
  const button = Object.assign(el("button", { onclick: () => { pressed += 1; } }, "Train"),
    { getBoundingClientRect: () => ({ width: 10 }) });
  for (const [scene, expected] of [["same", 1], ["other", 1]]) {
    document.body.replaceChildren();
    setClicks(["Train"]);
    clickWhenShown();
    clock.pass(1000);
    if (scene === "other") setClicks(["Another"]);
    document.body.append(button);
    clock.pass(3000);
    assert.equal(pressed, expected);
  }
  setClicks([]);
});
