// The keyboard shortcuts of the page, also for a presenter's clicker. A shortcut clicks an element whose `data-key` has
// its name, in any component; a component whose bar has the focus handles its keys first. Input fields keep all keys.

import { _, lazy_gettext } from "./messages.js";
import { clickNext, clickWhenShown, stepSlider } from "./scene_actions.js";
import { FIELDS, find, focused, isTyped, MODAL } from "./find.js";
import { openLecturer } from "./lecturer.js";
import { blacken, list, showMessage, spotlight } from "./overlay.js";
import { presenting, setPresenting } from "./presenting.js";

const PLAYS = lazy_gettext("play, and pause; or press what the scene asks for");

/** All shortcuts, in the order of the list. `keys`: values of KeyboardEvent.key; `names`: labels of a keyboard. Each
 * `presses` the first element with one of these data-keys (or a function of the key returns them), or calls `does`,
 * which returns whether it acted. With `presenting`, it acts in presentation mode only; else the browser scrolls. */
export const KEYS = [
  { keys: ["p"], names: ["P"], words: lazy_gettext("present, and leave it again"),
    does: () => setPresenting(!presenting()) },
  { keys: ["PageDown", "ArrowRight"], names: [lazy_gettext("Page Down"), "→"], presses: ["reveal", "next"],
    presenting: true, words: lazy_gettext("show what there is to notice; then why; then the next scene") },
  { keys: ["PageUp", "ArrowLeft"], names: [lazy_gettext("Page Up"), "←"], presses: ["conceal", "previous"],
    presenting: true, words: lazy_gettext("hide it; then the previous scene") },
  { keys: ["k"], names: ["K"], words: PLAYS, does: () => play() },
  { keys: [" "], names: [lazy_gettext("Space")], words: PLAYS, does: () => play(), presenting: true },
  { keys: ["t"], names: ["T"], words: lazy_gettext("train, the first thirty updates slowly, to talk about them"),
    presses: ["talk"] },
  { keys: ["."], names: ["."], words: lazy_gettext("one step"), presses: ["step"], repeats: true },
  { keys: [..."123456789"], names: ["1, 2, …"], words: lazy_gettext("a knob below the chart; then ← and → move it"),
    presses: (key) => [`knob${key}`], presenting: true },
  { keys: ["u"], names: ["U"], words: lazy_gettext("undo the last move of a knob"), presses: ["undo"] },
  { keys: ["w"], names: ["W"], words: lazy_gettext("a window for the lecturer, for a second screen"),
    does: () => openLecturerWindow() },
  { keys: ["n"], names: ["N"], words: lazy_gettext("what there is to notice, and hide it again"), presses: ["notice"] },
  { keys: ["v"], names: ["V"], words: lazy_gettext("let the hall answer; then the next step of its vote"),
    does: () => letHallAnswer() },
  { keys: ["s"], names: ["S"], words: lazy_gettext("a spotlight round the mouse"),
    does: () => spotlight(), presenting: true },
  { keys: ["b"], names: ["B"], words: lazy_gettext("a black screen; any key returns"),
    does: () => blacken(true), presenting: true },
  { keys: ["?"], names: ["?"], words: lazy_gettext("this list"), does: () => list(KEYS) },
  { keys: ["Escape"], names: [lazy_gettext("Esc")], words: lazy_gettext("leave what was opened last, then presenting"),
    does: () => escape() },
];

const PRESSED = "button, a[href], summary, input, [role=button], [role=radio], [role=checkbox], [role=tab]";

const sent = new WeakSet(); // key events from the lecturer's window
/** Open the lecturer's window; its keys act on this page. */
export const openLecturerWindow = () => openLecturer(act);

/** Dispatch a key of the lecturer's window, outside of input fields. A dispatched event has no default action, so
 * dialogs are closed and sliders are moved here. */
function act({ key, repeat }) {
  const at = focused(), target = at && !at.matches(FIELDS) ? at : document.body;
  const event = new KeyboardEvent("keydown", { key, repeat, bubbles: true, composed: true, cancelable: true });
  sent.add(event);
  const dialog = /** @type {HTMLDialogElement} */ (find("dialog[open]")[0]);
  if (key === "Escape" && dialog) dialog.close();
  else if (target.dispatchEvent(event) && key.startsWith("Arrow") && target.matches("input[type=range]"))
    stepSlider(target, key === "ArrowRight" || key === "ArrowUp" ? 1 : -1);
}

/** Perform the next click of the scene, else press "play" on the page; if no clicks are set, also in the sidebar. If
 * the page still computes its control, or has neither, the click is performed as soon as it can be. */
function play() {
  const done = clickNext(), waits = done === "none" && find(".page-progress").length > 0;
  if (done === "pressed" || (!waits && press("play", done === "none" ? shown : undefined))) return true;
  if (done === "none") clickWhenShown();
  return done === "none";
}

/** Listen to the keys of this page; further calls change nothing. */
export function registerShortcuts() {
  window.addEventListener("keydown", onKeydown);
  window.addEventListener("keyup", onKeyup, true); // in the capture phase: many controls stop the propagation of keys
}

function onKeydown(event) {
  const { altKey, ctrlKey, metaKey, defaultPrevented } = event;
  if (defaultPrevented || altKey || ctrlKey || metaKey) return;
  const key = KEYS.find(({ keys }) => keys.includes(named(event)));
  if (!key || !free(event, key)) return;
  const presses = typeof key.presses === "function" ? key.presses(named(event)) : key.presses;
  if (presses ? presses.some((name) => press(name)) : key.does()) event.preventDefault();
}

/** While presenting, a control that has handled Escape loses the focus, so that the page gets the next Escape. */
function onKeyup({ key }) {
  const at = focused();
  if (key === "Escape" && presenting() && !at?.closest(MODAL)) at?.blur();
}

const named = ({ key }) => (key.length === 1 ? key.toLowerCase() : key);

/** Whether the shortcut is active and no other element handles the key. */
function free(event, key) {
  if ((event.repeat && !key.repeats) || (key.presenting && !presenting() && !sent.has(event))) return false;
  if (isTyped(event)) return false;
  const at = event.composedPath().find((node) => node instanceof Element);
  if (event.key === " ") return sent.has(event) || !at?.matches(PRESSED);
  return !(event.key.startsWith("Arrow") && at?.matches("input"));
}

/**
 * Click the element with this data-key that passes the filter; of several, the one in the viewport. Returns whether
 * there is one.
 * @param {(node: HTMLElement) => boolean} filter
 */
export function press(name, filter = () => true) {
  const offered = find(`[data-key~="${name}"]`).filter((node) => !node.matches(":disabled, [hidden]") && filter(node));
  const [best] = offered.sort((one, other) => rank(other) - rank(one));
  best?.click();
  return Boolean(best);
}

const shown = (node) => node.getBoundingClientRect().width > 0 && !aside(node);
const aside = (node) => Boolean((node.getRootNode().host ?? node).closest("[data-testid=stSidebar]"));

/** Visible elements first, then those of the page before the sidebar, then those in the viewport. */
function rank(node) {
  const { width, top, bottom } = node.getBoundingClientRect();
  return 4 * Number(width > 0) + 2 * Number(!aside(node)) + Number(top < window.innerHeight && bottom > 0);
}

const NO_QUESTION = lazy_gettext("The hall answers the question of a scene, or draws on Training: "
  + "open one of them.");

/** Ask the hall the question of the page, or go to the next step of its vote. */
export function letHallAnswer() {
  if (!press("room")) showMessage(_(NO_QUESTION));
  return true;
}

/** End the spotlight, else leave the room of the hall, else presentation mode. If none is on, other listeners handle
 * Escape. */
const escape = () => spotlight(false) || press("leave") || setPresenting(false);
