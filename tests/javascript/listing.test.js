import assert from "node:assert/strict";
import { test } from "node:test";

import { root, see } from "./browser.js";
import listing from "../../pages/app/components/listing/listing.js";
import { link } from "../../pages/app/components/shared/link.js";

const one = (name, lines) => ({ name, parts: [{ place: "a.py", first: 7, lines: ["a = x", "h = phi(a)", "o = h"] }],
  lines: [lines, [[[0, 2]], [[0, 1]]]],
  note: "",
  names: [[[["a", 0]], [["h", 1], ["a", 0]]], [[["o", 2]], [["h", 1]]]] });

const drawing = { listings: [one("first", [[[0, 0]], [[0, 1]]]), one("second", [[[0, 1]], [[0, 2]]])],
  substeps: [["sum", "tanh"], ["do", "dh"]],
  arrays: [{ shape: "(1,)", numbers: ["1", "2"] }, { shape: "(2,)", numbers: ["3", "4"] },
    { shape: "(3,)", numbers: [] }] };

function drawn(name) {
  const parentElement = document.createElement("div"), node = root("listing");
  document.body.replaceChildren(parentElement);
  parentElement.append(node);
  const leave = listing({ parentElement, data: { link: name, drawing } });
  see(node, true);
  const texts = (nodes) => [...nodes].map((one) => one.textContent);
  const lines = (is) => texts(node.querySelectorAll(`.line[data-is="${is}"] code`));
  const arrays = () => [...node.querySelectorAll("tbody tr")].map((row) => texts(row.children));
  return { node, lines, arrays, leave, head: link(name) };
}

test("the lines of the sub-step at which the play head is are lit, and those before it marked", () => {
  const { node, lines, arrays, head } = drawn("lit");
  head.follow("text", 2);
  head.set({ step: 0, sub: 0 });
  assert.deepEqual([lines("past"), lines("present"), arrays()], [[], ["a = x"], [["a", "(1,)", "1"]]]);
  assert.equal(node.querySelector(".line .number").textContent, "7");
  head.set({ step: 1, sub: 1 });
  assert.deepEqual([lines("past"), lines("present")], [["a = x"], ["h = phi(a)"]]);
  assert.deepEqual(arrays(), [["h", "(2,)", "4"], ["a", "(1,)", "2"]]);
  head.set({ back: true, sub: 0 });
  assert.deepEqual([lines("present"), arrays()], [["o = h"], [["o", "(3,)", ""]]]);
  assert.deepEqual([...node.querySelectorAll(".sub")].map((button) => button.textContent), ["do", "dh"]);
});

test("the other listing shows the same sub-step, and a sub-step's name moves the play head", () => {
  const { node, lines, head, leave } = drawn("other");
  assert.ok(head.shared.isListed);
  const [first, second] = node.querySelectorAll(".segment");
  second.click();
  node.querySelectorAll(".sub")[0].click();
  assert.deepEqual([head.at.sub, lines("present")], [0, ["h = phi(a)"]]);
  node.querySelectorAll(".sub")[1].click();
  assert.deepEqual(lines("present"), ["o = h"]);
  first.click();
  assert.deepEqual(lines("present"), ["h = phi(a)"]);
  node.remove();
  leave();
  assert.ok(!head.shared.isListed);
});
