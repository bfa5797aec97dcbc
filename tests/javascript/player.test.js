import assert from "node:assert/strict";
import { test } from "node:test";

import { clock } from "./browser.js";
import { link } from "../../pages/app/components/shared/link.js";
import { makePlayer } from "../../pages/app/components/network/bar.js";
import { player } from "../../pages/app/components/shared/player.js";

test("it goes on at its pace until there is nothing more", () => {
  let at = 0, drawn = 0;
  const self = player({ advance: () => at < 3 && Boolean(at += 1), pace: () => 500, drawn: () => { drawn += 1; } });
  self.play();
  clock.pass(1100);
  assert.deepEqual([self.playing, at], [true, 2]);
  clock.pass(5000);
  assert.deepEqual([self.playing, at, drawn], [false, 3, 2]);
});

test("paused, it stays where it is; a wait begins its time anew", () => {
  let at = 0;
  const self = player({ advance: () => Boolean(at += 1), pace: () => 500, drawn() {} });
  self.toggle();
  clock.pass(400);
  self.wait();
  clock.pass(400);
  assert.equal(at, 0);
  self.toggle();
  clock.pass(5000);
  assert.deepEqual([self.playing, at], [false, 0]);
});

let count = 0;
function made({ T = 4, returns = false, repeats = false, substeps = 3, holds = [] } = {}) {
  const head = link(`player ${count += 1}`), seen = [];
  head.follow("text", T);
  const last = substeps - 1;
  head.set({ sub: last });
  head.listen(({ step, sub, back }) => seen.push(`${back ? "back " : ""}${step}.${sub}`));
  const self = makePlayer(head, { drawing: () => ({ pace: 200, holds, backward: returns }),
    last: () => last, drawn() {}, repeats: () => repeats });
  return { head, self, seen };
}

test("at the end it begins again, and plays step by step", () => {
  const { head, self, seen } = made();
  self.play();
  clock.pass(5000);
  assert.deepEqual(seen, ["0.2", "1.2", "2.2", "3.2"]);
  assert.deepEqual([self.playing, head.at.step], [false, 3]);
});

test("it pauses where it has to hold, on the way forward, and goes on from there", () => {
  const { head, self } = made({ holds: [1, 3], returns: true });
  self.begin();
  for (const step of [1, 3]) {
    self.play();
    clock.pass(5000);
    assert.deepEqual([self.playing, head.at.back, head.at.step], [false, false, step]);
  }
  self.play();
  clock.pass(5000);
  assert.deepEqual([self.playing, head.at.back, head.at.step], [false, true, 0]);
});

test("another place is opened while it plays: it pauses", () => {
  const { head, self } = made();
  self.play();
  head.reset();
  assert.equal(self.playing, false);
});

test("one that repeats goes on from the beginning", () => {
  const { self, seen } = made({ repeats: true });
  self.play();
  clock.pass(1300);
  assert.deepEqual(seen.slice(0, 6), ["0.2", "1.2", "2.2", "3.2", "0.2", "1.2"]);
  assert.equal(self.playing, true);
});

test("in slow motion it goes through every sub-step", () => {
  const { self, seen } = made({ T: 2 });
  self.slow();
  self.play();
  clock.pass(60_000);
  assert.deepEqual(seen.slice(1), ["0.0", "0.1", "0.2", "1.0", "1.1", "1.2"]);
});

test("where there is a way back it turns round at the last step and ends at the first", () => {
  const { head, self, seen } = made({ T: 3, returns: true });
  self.both();
  clock.pass(60_000);
  assert.deepEqual(seen, ["0.2", "1.2", "2.2", "back 2.2", "back 1.2", "back 0.2"]);
  assert.deepEqual([self.playing, head.at.back], [false, true]);
});

test("by hand it stays within the text", () => {
  const { head, self } = made();
  self.move(5);
  assert.equal(head.at.step, 3);
  self.move(-9);
  assert.equal(head.at.step, 0);
  self.go(2);
  self.begin();
  assert.equal(head.at.step, 0);
  self.turn();
  assert.deepEqual([head.at.back, head.at.step], [true, 3]);
  self.sub(1);
  assert.equal(head.at.sub, 1);
});

test("folded, it plays on", () => {
  const { head, self, seen } = made();
  self.fold();
  self.toggle();
  clock.pass(5000);
  assert.deepEqual([self.playing, head.at.folded, seen.at(-1)], [false, true, "3.2"]);
});

test("a click on a column while it plays goes on from there, after a whole pace", () => {
  const { head, self } = made({ T: 9 });
  self.play();
  clock.pass(190);
  head.go(5);
  clock.pass(190);
  assert.equal(head.at.step, 5);
  clock.pass(190);
  assert.equal(head.at.step, 6);
  self.pause();
});
