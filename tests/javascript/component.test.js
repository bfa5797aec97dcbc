import assert from "node:assert/strict";
import { test } from "node:test";

import { clock, fire, root, settled } from "./browser.js";
import {
  changed, conflated, deferWhileUnanswered, el, onRemoval, resizeList, rootOf, segments, setText, slider,
  wordSlider
} from "../../pages/app/components/shared/component.js";

test("conflated without answers: not more often than every 100 ms, and the last value always arrives", () => {
  const sent = [], send = conflated((value) => { sent.push([clock.now, value]); }, 100), start = clock.now + 1000;
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

/** A `conflated` function whose messages are answered when the test calls `answer`. */
function answering(every = 100, rest = 1000) {
  const sent = [], answers = [];
  const send = conflated((...value) => {
    sent.push(value.length > 1 ? value : value[0]);
    answers.push(Promise.withResolvers());
    return answers.at(-1).promise;
  }, every);
  const answer = async () => {
    answers.shift().resolve();
    await settled();
    clock.pass(every + rest);
  };
  clock.pass(1000);
  return { sent, send, answer };
}

test("conflated: the next value is sent when the last one was answered, values in between never are", async () => {
  const { sent, send, answer } = answering();
  for (const value of [1, 2, 3]) {
    send(value);
    clock.pass(10_000);
  }
  assert.deepEqual(sent, [1]);
  await answer();
  assert.deepEqual(sent, [1, 3]);
  await answer();
  assert.deepEqual(sent, [1, 3]);
});

test("conflated: where an answer took long, the next value waits twice as long as it was late", async () => {
  const { sent, send, answer } = answering(100, 0);
  send(1);
  clock.pass(450);
  send(2);
  await answer(); // after 450 ms, 200 ms late: 100 of the 400 ms to wait have passed in `answer`
  clock.pass(290);
  assert.deepEqual(sent, [1]);
  clock.pass(20);
  assert.deepEqual(sent, [1, 2]);
});

test("conflated: values that come faster than answers are not sent faster than wanted either", async () => {
  const { sent, send, answer } = answering(0), times = [];
  const slow = conflated((value) => {
    times.push([clock.now, value]);
    return Promise.resolve();
  }, 60);
  for (let i = 0; i < 20; i++) {
    slow(i);
    send(i);
    clock.pass(10);
    await settled(); // eslint-disable-line no-await-in-loop
  }
  clock.pass(100);
  assert.equal(times.at(-1)[1], 19);
  for (let i = 1; i < times.length; i++) assert.ok(times[i][0] - times[i - 1][0] >= 60);
  await answer();
  assert.deepEqual(sent, [0, 19]);
});

test("conflated: two values of one moment are one message, the second", () => {
  const { sent, send } = answering();
  send(4, false);
  send(4, true);
  clock.pass(0);
  assert.deepEqual(sent, [[4, true]]);
});

test("conflated: its promise is resolved when nothing is under way or waiting", async () => {
  const { send, answer } = answering(), order = [];
  send(1).then(() => order.push("1"));
  clock.pass(0);
  send(2).then(() => order.push("2"));
  await answer();
  assert.deepEqual(order, []);
  await answer();
  assert.deepEqual(order, ["1", "2"]);
});

test("conflated: what waits can be flushed before something that comes after it, and is sent once", async () => {
  const { sent, send, answer } = answering();
  send(1);
  clock.pass(0);
  send(2);
  send.flush();
  send.flush();
  assert.deepEqual(sent, [1, 2]);
  send(3);
  await answer();
  assert.deepEqual(sent, [1, 2]);
  await answer();
  assert.deepEqual(sent, [1, 2, 3]);
});

test("deferWhileUnanswered: of values offered while a message is unanswered only the newest is shown", async () => {
  const shown = [], { offer, until } = deferWhileUnanswered((...value) => shown.push(value));
  const [one, other] = [Promise.withResolvers(), Promise.withResolvers()];
  offer(1, "a");
  until(one.promise);
  until(other.promise);
  offer(2, "b");
  offer(3, "c");
  one.resolve();
  await settled();
  assert.deepEqual(shown, [[1, "a"]]);
  other.resolve();
  await settled();
  assert.deepEqual(shown, [[1, "a"], [3, "c"]]);
});

/** A slider whose moves are answered when the test calls `answer`. */
function made() {
  const moves = [], answers = [];
  const part = slider({ label: "rate", max: 9, step: 1, says: (i) => `place ${i}`,
    onmove: (...move) => {
      moves.push(move);
      answers.push(Promise.withResolvers());
      return answers.at(-1).promise;
    } });
  const answer = async () => {
    answers.forEach(({ resolve }) => resolve());
    await settled();
  };
  return { ...part, moves, answer };
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

test("a slider that is let go where the drag began says that it is done, too", async () => {
  const part = made();
  fire(part.input, "pointerdown");
  hand(part, 5);
  hand(part, 3);
  fire(part.input, "pointerup"); // without a change event
  clock.pass(0);
  assert.deepEqual(part.moves, [[5, false], [3, false], [3, true]]);
  await part.answer();
  part.offer(1);
  assert.equal(part.input.value, "1");
});

test("an offer does not move a slider that is held, however long", async () => {
  const part = made();
  fire(part.input, "pointerdown");
  clock.pass(10_000);
  part.offer(1);
  await settled();
  assert.notEqual(part.input.value, "1");
  fire(part.input, "pointerup");
  clock.pass(0);
  await settled();
  assert.equal(part.input.value, "1");
});

test("while a move is unanswered an offer may be older than it: the newest is taken up with the answer", async () => {
  const part = made();
  hand(part, 7, "change");
  part.offer(2);
  clock.pass(10_000);
  assert.equal(part.input.value, "7");
  await part.answer();
  assert.equal(part.input.value, "2"); // Python refused the 7
  hand(part, 7, "change");
  part.offer(2);
  part.offer(7);
  await part.answer();
  assert.equal(part.input.value, "7");
  part.offer(3);
  assert.equal(part.input.value, "3");
});

test("a slider whose moves nobody answers takes up offers at once", async () => {
  const part = slider({ label: "rate", max: 9, step: 1, says: String, onmove: () => {} });
  hand(part, 7, "change");
  part.offer(2);
  await settled();
  assert.equal(part.input.value, "2");
});

test("a slider with words says those of its place, and a value between its places as it is", async () => {
  const sent = [], moved = Promise.withResolvers(), onmove = (...move) => {
    sent.push(move);
    return moved.promise;
  };
  const part = wordSlider({ label: "norm", words: ["off", "one", "two"], onmove });
  clock.pass(1000);
  part.offer(1, "1.05");
  assert.equal(part.output.textContent, "1.05");
  hand(part, 2, "change");
  assert.equal(part.output.textContent, "two");
  part.offer(1, "1.05"); // an older value
  assert.equal(part.output.textContent, "two");
  part.flush();
  assert.deepEqual(sent, [[2, true]]);
  part.offer(0, undefined, ["none", "one", "two"]);
  moved.resolve();
  await settled();
  assert.equal(part.output.textContent, "none");
});

test("changed: whether it is another value than at the last call", () => {
  const state = {};
  assert.deepEqual([[1], [1], [2], [2], [1]].map((value) => changed(state, "shape", value)),
    [true, false, true, false, true]);
  assert.ok(changed(state, "another", [1]));
});

test("resizeList: as many children as wanted, and those that were there stay", () => {
  const list = el("div"), make = (i) => el("i", {}, String(i));
  const [first] = resizeList(list, 3, make);
  assert.equal(resizeList(list, 1, make)[0], first);
  assert.deepEqual(resizeList(list, 4, make).map((node) => node.textContent), ["0", "1", "2", "3"]);
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
  const [, state] = rootOf(parent, "part");
  const leave = onRemoval(node, () => left.push(true));
  leave();
  assert.deepEqual([left.length, rootOf(parent, "part")[1] === state], [0, true]);
  node.remove();
  leave();
  parent.append(node);
  assert.deepEqual([left.length, rootOf(parent, "part")[1] === state], [1, false]);
});
