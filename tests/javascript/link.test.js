import assert from "node:assert/strict";
import { test } from "node:test";

import { clock, root, see } from "./browser.js";
import { link } from "../../pages/app/components/shared/link.js";

let count = 0;
function fresh(text = "abc", T = 3) {
  const head = link(`link ${count += 1}`);
  head.follow(text, T);
  return head;
}

test("all that name a link share it", () => {
  assert.equal(link("one"), link("one"));
  assert.notEqual(link("one"), link("two"));
});

test("another text puts the head at its end and lets everything go, the same text leaves it", () => {
  const head = fresh("abc", 3);
  assert.equal(head.at.step, 2);
  head.set({ step: 1, hover: 0, unit: 1, cell: { t: 1, k: 0 } });
  head.follow("abc", 3);
  assert.deepEqual([head.at.step, head.at.unit], [1, 1]);
  head.follow("abcd", 4);
  assert.deepEqual([head.at.step, head.at.hover, head.at.unit, head.at.cell], [3, null, null, null]);
});

test("going to a column moves the head, to a complete step within the text; hovering does not move it", () => {
  const head = fresh();
  head.set({ sub: 1, cell: { t: 2, k: 0 }, held: { t: 2, k: 0 } });
  head.go(1, { unit: 7 });
  assert.deepEqual([head.at.step, head.at.sub, head.at.unit, head.at.cell, head.at.held], [1, 5, 7, null, null]);
  head.hover(0, { pointerType: "mouse" });
  assert.deepEqual([head.at.step, head.at.hover], [1, 0]);
  head.go(9);
  assert.equal(head.at.step, 2);
});

test("a finger does not hover", () => {
  const head = fresh();
  head.hover(0, { pointerType: "touch" });
  assert.equal(head.at.hover, null);
});

test("the way back is begun once for every text, within it", () => {
  const head = fresh("abc", 3);
  head.begin("abc", 7);
  assert.deepEqual([head.at.back, head.at.step], [true, 2]);
  head.set({ back: false });
  head.begin("abc", 7);
  assert.equal(head.at.back, false);
  head.begin("xyz", 0);
  assert.deepEqual([head.at.back, head.at.step], [true, 0]);
});

test("listeners hear changes only, and nothing once they have left", () => {
  const head = fresh(), heard = [];
  const leave = head.listen(({ step }) => heard.push(step));
  head.set({ step: 2 });
  head.set({ step: 1 });
  head.share({ states: [] });
  leave();
  head.set({ step: 0 });
  assert.deepEqual(heard, [1, 1]);
});

test("a picture that is out of sight hears of it when it comes into view", () => {
  const head = fresh(), node = root(), heard = [];
  head.listen(({ step }) => heard.push(step), node);
  head.set({ step: 0 });
  assert.deepEqual(heard, []);
  see(node, true);
  head.set({ step: 1 });
  see(node, false);
  head.set({ step: 2 });
  assert.deepEqual(heard, [0, 1]);
});

test("the address says where the play head rests, unless that is where it is by itself", () => {
  const { history, location } = window;
  history.replaceState({}, "", "/");
  const head = fresh("abc", 3);
  head.set({ step: 0 });
  assert.equal(location.search, "");
  clock.pass(1000);
  assert.equal(location.search, "?step=1");
  history.pushState({}, "", "/?tau=5");
  assert.equal(location.search, "?tau=5&step=1");
  head.set({ back: true });
  clock.pass(1000);
  assert.equal(location.search, "?tau=5&step=1+back");
  head.follow("xyz", 5);
  clock.pass(1000);
  assert.equal(location.search, "?tau=5");
});
