import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { complaints } from "./browser.js";
import { KEYS, registerShortcuts } from "../../pages/app/components/shared/keys.js";
import { presenting, setPresenting } from "../../pages/app/components/shared/presenting.js";
import { find } from "../../pages/app/components/shared/find.js";

registerShortcuts();
registerShortcuts(); // every page calls it again
const { document } = window;
const overlay = (part) => find(part)[0];

function key(name, at = document.body, more = {}) {
  const event = new window.KeyboardEvent("keydown",
    { key: name, bubbles: true, composed: true, cancelable: true, ...more });
  at.dispatchEvent(event);
  return event.defaultPrevented;
}

/** A button with a `data-key`, in a shadow root like all components; `pressed` counts its clicks. */
function offered(name, { within = document.body, ...more } = {}) {
  const host = within.appendChild(document.createElement("div"));
  const node = Object.assign(document.createElement("button"), more), counted = { node, pressed: 0 };
  node.dataset.key = name;
  node.addEventListener("click", () => { counted.pressed += 1; });
  host.attachShadow({ mode: "open" }).append(node);
  return counted;
}

beforeEach(() => {
  document.body.replaceChildren();
  setPresenting(false);
});

test("P presents and leaves it, Escape leaves it; the address says so", () => {
  assert.equal(key("p"), true);
  assert.equal(presenting(), true);
  assert.match(window.location.search, /present=1/);
  key("P");
  assert.equal(presenting(), false);
  assert.doesNotMatch(window.location.search, /present/);
  key("p");
  assert.equal(key("Escape"), true);
  assert.equal(presenting(), false);
  assert.equal(key("Escape"), false); // not handled: others may use it
});

test("another address of the same tab is presented, too", () => {
  setPresenting(true);
  window.history.pushState({}, "", "/unrolled?hidden_size=7");
  assert.equal(window.location.search, "?hidden_size=7&present=1");
});

test("a clicker's keys press what offers itself for them, once, while presenting", () => {
  const next = offered("next"), previous = offered("previous");
  assert.equal(key("PageDown"), false);
  setPresenting(true);
  assert.deepEqual([key("PageDown"), key("ArrowRight"), key("PageUp")], [true, true, true]);
  assert.deepEqual([next.pressed, previous.pressed], [2, 1]);
  key("PageDown", document.body, { repeat: true });
  assert.equal(next.pressed, 2);
});

test("a clicker shows what is hidden before it goes on, and hides it before it goes back", () => {
  const next = offered("next"), previous = offered("previous"), { node } = offered("notice reveal");
  const shown = () => node.dataset.key === "notice conceal";
  node.addEventListener("click", () => { node.dataset.key = `notice ${shown() ? "reveal" : "conceal"}`; });
  setPresenting(true);
  for (const [name, ...then] of [["PageDown", true, 0, 0], ["n", false, 0, 0], ["ArrowRight", true, 0, 0],
    ["PageDown", true, 1, 0], ["PageUp", false, 1, 0], ["PageUp", false, 1, 1]]) {
    key(name);
    assert.deepEqual([shown(), next.pressed, previous.pressed], then);
  }
});

test("what nothing offers itself for stays the browser's", () => {
  setPresenting(true);
  assert.equal(key("PageDown"), false);
  offered("next", { disabled: true });
  assert.equal(key("PageDown"), false);
});

test("play and step are pressed in the page before the sidebar", () => {
  const aside = document.body.appendChild(document.createElement("section"));
  aside.dataset.testid = "stSidebar";
  const card = offered("play", { within: aside }), bar = offered("play"), step = offered("step");
  key("k");
  assert.deepEqual([card.pressed, bar.pressed], [0, 1]);
  key(".", document.body, { repeat: true });
  assert.equal(step.pressed, 1);
  bar.node.hidden = true;
  key("k");
  assert.equal(card.pressed, 1);
});

test("no key of the page is heard in a field, with Ctrl, where another one took it, or in a dialog", () => {
  const play = offered("play"), dialog = document.body.appendChild(document.createElement("dialog"));
  for (const tag of ["textarea", "select", "input"]) {
    const field = document.body.appendChild(document.createElement(tag));
    for (const { keys } of KEYS) for (const name of keys) assert.equal(key(name, field), false);
  }
  assert.equal(key("k", document.body, { ctrlKey: true }), false);
  assert.equal(key("k", dialog), false);
  document.body.addEventListener("keydown", (event) => event.preventDefault(), { once: true });
  key("k");
  assert.deepEqual([play.pressed, presenting()], [0, false]);
});

test("while presenting, what keeps Escape for itself keeps one: the next one leaves", () => {
  setPresenting(true);
  const field = document.body.appendChild(document.createElement("input"));
  const { node } = offered("play");
  for (const name of ["keydown", "keyup"]) node.addEventListener(name, (event) => event.stopPropagation());
  for (const one of [field, node]) {
    setPresenting(true);
    one.focus();
    key("Escape", one);
    assert.equal(presenting(), true);
    one.dispatchEvent(new window.KeyboardEvent("keyup", { key: "Escape", bubbles: true, composed: true }));
    assert.equal(document.activeElement, document.body);
    key("Escape");
    assert.equal(presenting(), false);
  }
});

test("on a slider the arrows are its own, on a button the space; a clicker's keys are not", () => {
  const next = offered("next"), play = offered("play");
  setPresenting(true);
  const slider = document.body.appendChild(Object.assign(document.createElement("input"), { type: "range" }));
  key("ArrowRight", slider);
  key(" ", document.body.appendChild(document.createElement("button")));
  assert.deepEqual([next.pressed, play.pressed], [0, 0]);
  key("PageDown", slider);
  key(" ");
  assert.deepEqual([next.pressed, play.pressed], [1, 1]);
});

test("B makes the screen black until any key, which does nothing else", () => {
  const next = offered("next");
  key("b");
  assert.equal(overlay(".black")?.hidden ?? true, true);
  setPresenting(true);
  key("b");
  assert.equal(overlay(".black").hidden, false);
  key("Escape");
  assert.deepEqual([overlay(".black").hidden, next.pressed, presenting()], [true, 0, true]);
  key("b");
  key("PageDown");
  assert.deepEqual([overlay(".black").hidden, next.pressed], [true, 0]);
  key("PageDown");
  assert.equal(next.pressed, 1);
});

test("S lights the mouse; Escape puts out the light first, then leaves; leaving puts it out, too", () => {
  setPresenting(true);
  key("s");
  const spot = overlay(".spot");
  window.dispatchEvent(Object.assign(new window.Event("pointermove"), { clientX: 30, clientY: 40 }));
  assert.deepEqual([spot.hidden, spot.style.getPropertyValue("--x")], [false, "30px"]);
  key("Escape");
  assert.deepEqual([spot.hidden, presenting()], [true, true]);
  key("s");
  key("p");
  assert.equal(spot.hidden, true);
});

test("the question mark lists every key, and closes the list", () => {
  key("?", document.body, { shiftKey: true });
  const dialog = overlay("dialog");
  assert.equal(dialog.open, true);
  assert.equal(dialog.querySelectorAll("tr").length, KEYS.length);
  key("?", dialog);
  assert.equal(dialog.open, false);
  assert.deepEqual(complaints, []);
});
