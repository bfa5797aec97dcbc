// Holds a scroll position while the content above it still grows, until the user scrolls.

import { windowScale } from "./window_scale.js";

const ELEMENT = "[data-testid=stElementContainer]";
const USER_EVENTS = ["wheel", "touchmove", "pointerdown", "keydown"];
let scrollAgain = null; // scrolls to the held element; null while no element is held
let lastTarget = null; // returns the element that was held last

/** Streamlit's scroll container, and its content block. */
const containers = () => ["stMain", "stMainBlockContainer"].map((name) =>
  /** @type {HTMLElement} */ (document.querySelector(`[data-testid="${name}"]`)));

export const hasContainers = () => containers().every(Boolean);

/** y of the top of the visible content: below the sticky elements. */
const topOf = (page) =>
  page.getBoundingClientRect().top + (parseFloat(getComputedStyle(page).scrollPaddingTop) || 0) * windowScale();

/** Scroll the element that `find()` returns to the top of the viewport, as soon as there is one, and hold it there. */
export function holdAtTop(find) {
  const [page, content] = containers();
  lastTarget = find;
  const scroll = () => {
    const node = find();
    if (!node?.isConnected) return;
    const above = node.getBoundingClientRect().top - content.getBoundingClientRect().top;
    content.style.minHeight = `${above / windowScale() + page.clientHeight}px`;
    node.scrollIntoView({ behavior: "instant" });
  };
  const observer = new ResizeObserver(scroll), listeners = new AbortController();
  const release = (event) => {
    if (event.type === "keydown" && event.key.length === 1 && event.key !== " ") return; // shortcuts do not scroll
    observer.disconnect();
    listeners.abort();
    if (scrollAgain !== scroll) return;
    scrollAgain = null;
    page.style.overflowAnchor = "";
  };
  for (const event of USER_EVENTS) window.addEventListener(event, release, { capture: true, signal: listeners.signal });
  observer.observe(content.firstElementChild);
  scrollAgain = scroll;
  page.style.overflowAnchor = "none"; // else the browser would correct the position, too
}

/** Scroll to the held element again, if one is held: the height of the scene bar has changed. */
export const updateHeld = () => scrollAgain?.();

/** Hold the last element again, if it is still on the page. */
export function holdLast() {
  if (lastTarget?.()?.isConnected) holdAtTop(lastTarget);
}

export function scrollToTop() {
  const [page, content] = containers();
  if (content) content.style.minHeight = "";
  page?.scrollTo({ top: 0, behavior: "instant" });
}

/** Return a function that scrolls back to the element now at the top of the viewport, or to the next one if that is
 * hidden by then. It does nothing at the top of a page or while a scroll position is held. */
export function saveScroll() {
  const [page] = containers();
  if (scrollAgain || !page?.scrollTop) return () => {};
  const top = topOf(page);
  const below = [...page.querySelectorAll(ELEMENT)].filter((element) => {
    const { top: from, bottom: to } = element.getBoundingClientRect();
    return (from + to) / 2 > top;
  });
  return () => holdAtTop(() => below.find((element) => element.getBoundingClientRect().height));
}

/** The key of the first container that begins in the viewport; "" at the top of a page. */
export function viewAtTop() {
  const [page] = containers();
  if (!page?.scrollTop) return "";
  const from = topOf(page) - 8;
  const keyed = [...page.querySelectorAll("[class*=st-key-]")].find((element) =>
    isDisplayed(element) && element.getBoundingClientRect().top >= from);
  return keyed?.className.match(/st-key-([a-z0-9_]+)/)?.[1] ?? "";
}

/** Whether an element is displayed. Elements in a closed expander have a height, too, but are inert. */
const isDisplayed = (element) => element.getBoundingClientRect().height > 0 && !element.closest("[inert]");

/** The container with this key. If it is hidden, as some containers are in presentation mode: the next element that is
 * displayed. */
export function findView(key) {
  const named = document.querySelector(`.st-key-${key}`);
  if (!named || isDisplayed(named)) return named;
  const displayed = [...document.querySelectorAll(ELEMENT)].filter(isDisplayed);
  return displayed.find((other) => named.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) ?? named;
}
