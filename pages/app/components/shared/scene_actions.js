// The action that ends a scene, where the browser sees it (a click of a button, or a value in the URL), and the clicks
// that a key does for the presenter.

import { find } from "./find.js";

const INTERVAL = 250; // ms between two checks of the URL: no event of every browser reports that it has changed

/** Call `done()` once, after the action; returns what stops the watching. `kind`, `what`: see core/content/scene.py. */
export function watchAction(kind, what, done) {
  return kind === "pressed" ? watchClick(what, done) : kind === "address" ? watchUrl(what, done) : () => {};
}

function watchClick(label, done) {
  const onClick = (event) => {
    const button = event.composedPath().find((node) => node instanceof Element && node.matches("button"));
    if (button?.textContent.trim() !== label) return;
    stop();
    done();
  };
  const stop = () => window.removeEventListener("click", onClick, true);
  window.addEventListener("click", onClick, true);
  return stop;
}

/** A value counts once the URL has had another one: the value at the beginning is no action. */
function watchUrl(what, done) {
  const [name, expected] = what.split("=");
  let armed = false, timer = null;
  const check = () => {
    const value = new URL(window.location.href).searchParams.get(name) ?? "";
    const is = expected === "*" ? value !== "" : value === expected;
    if (is && armed) done();
    else timer = setTimeout(check, INTERVAL);
    armed ||= !is;
  };
  check();
  return () => clearTimeout(timer);
}

let clicks = [], next = 0;

/** What the open scene asks to click, in this order: labels of buttons, or the `data-do` of controls. */
export function setClicks(labels) {
  clicks = labels;
  next = 0;
}

/** Do the next of these clicks. "none": its control is not on the screen; "": the scene has none. */
export function clickNext() {
  if (!clicks.length) return "";
  const label = clicks[next % clicks.length], marked = find(`[data-do="${CSS.escape(label)}"]`).filter(isUsable);
  const buttons = find("button").filter((node) => isUsable(node) && node.textContent.trim() === label).slice(0, 1);
  const nodes = marked.length ? marked : buttons;
  if (!nodes.length) return "none";
  next += 1;
  nodes.forEach((node) => (node.matches("input") ? stepSlider(node, 1) : node.click()));
  return "pressed";
}

const isUsable = (node) => node.getBoundingClientRect().width > 0 && !node.matches(":disabled");

/** Move a slider by one step, with the events of a user. */
export function stepSlider(input, by) {
  if (by > 0) input.stepUp();
  else input.stepDown();
  for (const type of ["input", "change"]) input.dispatchEvent(new Event(type, { bubbles: true }));
}
