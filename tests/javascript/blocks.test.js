import assert from "node:assert/strict";
import { test } from "node:test";

import { clock, root, settled } from "./browser.js";
import blocks from "../../pages/app/components/blocks/blocks.js";

const drawing = (text) => ({ cell: [50, 30, 16], equations: [[{ name: "W", shape: "1×1", lights: "", stack: "across",
  parts: [{ id: "W", tone: "", edit: true, cells: [[[text, 0.5, text]]] }] }]] });

function drawn(text) {
  const parentElement = document.createElement("div"), sent = [];
  parentElement.append(root("blocks"));
  document.body.append(parentElement);
  const draw = (data) => blocks({ parentElement, data,
    setTriggerValue: async (_name, { text: words }) => { sent.push(words); } });
  draw(drawing(text));
  return { cell: parentElement.querySelector("input.cell"), sent, draw };
}

const fire = (node, name, values) => node.dispatchEvent(Object.assign(new Event(name), values));

async function passed() {
  clock.pass(200);
  await settled();
}

test("a phone offers a keyboard with a minus", () => {
  assert.ok(!["decimal", "numeric"].includes(drawn("1.00").cell.getAttribute("inputmode")));
});

test("arrow keys move a number by a tenth, and with Shift by one", async () => {
  const { cell, sent } = drawn("−0.05");
  cell.focus();
  fire(cell, "keydown", { key: "ArrowUp" });
  assert.equal(cell.value, "0.05");
  await passed();
  fire(cell, "keydown", { key: "ArrowDown", shiftKey: true });
  await passed();
  assert.deepEqual(sent, ["0.05", "−0.95"]);
});

test("a drag moves a number step by step, and an older answer does not move it back", async () => {
  const { cell, sent, draw } = drawn("1.00");
  cell.setPointerCapture = () => {};
  cell.onpointerdown({ clientX: 100 });
  cell.onpointermove({ clientX: 102 });
  assert.deepEqual(sent, []);
  cell.onpointermove({ clientX: 115 });
  assert.equal(cell.value, "1.3");
  draw(drawing("1.00"));
  assert.equal(cell.value, "1.3");
  cell.onpointermove({ clientX: 90 });
  cell.onpointerup();
  await passed();
  assert.equal(sent.at(-1), "0.8");
  cell.onpointermove({ clientX: 200 });
  assert.equal(cell.value, "0.8");
  cell.onpointerdown({ clientX: 100, pointerType: "touch" });
  cell.onpointermove({ clientX: 200 });
  assert.equal(cell.value, "0.8");
  draw(drawing("0.80"));
  assert.equal(cell.value, "0.80");
});
