import assert from "node:assert/strict";
import { test } from "node:test";

import { root } from "./browser.js";
import { press } from "../../pages/app/components/shared/keys.js";
import sceneBar from "../../pages/app/components/scene_bar/scene_bar.js";

const SCENE = { key: "one", opened: 1, at: "2 of 3", name: "One", question: "Which?", do: "Press.",
  notice: "It is this.", watch: ["pressed", "that"], presses: [],
  why: [[["So many: ", false], ["3", true]], [["Half of ", false], ["3", true]]],
  previous: ["zero", "Zero", "/a"], next: ["two", "Two", "/b"],
  all: ["", "All", "/"], done: false, view: "" };

function opened(data = {}) {
  const place = document.createElement("div"), sent = [];
  place.append(root("scene_bar"));
  document.body.replaceChildren(place);
  const draw = (more = {}) => sceneBar({ parentElement: place, data: { ...SCENE, ...data, ...more },
    setTriggerValue: (name) => sent.push(name) });
  draw();
  return { draw, sent, shown: () => [...place.querySelectorAll(".shown")].map(({ textContent }) => textContent) };
}

test("Page Down shows Notice, then Why step by step, and no more; Page Up goes back", () => {
  const { shown } = opened();
  assert.deepEqual(shown(), []);
  const steps = ["Notice It is this.", "Why So many: 3", "Why Half of 3"];
  for (const step of steps) {
    assert.equal(press("reveal"), true);
    assert.deepEqual(shown(), [step]);
  }
  assert.equal(press("reveal"), false); // so that the key opens the next scene
  for (const step of steps.slice(0, -1).reverse()) {
    assert.equal(press("conceal"), true);
    assert.deepEqual(shown(), [step]);
  }
  assert.equal(press("conceal"), true);
  assert.deepEqual([shown(), press("conceal")], [[], false]);
});

test("Notice waits for the key, also after the action; N shows it and hides all", () => {
  const { draw, sent, shown } = opened();
  draw({ done: true });
  assert.deepEqual(shown(), []);
  press("notice");
  press("reveal");
  assert.deepEqual(shown(), ["Why So many: 3"]);
  press("notice");
  assert.deepEqual([shown(), sent], [[], ["notice"]]);
});

test("new numbers keep the step; without numbers there is no reason", () => {
  const { draw, shown } = opened();
  press("reveal");
  press("reveal");
  draw({ why: [[["So many: ", false], ["4", true]]] });
  assert.deepEqual(shown(), ["Why So many: 4"]);
  draw({ why: [] });
  assert.deepEqual([shown(), press("reveal")], [["Notice It is this."], false]);
});

test("numbers of the notice that come later are shown, in the step that is open", () => {
  const { draw, shown } = opened({ notice: "" });
  const isHidden = () => document.querySelector(".notice").hidden;
  assert.equal(isHidden(), true);
  draw({ notice: "It is 3." });
  press("reveal");
  assert.deepEqual([isHidden(), shown()], [false, ["Notice It is 3."]]);
  draw({ notice: "It is 4." });
  assert.deepEqual(shown(), ["Notice It is 4."]);
});

test("the answer is hidden until it is shown or the action is done; a scene of one's own says what is hidden", () => {
  const asked = () => document.documentElement.dataset.asked;
  const { draw } = opened();
  assert.equal(asked(), "one");
  draw({ done: true });
  draw({ why: [] });
  assert.equal(asked(), undefined);
  opened({ key: "own", hides: "numbers" });
  assert.equal(asked(), "numbers");
  press("reveal");
  assert.equal(asked(), undefined);
  press("conceal");
  assert.equal(asked(), "numbers");
});
