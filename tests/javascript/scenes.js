// node scenes.js FILE: draws every scene of FILE, {component: [[data, later data, ...]]}, with the component's script,
// and dispatches pointer, key and input events. Prints all errors, and the keys that were read but never sent, or sent
// but never read.

import { readFileSync } from "node:fs";

import { JSDOM } from "jsdom";

import { clock, complaints, root, see } from "./browser.js";
import { openLecturer } from "../../pages/app/components/shared/lecturer.js";
import { link } from "../../pages/app/components/shared/link.js";

const scenes = JSON.parse(readFileSync(process.argv[2], "utf8"));
const stringify = JSON.stringify;
const FAR = { clientX: 600, clientY: 700 };
const touches = [["pointerenter"], ["pointermove"], ["pointermove", FAR],
  ...["focus", "focusin", "input", "change", "click", "blur", "scroll"].map((type) => [type])];
const keys = ["ArrowRight", "ArrowLeft", "Home", "End", "Enter", " ", "Escape"];

/** Whether JSON.stringify is running: comparing whole scenes with it does not count as reading their keys. */
let comparing = false;
JSON.stringify = (...given) => {
  comparing = true;
  try {
    return stringify(...given);
  } finally {
    comparing = false;
  }
};

const known = new WeakMap();

/** The path of a key; all list indices, and all keys that are numbers, have the same path. */
const below = (value, path, key) => (Array.isArray(value) || /^\d+$/.test(key) ? `${path}[]` : `${path}.${key}`);

function watched(value, path, read) {
  if (value === null || typeof value !== "object") return value;
  const get = (target, key) => {
    const inner = target[key];
    if (typeof key === "symbol" || typeof inner === "function") return inner;
    const here = below(target, path, key);
    if (!comparing && !here.endsWith("[]")) read.add(here);
    return watched(inner, here, read);
  };
  if (!known.has(value)) known.set(value, new Proxy(value, { get }));
  return known.get(value);
}

function sentOf(value, path, sent) {
  if (value === null || typeof value !== "object") return;
  for (const [key, inner] of Object.entries(value)) {
    const here = below(value, path, key);
    if (!here.endsWith("[]")) sent.add(here);
    sentOf(inner, here, sent);
  }
}

/** Draws all data of `shown` in one root element, one after another, and dispatches events after each. */
async function drawn(name, shown, read) {
  const place = root(name), parent = document.createElement("div");
  document.body.replaceChildren(parent);
  parent.append(place);
  for (const part of ["live_figure", "readout"]) {
    const inner = document.createElement("div");
    inner.className = `component ${part}`;
    if (["run_view", "cliff_map"].includes(name)) place.append(inner);
  }
  const { default: script } = await import(`../../pages/app/components/${name}/${name}.js`);
  let leave = null;
  if (name === "room") openLecturer(() => {}); // which has a part of its data
  if (name === "backward_numbers") link(shown[0].link).set({ back: true }); // the network beside it plays the pass
  for (const data of shown) {
    leave = script({ parentElement: parent, data: watched(data, "", read),
      setStateValue() {}, setTriggerValue() {} });
    for (const node of [place, ...place.querySelectorAll("*")]) see(node, true);
    await touched(place); // eslint-disable-line no-await-in-loop
  }
  if (name === "writing") return; // run_view updates it
  place.remove();
  leave?.();
}

/** The first two visible elements of each kind: the others would behave the same. */
function some(place) {
  const many = new Map();
  return [place, ...place.querySelectorAll("*")].filter((node) => {
    const kind = `${node.parentElement.className} ${node.tagName} ${node.getAttribute("class")} ${node.title}`;
    many.set(kind, (many.get(kind) ?? 0) + 1);
    return many.get(kind) <= 2 && !node.closest("[hidden]");
  });
}

async function touched(place) {
  for (const node of some(place)) {
    const event = (type, more) => Object.assign(new window.Event(type, { bubbles: true }),
      { clientX: 300, clientY: 250, pointerType: "mouse", clipboardData: { getData: () => "" }, ...more });
    for (const [type, where] of touches) {
      node.dispatchEvent(event(type, where));
      if (type.startsWith("pointer")) node[`on${type}`]?.(event(type, where));
    }
    for (const key of keys) node.dispatchEvent(event("keydown", { key }));
  }
  clock.pass(3000);
  await Promise.resolve();
}

const OPAQUE = /^\.figure(\.figure)?\.(data|layout)/; // read by plotly

const SOMETIMES = new Set([ // present only in other runs, or at other moments of them
  "cell .cell.input.rows",
  "mini_batches .drawing.frames[].blocks[].text",
]);

const second = Object.assign(new JSDOM("<!doctype html>").window, { focus() {} });
window.open = () => second;

let wrong = 0;
// in reverse order: writing listens for the data that run_view shares
for (const [name, all] of Object.entries(scenes).sort().reverse()) {
  const sent = new Set(), read = new Set();
  for (const shown of all) {
    for (const data of shown) sentOf(data, "", sent);
    await drawn(name, shown, read); // eslint-disable-line no-await-in-loop
  }
  const only = (these, those) => [...these]
    .filter((path) => !those.has(path) && !OPAQUE.test(path) && !SOMETIMES.has(`${name} ${path}`)).sort();
  for (const [what, paths] of [["read but never sent", only(read, sent)], ["sent but never read", only(sent, read)]]) {
    wrong += paths.length;
    for (const path of paths) process.stdout.write(`${name}: ${what}: ${path}\n`);
  }
}
for (const complaint of complaints) process.stdout.write(`${complaint}\n`);
process.exit(wrong + complaints.length ? 1 : 0);
