// The lecturer's window, for a second screen: texts that the audience should not read. Like the speaker view of
// reveal.js, it is opened empty and filled by the page, without the server. Its keys act on the page.

import { _, lazy_gettext } from "./messages.js";
import { el, setText } from "./component.js";
import { find } from "./find.js";
import { drawRoom } from "./lecturer_room.js";
import { showMessage } from "./overlay.js";
import { presenting } from "./presenting.js";
import { textOf } from "./styles.js";

const NAME = "lecturer", SIZE = "popup,width=900,height=680", EVERY = 500; // ms
const BLOCKED = lazy_gettext("The browser blocked the lecturer’s window. "
  + "Allow pop-up windows for this address, then press W again.");
const CUT_OFF = lazy_gettext("The page in the hall was reloaded or closed. "
  + "Press W there to connect this window again.");
const KEYS_HERE = lazy_gettext("Page Down, Page Up, arrows and the other keys act on the page in the hall.");
const PARTS = { do: lazy_gettext("Do"), notice: lazy_gettext("Notice"), why: lazy_gettext("Why"),
  reveals: lazy_gettext("Page Down shows"), notes: lazy_gettext("Notes"), follows: lazy_gettext("Next question") };

let scene = null; // the texts of the scene bar, while a scene is open
let other = null; // the window and its parts
let began = null; // ms: the start of the minutes, which a reopened window continues

/** Show the scene of this scene bar. */
export function showScene(/** @type {SceneBar} */ data) {
  scene = { ...scene, ...data, why: data.why.map((parts) => parts.map(([text]) => text).join("")).join(" ") };
  draw();
}

/** Show what the next key reveals: at stage 0 Notice, then the `steps` of Why, then the next scene. */
export function showStage(stage, steps) {
  if (!scene) return;
  const step = { i: stage, n: steps };
  scene.reveals = stage === 0 ? _("Notice") : stage <= steps ? _("Why, {i} of {n}", step) : _("the next scene");
  draw();
}

/** Stop showing the scene of a removed scene bar, unless another scene is open. */
export function clearScene(/** @type {SceneBar} */ { key, opened }) {
  if (scene?.key !== key || scene.opened !== opened) return;
  scene = null;
  draw();
}

/** Open the window, or bring it to the front; `act(event)` applies its key events to this page. */
export function openLecturer(act) {
  if (other && !other.window.closed) {
    other.window.focus();
    return true;
  }
  const opened = window.open("", NAME, SIZE); // the window that this tab opened before a reload, if there is one
  if (!opened) showMessage(_(BLOCKED));
  else build(opened, act);
  return true;
}

function build(opened, act) {
  const page = opened.document, parts = { where: el("span"), minutes: el("span.minutes") };
  other = { window: opened, parts };
  began ??= Date.now();
  page.title = _("Lecturer’s window");
  page.documentElement.lang = document.documentElement.lang;
  page.head.replaceChildren(el("meta", { charset: "utf-8" }), el("style", {}, textOf("lecturer")));
  const again = el("button", { onclick: () => {
    began = Date.now();
    draw();
  } }, _("Minutes from 0"));
  parts.question = el("h1", { dir: "auto" });
  parts.room = el("section", { hidden: true });
  const rows = Object.entries(PARTS).map(([name, title]) => {
    parts[name] = el("p", { dir: "auto" });
    return el("section", { hidden: true }, el("h2", {}, _(title)), parts[name]);
  });
  page.body.replaceChildren(el("header", {}, parts.minutes, again, parts.where),
    el("main", {}, parts.question, parts.room, ...rows), el("footer", {}, _(KEYS_HERE)));
  opened.onkeydown = (event) => press(event, act);
  draw();
  setTimeout(tick, EVERY);
}

/** Send a key to the page. Space and Enter press the focused button of this window instead; fields keep all keys. */
function press(event, act) {
  const { altKey, ctrlKey, metaKey, key } = event;
  if (altKey || ctrlKey || metaKey || ["Tab", "Enter", "Shift"].includes(key)) return;
  if (event.target.localName === "input" || (key === " " && event.target.localName === "button")) return;
  event.preventDefault();
  if (key.toLowerCase() !== "w") act(event);
}

/** Refresh periodically: the section, presenting and the minutes; and stop when the window is closed. */
function tick() {
  draw();
  if (other) setTimeout(tick, EVERY);
}

function draw() {
  if (other?.window.closed) other = null;
  if (!other) return;
  const { parts } = other, shown = scene ?? section();
  setText(parts.minutes, minutes());
  setText(parts.where, where());
  setText(parts.question, shown.question);
  drawRoom(parts.room, !parts.room.firstChild);
  for (const name of Object.keys(PARTS)) {
    setText(parts[name], shown[name] ?? "");
    parts[name].parentElement.hidden = !shown[name];
  }
}

/** The texts without a scene: the hint of the open section, which is hidden on the page in presentation mode. */
function section() {
  const textIn = (part) => find(part).map(({ textContent }) => textContent.trim()).join(" ");
  return { question: textIn(".page-title h1") || _("No scene is open."),
    do: textIn(".page-hint > span:not(.page-sources)"), notice: textIn(".page-hint details span") };
}

function minutes() {
  const gone = Math.floor((Date.now() - began) / 60_000), [now, all] = scene?.planned ?? [0, 0];
  return all ? _("{gone} min gone · planned {now} of {all} min at the end of this scene", { gone, now, all })
    : _("{gone} min gone", { gone });
}

function where() {
  const opened = [find(".page-title h1")[0], find(".tabs .segment[aria-pressed=true]")[0]];
  const names = opened.map((node) => node?.textContent).filter(Boolean);
  const is = scene ? [_("Scene {at}", { at: scene.at }), ...(scene.done ? [_("done")] : [])] : [];
  return [...is, ...names, presenting() ? _("presented") : _("not presented")].join(" · ");
}

/** Show in the window that the page is unloaded. The next page can connect it again. */
window.addEventListener("pagehide", () => {
  if (!other || other.window.closed) return;
  other.window.onkeydown = null;
  other.window.document.body.replaceChildren(el("h1", { role: "alert" }, _(CUT_OFF)));
  other = null;
});
