// The address and the browser's history. Streamlit pushes a history entry for every change of the URL; here only
// another page is one, and a section that the user chose, so that "back" undoes just that. The position of the play
// head and whether the page is presented are in the URL only; the server is not told.

import { forget, want } from "./sections.js";

const { history, location } = window, STEP = "step", PRESENT = "present", LEADS = [STEP, "scene"];
const hasTarget = (url) => LEADS.some((name) => url.searchParams.has(name)); // whether it names a place on its page
const entry = performance.getEntriesByType?.("navigation")[0]?.name; // Firefox calls that of a file "document"
const asked = new URL(entry?.includes(":") ? entry : location.href); // of the browser
let opened = firstOpened();
const heads = new Map(); // path -> what the address says of the play head there, or null
const PART = "[data-testid=stElementContainer]";
const USER_EVENTS = ["wheel", "touchmove", "pointerdown", "keydown"];
const isYes = (url) => /^\s*(1|yes|true)\s*$/i.test(url.searchParams.get(PRESENT) ?? "");
let presented = isYes(opened) || isYes(asked);
let view = opened.searchParams.get("view"); // the key of the part of the page on which a link or a scene stands
let standing = null; // scrolls there again, until the user scrolls
let lastTarget = null; // finds what was scrolled to last
let due = opened.searchParams.get("section"), chosen = false, path = location.pathname, bar = [];

const sectionOf = (url) => url.searchParams.get("section");

const push = history.pushState.bind(history), replace = history.replaceState.bind(history);
history.pushState = (...entry) => write(push, ...entry);
history.replaceState = (...entry) => write(replace, ...entry);

function write(how, state, title, to) {
  const now = new URL(location.href), url = new URL(to ?? now, now), turned = url.pathname !== now.pathname;
  if (heads.has(url.pathname)) setParam(url, STEP, heads.get(url.pathname));
  else if (url.pathname !== opened.pathname && hasTarget(url)) following(url.href); // opened by the server
  setParam(url, PRESENT, presented ? "1" : null);
  const entry = turned || (chosen && sectionOf(url) !== sectionOf(now));
  if (entry) chosen = false;
  path = url.pathname;
  (entry ? how : replace)(state, title, url.href);
}

/** The URL that was asked for, before Streamlit rewrote it; or the one the server opened before this script ran. */
function firstOpened() {
  const now = new URL(location.href);
  return now.pathname !== asked.pathname && hasTarget(now) ? now : asked;
}

window.addEventListener("popstate", (event) => {
  const other = sectionOf(new URL(location.href)), here = location.pathname === path;
  path = location.pathname;
  if (isPresented() !== new URL(location.href).searchParams.has(PRESENT)) rewriteUrl(); // an older entry
  if (!here) forget();
  else if (want(other)) event.stopImmediatePropagation(); // else Streamlit opens the page anew
}, true); // before Streamlit's own listener

function setParam(url, name, value) {
  if (value === null) url.searchParams.delete(name);
  else url.searchParams.set(name, value);
}

/** The user chose this section: "back" will return to the one before. */
export function chooseSection(name) {
  chosen = true;
  want(name);
}

/** Scroll to the bar of sections where a link names this section, until the reader scrolls: what is above may still
 * grow. */
export function arrive(node, section) {
  bar = [node, section];
  if (due !== section || location.pathname !== opened.pathname) return;
  due = null;
  standOn(() => viewed() ?? node);
}

/** What `found()` gives, as soon as it gives anything, stands at the top of the window until the reader takes over. */
function standOn(found) {
  const [page, content] = scrolled();
  lastTarget = found;
  const stand = () => {
    const node = found();
    if (!node?.isConnected) return;
    const above = node.getBoundingClientRect().top - content.getBoundingClientRect().top;
    content.style.minHeight = `${above + page.clientHeight}px`;
    node.scrollIntoView({ behavior: "instant" });
  };
  const watcher = new ResizeObserver(stand), over = new AbortController();
  const takeOver = (event) => {
    if (event.type === "keydown" && isLetter(event.key)) return; // shortcuts do not scroll
    watcher.disconnect();
    over.abort();
    if (standing !== stand) return;
    standing = null;
    page.style.overflowAnchor = "";
  };
  for (const event of USER_EVENTS) window.addEventListener(event, takeOver, { capture: true, signal: over.signal });
  watcher.observe(content.firstElementChild);
  standing = stand;
  page.style.overflowAnchor = "none"; // the browser would correct the position, too
}

/** Returns a function that scrolls back to what is at the top of the window now, or to what follows where that is
 * hidden by then. It does nothing at the top of a page, nor while a scroll position is held already. */
export function kept() {
  const [page] = scrolled();
  if (standing || !page?.scrollTop) return () => {};
  const top = page.getBoundingClientRect().top + (parseFloat(getComputedStyle(page).scrollPaddingTop) || 0);
  const below = [...page.querySelectorAll(PART)].filter((part) => {
    const { top: from, bottom: to } = part.getBoundingClientRect();
    return (from + to) / 2 > top;
  });
  return () => standOn(() => below.find((part) => part.getBoundingClientRect().height));
}

/** A window of another size, full screen for one: a scene that is presented is scrolled to where it began. */
window.addEventListener("resize", () => {
  if (presented && "scene" in document.documentElement.dataset && lastTarget?.()?.isConnected) standOn(lastTarget);
});

/** The key of the part that stands at the top of the window, or is the next one; none where a page begins. */
export function viewNow() {
  const [page] = scrolled();
  if (!page?.scrollTop) return "";
  const from = page.getBoundingClientRect().top + (parseFloat(getComputedStyle(page).scrollPaddingTop) || 0) - 8;
  const keyed = [...page.querySelectorAll("[class*=st-key-]")].filter((part) => {
    return displayed(part) && part.getBoundingClientRect().top >= from;
  });
  return keyed[0]?.className.match(/st-key-([a-z0-9_]+)/)?.[1] ?? "";
}

const isLetter = (key) => key.length === 1 && key !== " ";

/** Scroll there again after the strip above has changed its height. */
export const standAgain = () => standing?.();

/** What is in a closed expander has a height, too. */
const displayed = (part) => part.getBoundingClientRect().height > 0 && !part.closest("[inert]");

/** The part that is named by its key; where it is not displayed, as some are not while presenting, the one that
 * follows. */
function viewed() {
  const named = view && document.querySelector(`.st-key-${view}`);
  if (!named || displayed(named)) return named;
  const seen = [...document.querySelectorAll(PART)].filter(displayed);
  return seen.find((part) => named.compareDocumentPosition(part) & Node.DOCUMENT_POSITION_FOLLOWING) ?? named;
}

/** A scene begins at the part of its page that it names, or at its section; else at the top of its page. */
export function begin(named) {
  forget();
  view = named || null;
  if (bar[0]?.isConnected) arrive(...bar);
  if (view) {
    standOn(viewed);
    return;
  }
  if (sectionOf(opened) !== null || location.pathname !== opened.pathname) return;
  const [page, content] = scrolled();
  if (content) content.style.minHeight = "";
  page?.scrollTo({ top: 0, behavior: "instant" });
}

const scrolled = () => ["stMain", "stMainBlockContainer"].map((name) =>
  /** @type {HTMLElement} */ (document.querySelector(`[data-testid="${name}"]`)));

/** The play head's position in the URL, for a text of T steps: {step, back}; null for none, and when called again. */
export function headAsked(T) {
  const asked = opened.searchParams.get(STEP), [, step, back] = asked?.match(/^(\d+)( back)?$/) ?? [];
  if (location.pathname !== opened.pathname || heads.has(path)) return null;
  const there = Number(step) >= 1 && Number(step) <= T;
  heads.set(path, there ? asked : null);
  if (asked && !(there && new URL(location.href).searchParams.get(STEP) === asked)) rewriteUrl();
  return there ? { step: Number(step) - 1, back: Boolean(back) } : null;
}

/** A link within these pages is about to be followed without a load: its URL counts as the one asked for. */
export function following(href) {
  opened = new URL(href, location.href);
  due = opened.searchParams.get("section");
  view = opened.searchParams.get("view");
  forget();
  heads.clear();
}

/** Write the play head's position into the URL; null removes it. */
export function keepHead(place) {
  const value = place && `${place.step + 1}${place.back ? " back" : ""}`;
  if ((heads.get(path) ?? null) === value) return;
  heads.set(path, value);
  rewriteUrl();
}

/** Whether the address asks for larger type and no frame; and to ask for it from now on, on every page. */
export const isPresented = () => presented;
export function keepPresented(is) {
  presented = is;
  rewriteUrl();
}

const rewriteUrl = () => history.replaceState(history.state, "", location.href);

if (presented) rewriteUrl(); // Streamlit has rewritten the URL without it
if (view && scrolled().every(Boolean)) standOn(viewed); // else a bar of sections, or a scene, will
