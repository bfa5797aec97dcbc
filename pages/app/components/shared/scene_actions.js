// Detects the action that ends a scene, if it happens in the browser (a click on a button, or a value in the URL), and
// performs the clicks of a scene when the presenter presses a key.

import { find } from "./find.js";

const INTERVAL = 250; // ms between two checks of the URL: not every browser has an event for changes of the URL

/** Call `done()` once, after the action. Return a function to stop watching. `kind`, `what`: pages/content/scene.py. */
export function watchAction(kind, what, done) {
  return kind === "pressed" ? watchClick(what, done) : kind === "address" ? watchUrl(what, done) : () => {};
}

/** The text of the button that a click presses; undefined if it presses none. */
export const pressedText = (event) =>
  event.composedPath().find((node) => node instanceof Element && node.matches("button"))?.textContent.trim();

function watchClick(label, done) {
  const onClick = (event) => {
    if (pressedText(event) !== label) return;
    stop();
    done();
  };
  const stop = () => window.removeEventListener("click", onClick, true);
  window.addEventListener("click", onClick, true);
  return stop;
}

/** Call `done()` when the URL gets this value. A value that it has from the beginning is no action. */
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

const PATIENCE = 60_000; // ms for which a key pressed while the page still computes waits for its control
let clicks = [], next = 0, timer = 0, guessed = false;

/** Set the clicks of the open scene, in order: labels of buttons, or values of `data-do` of controls. If they are
 * guessed, from what a lecturer has written, those that are not there are passed over. */
export function setClicks(labels, areGuessed = false) {
  clicks = labels;
  guessed = areGuessed;
  next = 0;
  clearTimeout(timer);
}

/** Perform the next click as soon as its control is shown, unless another scene is opened before. */
export function clickWhenShown(until = performance.now() + PATIENCE) {
  clearTimeout(timer);
  if (performance.now() < until && clickNext() === "none") timer = setTimeout(clickWhenShown, INTERVAL, until);
}

/** Perform the next click. Return "pressed", "none" if its control is hidden or disabled, "" if the scene has none.
 * Once all were clicked, those that are gone are passed over. */
export function clickNext() {
  if (!clicks.length) return "";
  const places = next < clicks.length && !guessed ? [next] : clicks.map((_label, i) => next + i);
  const at = places.find((place) => controls(clicks[place % clicks.length]).length);
  if (at === undefined) return guessed ? "" : "none";
  next = at + 1;
  const nodes = controls(clicks[at % clicks.length]);
  nodes.forEach((node) => (node.matches("input") ? stepSlider(node, 1) : node.click()));
  return "pressed";
}

/** The controls to click for a label: all that are marked with it, else the first button with this text. */
function controls(label) {
  const marked = find(`[data-do="${CSS.escape(label)}"]`).filter(isUsable);
  const named = find("button").filter((node) => isUsable(node) && node.textContent.trim() === label);
  return marked.length ? marked : named.slice(0, 1);
}

const isUsable = (node) => node.getBoundingClientRect().width > 0 && !node.matches(":disabled");

/** Move a slider by one step, and dispatch the same events as for a user's move. */
export function stepSlider(input, by) {
  if (by > 0) input.stepUp();
  else input.stepDown();
  for (const type of ["input", "change"]) input.dispatchEvent(new Event(type, { bubbles: true }));
}
