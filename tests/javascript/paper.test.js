import assert from "node:assert/strict";
import { test } from "node:test";

import { clock, fire, root } from "./browser.js";
import {
  changed, el, leaving, listed, mover, paper, segments, setText, slider, throttled, worded
} from "../../pages/ui/components/shared/paper.js";

test("throttled: not more often than every 100 ms, and the last value always arrives", () => {
  const sent = [], send = throttled((value) => sent.push([clock.now, value]), 100), start = clock.now + 1000;
  clock.pass(1000);
  for (let i = 0; i < 10; i++) {
    send(i);
    clock.pass(25);
  }
  clock.pass(1000);
  assert.equal(sent.at(-1)[1], 9);
  for (let i = 1; i < sent.length; i++) assert.ok(sent[i][0] - sent[i - 1][0] >= 100);
  assert.ok(sent.length < 5 && sent[0][0] - start < 25);
});

function made() {
  const moves = [];
  const part = slider({ label: "rate", max: 9, step: 1, says: (i) => `place ${i}`,
    onmove: (...move) => moves.push(move) });
  clock.pass(1000);
  return { ...part, moves };
}

function hand({ input }, value, type = "input") {
  input.value = value;
  fire(input, type);
}

test("a slider follows Python", () => {
  const { input, offer } = made();
  offer(4);
  assert.equal(input.value, "4");
  assert.equal(input.getAttribute("aria-valuetext"), "place 4");
});

test("a slider says what a hand does, and once that it is done", () => {
  const part = made();
  hand(part, 3);
  hand(part, 5);
  hand(part, 5, "change");
  assert.deepEqual(part.moves, [[3, false], [5, false], [5, true]]);
});

test("an offer does not move a slider that is held, however long", () => {
  const part = made();
  fire(part.input, "pointerdown");
  clock.pass(10_000);
  part.offer(1);
  assert.notEqual(part.input.value, "1");
  fire(part.input, "pointerup");
  part.offer(1);
  assert.equal(part.input.value, "1");
});

test("just after a move an offer may be older than it: it waits, unless the slider is released", () => {
  const part = made();
  hand(part, 7, "change");
  part.offer(2);
  assert.equal(part.input.value, "7");
  part.release();
  part.offer(2);
  assert.equal(part.input.value, "2");
  hand(part, 7, "change");
  clock.pass(1000);
  part.offer(3);
  assert.equal(part.input.value, "3");
});

test("an offer that came just after a move is taken up when the quiet ends, unless a newer one came", () => {
  const part = made();
  hand(part, 7, "change");
  part.offer(2);
  clock.pass(1000);
  assert.equal(part.input.value, "2"); // Python refused the 7
  hand(part, 7, "change");
  part.offer(2);
  part.offer(7);
  clock.pass(1000);
  assert.equal(part.input.value, "7");
});

test("a slider with words says those of the place where it stands, and a value between its places as it is", () => {
  const sent = [], part = worded({ label: "norm", words: ["off", "one", "two"], onmove: (...move) => sent.push(move) });
  clock.pass(1000);
  part.offer(1, "1.05");
  assert.equal(part.said.textContent, "1.05");
  hand(part, 2, "change");
  assert.equal(part.said.textContent, "two");
  part.offer(1, "1.05"); // an older one
  assert.equal(part.said.textContent, "two");
  clock.pass(1000);
  assert.deepEqual(sent, [[2, true]]);
  part.offer(0, undefined, ["none", "one", "two"]);
  assert.equal(part.said.textContent, "none");
});

test("two equal moves are two messages", () => {
  const sent = [], state = {};
  for (let i = 0; i < 2; i++)
    mover(state, (name, message) => sent.push([name, JSON.stringify(message)]))({ name: "tau" });
  assert.equal(new Set(sent.map(([, message]) => message)).size, 2);
  assert.ok(sent.every(([name]) => name === "move"));
});

test("changed: whether it is another value than at the last call", () => {
  const state = {};
  assert.deepEqual([[1], [1], [2], [2], [1]].map((value) => changed(state, "shape", value)),
    [true, false, true, false, true]);
  assert.ok(changed(state, "another", [1]));
});

test("listed: as many children as wanted, and those that were there stay", () => {
  const list = el("div"), make = (i) => el("i", {}, String(i));
  const [first] = listed(list, 3, make);
  assert.equal(listed(list, 1, make)[0], first);
  assert.deepEqual(listed(list, 4, make).map((node) => node.textContent), ["0", "1", "2", "3"]);
});

test("text is text, and is written only where it changed", () => {
  const node = el("b.strong", { title: "x" }, "<i>&amp;"), [text] = node.childNodes;
  assert.equal(node.children.length, 0);
  setText(node, "<i>&amp;");
  assert.equal(node.firstChild, text);
  setText(node, "other");
  assert.equal(node.textContent, "other");
});

test("of segments one is pressed", () => {
  const chosen = [], { node, offer } = segments({ label: "x", options: [[true, "on"], [false, "off"]],
    onchoose: (value) => chosen.push(value) });
  offer(false);
  assert.deepEqual([...node.children].map((button) => button.getAttribute("aria-pressed")), ["false", "true"]);
  node.firstChild.click();
  assert.deepEqual(chosen, [true]);
});

test("a component that has left the page begins anew when it comes back, one that is overtaken does not", () => {
  const node = root("part"), left = [], parent = document.body;
  const [, state] = paper(parent, "part");
  const leave = leaving(node, () => left.push(true));
  leave();
  assert.deepEqual([left.length, paper(parent, "part")[1] === state], [0, true]);
  node.remove();
  leave();
  parent.append(node);
  assert.deepEqual([left.length, paper(parent, "part")[1] === state], [1, false]);
});
