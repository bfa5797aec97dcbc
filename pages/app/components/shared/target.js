// The place on its page that a link names: a section, the key of a container (`view`), a step of the play head.

import { findView, hasContainers, holdAtTop, scrollToTop } from "./scroll.js";
import { cancelRequest } from "./sections.js";
import { playheads, requested, rewriteUrl, sectionOf } from "./url.js";

const { location } = window, STEP = "step";
let target = requested, view = requested.searchParams.get("view"); // of the last link that was opened
let pendingSection = sectionOf(requested), sectionBar = [];

/** Make this URL the requested one, before an internal link is opened without a page load. */
export function setTarget(href) {
  target = new URL(href, location.href);
  pendingSection = sectionOf(target);
  view = target.searchParams.get("view");
  cancelRequest();
  playheads.clear();
}

/** Whether the last link leads to the open page. It may have been opened by the server. */
function isHere() {
  const now = new URL(location.href), { searchParams } = now;
  const isOpened = (searchParams.has(STEP) || searchParams.has("scene")) && !playheads.has(now.pathname);
  if (now.pathname !== target.pathname && isOpened) {
    const ofScene = view; // its bar may have been drawn before this is asked
    setTarget(now);
    view ??= ofScene;
  }
  return now.pathname === target.pathname;
}

const viewed = () => (view ? findView(view) : null);

/** If a link named the open section, scroll to the bar of sections, or to the view in the URL. */
export function scrollToSection(bar, section) {
  sectionBar = [bar, section];
  if (!isHere() || pendingSection !== section) return;
  pendingSection = null;
  holdAtTop(() => viewed() ?? bar);
}

/** Scroll to the container with this key, the view of a scene; without a key to its section, else to the top. */
export function openView(key) {
  cancelRequest();
  view = key || null;
  if (sectionBar[0]?.isConnected) scrollToSection(...sectionBar);
  if (view) holdAtTop(viewed);
  else if (isHere() && sectionOf(target) === null) scrollToTop();
}

/** The play head's position in the URL, for a text of T steps: {step, back}. Null if none, or if called again. */
export function requestedPlayhead(T) {
  if (!isHere() || playheads.has(location.pathname)) return null;
  const value = target.searchParams.get(STEP), [, step, back] = value?.match(/^(\d+)( back)?$/) ?? [];
  const isValid = Number(step) >= 1 && Number(step) <= T;
  playheads.set(location.pathname, isValid ? value : null);
  if (value && !(isValid && new URL(location.href).searchParams.get(STEP) === value)) rewriteUrl();
  return isValid ? { step: Number(step) - 1, back: Boolean(back) } : null;
}

/** Write the play head's position into the URL; null removes it. */
export function writePlayhead(position) {
  const value = position && `${position.step + 1}${position.back ? " back" : ""}`;
  if ((playheads.get(location.pathname) ?? null) === value) return;
  playheads.set(location.pathname, value);
  rewriteUrl();
}

if (view && hasContainers()) holdAtTop(viewed); // else scrollToSection or openView will
