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
  cell.onpointerdown({ clientX: 100 });
  cell.onpointermove({ clientX: 115 });
  draw(drawing("1.10")); // the answer, before the pointer is released
  cell.onpointerup();
  assert.equal(cell.value, "1.10");
});

const number = (value) => [value.toFixed(2), 0, String(value)];
const matrixOf = (id, lights, rows) => ({ name: id, shape: "", lights, stack: "across",
  parts: [{ id, tone: "", edit: false, cells: rows.map((row) => row.map(number)) }] });
const titled = (items) => ({ second: "", first: "", words: "", items });
const toFill = (dt) => ({ cell: [50, 30, 16], lit: [0, 0], each: true, hidden: true, equations: [
  titled([matrixOf("dh", "cell-of", [[1, 2]]), "=", matrixOf("dt", "cell", [dt])]),
  titled([matrixOf("dt", "column", [dt]), "=", matrixOf("db", "cell", [[3, 4]])]),
] });

function filling() {
  const parentElement = document.createElement("div");
  parentElement.append(root("blocks"));
  document.body.append(parentElement);
  const draw = (data) => blocks({ parentElement, data, setTriggerValue: async () => {} });
  draw(toFill([0.256, -0.5]));
  const cells = [...parentElement.querySelectorAll("input.asked")], factor = parentElement.querySelectorAll("div.cell");
  const fill = (i, text) => {
    cells[i].value = text;
    fire(cells[i], "change");
  };
  return { parentElement, cells, fill, draw, factor: () => [...factor].slice(2).map((node) => node.textContent),
    tally: () => parentElement.querySelector(".tally").textContent };
}

test("hidden results are nowhere in the drawing, and each is checked when it is filled in", () => {
  const { parentElement, cells, fill, factor, tally } = filling();
  assert.deepEqual(cells.map(({ value }) => value), ["", "", "", ""]);
  assert.doesNotMatch(parentElement.outerHTML, /0\.256|0\.26|-0\.5|−0\.5/);
  assert.deepEqual(factor(), ["?", "?"]);
  fill(0, "0.26"); // to the decimals of the cell
  assert.ok(cells[0].classList.contains("right") && cells[0].readOnly);
  assert.deepEqual(factor(), ["0.26", "?"]);
  assert.match(tally(), /1.*4/);
  fill(1, "0.5");
  assert.ok(cells[1].classList.contains("wrong") && !cells[1].readOnly);
  assert.match(tally(), /sign/);
  fill(1, "0.256"); // that of the other column
  assert.match(tally(), /row 1, column 1/);
  for (const text of ["many", "7"]) {
    fill(1, text);
    assert.ok(cells[1].classList.contains("wrong"));
  }
  fill(1, "−0,5");
  fill(2, "3");
  fill(3, "4");
  assert.match(tally(), /4.*4/);
});

test("what was filled in is checked again when the numbers change", () => {
  const { cells, fill, draw } = filling();
  fill(0, "0.26");
  draw(toFill([0.9, -0.5]));
  assert.ok(cells[0].classList.contains("wrong") && !cells[0].readOnly);
  assert.equal(cells[0].value, "0.26");
});
