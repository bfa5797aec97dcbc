// What a scene asks for: whether it was done, as far as the browser knows (a button was pressed, or the address says
// it), and the next press of it, for a key.

import { find } from "./find.js";

const EVERY = 250; // ms between two checks of the URL: no event tells in every browser that it has changed

/** Calls `done()` once, when it is; returns what ends the watching. `kind`, `what`: see core/content/scene.py. */
export function watching(kind, what, done) {
  return kind === "pressed" ? pressed(what, done) : kind === "address" ? addressed(what, done) : () => {};
}

function pressed(words, done) {
  const onClick = (event) => {
    const button = event.composedPath().find((node) => node instanceof Element && node.matches("button"));
    if (button?.textContent.trim() !== words) return;
    stop();
    done();
  };
  const stop = () => window.removeEventListener("click", onClick, true);
  window.addEventListener("click", onClick, true);
  return stop;
}

/** Not before the URL had another value: what it had from the beginning nobody did. */
function addressed(what, done) {
  const [name, value] = what.split("=");
  let armed = false, timer = null;
  const check = () => {
    const said = new URL(window.location.href).searchParams.get(name) ?? "";
    const is = value === "*" ? said !== "" : said === value;
    if (is && armed) done();
    else timer = setTimeout(check, EVERY);
    armed ||= !is;
  };
  check();
  return () => clearTimeout(timer);
}

let presses = [], at = 0;

/** The scene that is open asks for these, in turn: the words of buttons, or the `data-do` of controls. */
export function asks(words) {
  presses = words;
  at = 0;
}

/** Press the next of them. "none": it is not on the screen now; "": the scene asks for none. */
export function doNext() {
  if (!presses.length) return "";
  const words = presses[at % presses.length], marked = find(`[data-do="${CSS.escape(words)}"]`).filter(usable);
  const named = find("button").filter((node) => usable(node) && node.textContent.trim() === words).slice(0, 1);
  const nodes = marked.length ? marked : named;
  if (!nodes.length) return "none";
  at += 1;
  nodes.forEach((node) => (node.matches("input") ? slide(node, 1) : node.click()));
  return "pressed";
}

const usable = (node) => node.getBoundingClientRect().width > 0 && !node.matches(":disabled");

/** Move a slider by one place, as a hand does. */
export function slide(input, by) {
  if (by > 0) input.stepUp();
  else input.stepDown();
  for (const type of ["input", "change"]) input.dispatchEvent(new Event(type, { bubbles: true }));
}
