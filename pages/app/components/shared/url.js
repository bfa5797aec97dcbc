// The URL and the browser's history. Streamlit pushes a history entry for every change of the URL; here only another
// page and a section that the user chose get an entry, so that "back" returns to these. The position of the play head
// and presentation mode are in the URL only; the server does not receive them.

import { beginLoading } from "./loading.js";
import { findView, hasContainers, holdAtTop, scrollToTop } from "./scroll.js";
import { cancelRequest, requestSection } from "./sections.js";

const { history, location } = window, STEP = "step", PRESENT = "present";
const hasTarget = (url) => url.searchParams.has(STEP) || url.searchParams.has("scene"); // it names a place on its page
const sectionOf = (url) => url.searchParams.get("section");
const isYes = (url) => /^\s*(1|yes|true)\s*$/i.test(url.searchParams.get(PRESENT) ?? "");
const loaded = performance.getEntriesByType?.("navigation")[0]?.name; // Firefox reports "document" for a local file
const requested = new URL(loaded?.includes(":") ? loaded : location.href); // the URL that the browser requested
let target = firstTarget(); // URL of the last link that was opened
const playheads = new Map(); // path -> value of STEP in its URL, or null
let presented = isYes(target) || isYes(requested);
let view = target.searchParams.get("view"); // key of the container that a link or a scene scrolls to
let pendingSection = sectionOf(target), isChosen = false, path = location.pathname, sectionBar = [];

const push = history.pushState.bind(history), replace = history.replaceState.bind(history);
history.pushState = (...entry) => writeEntry(push, ...entry);
history.replaceState = (...entry) => writeEntry(replace, ...entry);

function writeEntry(write, state, title, to) {
  const now = new URL(location.href), url = new URL(to ?? now, now), isOtherPage = url.pathname !== now.pathname;
  if (playheads.has(url.pathname)) setParam(url, STEP, playheads.get(url.pathname));
  else if (url.pathname !== target.pathname && hasTarget(url)) setTarget(url.href); // opened by the server
  setParam(url, PRESENT, presented ? "1" : null);
  const isEntry = isOtherPage || (isChosen && sectionOf(url) !== sectionOf(now));
  if (isEntry) isChosen = false;
  if (isOtherPage) beginLoading();
  path = url.pathname;
  (isEntry ? write : replace)(state, title, url.href);
}

/** The URL that was requested, before Streamlit rewrote it; or the one the server opened before this script ran. */
function firstTarget() {
  const now = new URL(location.href);
  return now.pathname !== requested.pathname && hasTarget(now) ? now : requested;
}

window.addEventListener("popstate", (event) => {
  const url = new URL(location.href), isSamePage = url.pathname === path;
  path = url.pathname;
  if (presented !== url.searchParams.has(PRESENT)) rewriteUrl(); // the entry is older than the change of mode
  if (!isSamePage) {
    cancelRequest();
    beginLoading();
  } else if (requestSection(sectionOf(url))) event.stopImmediatePropagation(); // else Streamlit opens the page anew
}, true); // before Streamlit's own listener

function setParam(url, name, value) {
  if (value === null) url.searchParams.delete(name);
  else url.searchParams.set(name, value);
}

/** Open the section that the user chose; "back" will return to the previous one. */
export function chooseSection(name) {
  isChosen = true;
  requestSection(name);
}

/** If a link named the open section, scroll to the bar of sections, or to the view in the URL. */
export function scrollToSection(bar, section) {
  sectionBar = [bar, section];
  if (pendingSection !== section || location.pathname !== target.pathname) return;
  pendingSection = null;
  holdAtTop(() => viewed() ?? bar);
}

const viewed = () => (view ? findView(view) : null);

/** Scroll to the container with this key, the view of a scene; without a key to its section, else to the top. */
export function openView(key) {
  cancelRequest();
  view = key || null;
  if (sectionBar[0]?.isConnected) scrollToSection(...sectionBar);
  if (view) holdAtTop(viewed);
  else if (sectionOf(target) === null && location.pathname === target.pathname) scrollToTop();
}

/** The play head's position in the URL, for a text of T steps: {step, back}. Null if none, or if called again. */
export function requestedPlayhead(T) {
  const value = target.searchParams.get(STEP), [, step, back] = value?.match(/^(\d+)( back)?$/) ?? [];
  if (location.pathname !== target.pathname || playheads.has(path)) return null;
  const isValid = Number(step) >= 1 && Number(step) <= T;
  playheads.set(path, isValid ? value : null);
  if (value && !(isValid && new URL(location.href).searchParams.get(STEP) === value)) rewriteUrl();
  return isValid ? { step: Number(step) - 1, back: Boolean(back) } : null;
}

/** Make this URL the requested one, before an internal link is opened without a page load. */
export function setTarget(href) {
  target = new URL(href, location.href);
  pendingSection = sectionOf(target);
  view = target.searchParams.get("view");
  cancelRequest();
  playheads.clear();
}

/** Write the play head's position into the URL; null removes it. */
export function writePlayhead(position) {
  const value = position && `${position.step + 1}${position.back ? " back" : ""}`;
  if ((playheads.get(path) ?? null) === value) return;
  playheads.set(path, value);
  rewriteUrl();
}

/** Whether the URL requests presentation mode; `writePresented` writes it into the URLs of this page and later ones. */
export const isPresented = () => presented;
export function writePresented(is) {
  presented = is;
  rewriteUrl();
}

const rewriteUrl = () => history.replaceState(history.state, "", location.href);

if (presented) rewriteUrl(); // Streamlit has rewritten the URL without this parameter
if (view && hasContainers()) holdAtTop(viewed); // else scrollToSection or openView will
