import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { JSDOM } from "jsdom";

import { clock } from "./browser.js";
import { find } from "../../pages/app/components/shared/find.js";
import { openLecturerWindow, registerShortcuts } from "../../pages/app/components/shared/keys.js";
import { clearScene, showScene, showStage } from "../../pages/app/components/shared/lecturer.js";

registerShortcuts();
const { document } = window;
const SCENE = { key: "a", opened: 1, at: "1 of 2", question: "Which <b>one</b>?", do: "Press.", notice: "It falls.",
  why: [[["By ", false], ["3", true]]],
  notes: "", follows: "And then?", planned: [3, 6], done: false };
let second = null;
const shown = () => second.document.body.textContent;
const key = (name) => second.document.body.dispatchEvent(
  new second.KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));

beforeEach(() => {
  if (second) second.closed = true;
  clock.pass(1000);
  document.body.replaceChildren();
  second = new JSDOM("<!doctype html>").window;
  Object.defineProperty(second, "closed", { value: false, writable: true });
  window.open = () => second;
});

test("the window shows the scene as text, follows, and loses nothing when it is closed", () => {
  showScene(SCENE);
  openLecturerWindow();
  for (const words of ["Which <b>one</b>?", "Press.", "It falls.", "And then?", "planned 3 of 6"]) {
    assert.ok(shown().includes(words), words);
  }
  assert.equal(second.document.querySelector("b"), null);
  for (const [stage, next] of ["Page Down showsNotice", "Why, 1 of 1", "the next scene"].entries()) {
    showStage(stage, 1);
    assert.ok(shown().includes(next), next);
  }
  assert.ok(shown().includes("By 3"));
  showScene({ ...SCENE, key: "b", question: "Second?", notes: "Wait." });
  assert.ok(shown().includes("Second?") && shown().includes("Wait."));
  clearScene(SCENE); // another scene is open
  assert.ok(shown().includes("Second?"));
  clearScene({ ...SCENE, key: "b" });
  assert.ok(!shown().includes("Second?"));
  second.closed = true;
  showScene(SCENE);
  clock.pass(2000);
});

test("its keys act on the page, presented or not", () => {
  const next = document.body.appendChild(document.createElement("button"));
  let pressed = 0;
  next.dataset.key = "next";
  next.onclick = () => { pressed += 1; };
  openLecturerWindow();
  key("PageDown");
  key("ArrowRight");
  assert.equal(pressed, 2);
});

test("a window that is blocked, and a page that is reloaded, are said", () => {
  window.open = () => null;
  openLecturerWindow();
  assert.match(find("dialog")[0].textContent, /blocked/);
  window.open = () => second;
  openLecturerWindow();
  window.dispatchEvent(new window.Event("pagehide"));
  assert.match(shown(), /reloaded/);
});
