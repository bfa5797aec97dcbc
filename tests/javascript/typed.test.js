import assert from "node:assert/strict";
import { test } from "node:test";

import { fire, root } from "./browser.js";
import { editor, spaced } from "../../pages/app/components/shared/typed.js";
import { scaleOf } from "../../pages/app/components/shared/scales.js";

function made(text = "to be") {
  const edits = [], picks = [], mounted = root(), scale = scaleOf(mounted, "sequential");
  const { node, offer } = editor({ onedit: (...edit) => edits.push(edit), onpick: (piece) => picks.push(piece) });
  mounted.append(node);
  const drawing = (words) => ({ text: words, pieces: [...words].map((letter) => ["", letter]), tail: "",
    columns: [...words].map((_, i) => i), nats: [...words].slice(1), shades: [...words].slice(1).map(() => 50),
    picked: 1 });
  const field = node.querySelector("textarea"), mirror = node.querySelector(".mirror");
  offer(drawing(text), scale);
  const type = (words, caret = words.length) => {
    field.value = words;
    field.setSelectionRange(caret, caret);
    fire(field, "input");
  };
  return { edits, field, mirror, type, offer: (words) => offer(drawing(words), scale) };
}

/** The text of the mirror, without the character at its end that gives an empty last line its height. */
const shown = (mirror) => mirror.textContent.slice(0, -1);

test("the mirror says what the field says, in colour but for the first token", () => {
  const { field, mirror } = made("abc");
  assert.deepEqual([field.value, shown(mirror)], ["abc", "abc"]);
  assert.deepEqual([...mirror.querySelectorAll(".token")].map((span) => span.style.background !== ""),
    [false, true, true]);
  assert.equal(mirror.querySelector(".picked").textContent, "b");
});

for (const [what, before, after] of [
  ["at the end", "to be", "to be or"], ["at the beginning", "to be", "not to be"],
  ["in the middle", "to be", "to not be"],
  ["over all", "to be", "x"], ["away", "to be", ""], ["twice the same letter", "aab", "aaab"],
  ["from nothing", "", "a"],
  ["a letter taken", "aab", "ab"], ["a letter beyond 16 bits", "ab", "a😀b"],
]) {
  test(`typed ${what}: it is seen at once, and heard`, () => {
    const { edits, mirror, type } = made(before);
    type(after);
    assert.equal(shown(mirror), after);
    assert.deepEqual(edits, [[after, [...after].length, [...after].length]]);
  });
}

test("what stands before and after the typed keeps its colour", () => {
  const { mirror, type } = made("abcd");
  const [, b, , d] = mirror.querySelectorAll(".token");
  type("abxd");
  assert.ok(mirror.contains(b) && mirror.contains(d));
  assert.equal(mirror.querySelectorAll(".token").length, 3);
});

test("an answer that was typed over is drawn anew", () => {
  const { mirror, type, offer } = made("abc");
  type("abcd");
  offer("abcd");
  assert.equal(mirror.querySelectorAll(".token").length, 4);
  assert.equal(shown(mirror), "abcd");
});

test("the caret is counted in characters, half a character is mended, and a long text is cut", () => {
  const { edits, type, field } = made("");
  type("a😀b", 3);
  assert.equal(edits[0][1], 2);
  type("a\ud83d");
  assert.equal(edits[1][0], "a\ufffd");
  type("x".repeat(30_000));
  assert.deepEqual([edits[2][2], edits[2][0].length, field.value.length], [30_000, 20_000, 20_000]);
});

test("blanks that are not seen are marked", () => {
  assert.deepEqual(spaced("a\tb").map((span) => span.textContent), ["a", "\t", "b"]);
  assert.ok(spaced("\t")[0].classList.contains("tab"));
});
