import assert from "node:assert/strict";
import { test } from "node:test";

import { clock, root } from "./browser.js";
import { press } from "../../pages/app/components/shared/keys.js";
import sceneBar from "../../pages/app/components/scene_bar/scene_bar.js";

const SCENE = { key: "one", opened: 1, at: "2 of 3", name: "One", question: "Which?", do: "Press.",
  notice: "It is this.", watch: ["pressed", "that"], presses: [],
  previous: ["zero", "Zero", "/a"], next: ["two", "Two", "/b"],
  all: ["", "All", "/"], done: false, view: "" };

test("Page Down just after Notice came by itself does not go on to the next scene", () => {
  const place = document.createElement("div"), opened = [];
  place.append(root("scene_bar"));
  document.body.append(place);
  const draw = (done) => sceneBar({ parentElement: place, data: { ...SCENE, done },
    setTriggerValue: (name) => opened.push(name) });
  const shown = () => place.querySelector(".notice").classList.contains("shown");
  draw(false);
  assert.equal(shown(), false);
  draw(true);
  assert.equal(shown(), true);
  assert.equal(press("reveal"), true);
  assert.equal(shown(), true);
  clock.pass(1000);
  assert.equal(press("reveal"), false);
  assert.equal(press("conceal"), true);
  assert.equal(shown(), false);
  assert.equal(press("reveal"), true);
  assert.equal(press("reveal"), false); // revealed by this press: the next press may open the next scene at once
  assert.deepEqual(opened, []);
});
