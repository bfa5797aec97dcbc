// A card with the meaning of a symbol and its names in other languages, beside the symbol that is hovered, tapped or
// focused. Escape, scrolling and leaving the symbol hide the card.

import { el, rootOf } from "../shared/component.js";
import { focused } from "../shared/find.js";
import { meaning, setGlossary, wordOf, wordsIn } from "../shared/explain.js";
import { beforeNavigation } from "../shared/link.js";
import { isPlainClick } from "../shared/scene_link.js";
import { maths } from "../shared/maths.js";
import { presenting } from "../shared/presenting.js";

const RESTS = 120, LEAVES = 250; // ms until a card is shown, and until it is hidden: the pointer may move onto it
const AWAY = 12; // px between a symbol and its card
const SEVERAL = 6, FEW = 2; // words on a card, at most; with more than FEW, without other languages

const now = { card: null, of: null, under: null, focus: false, timer: 0, open: /** @type {any} */ (null) };

export default function (/** @type {Component<"explain">} */ { parentElement, data, setTriggerValue }) {
  const [root, state] = rootOf(parentElement, "explain");
  now.open = (address) => setTriggerValue("open", address);
  setGlossary(data);
  if (!state.card) {
    state.card = el("div.card", { role: "tooltip", popover: "manual" });
    root.replaceChildren(state.card);
  }
  hide();
  now.card = state.card;
}

// Pointer moves and keys, because the document gets no event when pointer or focus move within a shadow root.
document.addEventListener("pointermove", pointed, true);
document.addEventListener("pointerdown", pointed, true);
document.addEventListener("focusin", arrived, true);
document.addEventListener("keyup", ({ key }) => key === "Tab" && arrived(), true);

function pointed(event) {
  const path = event.composedPath();
  if (path[0] === now.under || (event.buttons && event.pointerType === "mouse")) return; // a drag
  [now.under] = path;
  const explained = (one) => one instanceof Element && wordOf(one) && !(presenting() && one.closest("button"));
  const node = path.slice(0, 3).find(explained);
  if (node && node !== now.of) later(RESTS, () => show(node, [wordOf(node)], event));
  else if (node || !now.of || now.focus || path.includes(now.card)) clearTimeout(now.timer);
  else later(LEAVES, hide);
}

function arrived() {
  const node = focused();
  if (node === now.of) return;
  if (node instanceof HTMLElement && stops(node) && node.matches(":focus-visible")) show(node, wordsIn(node));
  else if (now.focus) hide();
}

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !now.of) return;
  event.stopImmediatePropagation();
  hide();
}, true);

// A reference to the books is a link within a text of the page, which has no script: it is opened without a page load.
document.addEventListener("click", (event) => {
  const link = event.target instanceof Element && event.target.closest("a.page-sources");
  if (!link || !now.open || !isPlainClick(event)) return;
  const address = link.getAttribute("href");
  event.preventDefault();
  beforeNavigation(address);
  now.open(address);
}, true);

document.addEventListener("wheel", hide, { capture: true, passive: true });
document.addEventListener("touchmove", hide, { capture: true, passive: true });

/** Whether a focused node shows a card: a formula or a sentence with words of the glossary. */
const stops = (node) => node.matches("p, .maths, .law") && wordsIn(node).length > 0;

function later(wait, does) {
  clearTimeout(now.timer);
  now.timer = setTimeout(does, wait);
}

function hide() {
  clearTimeout(now.timer);
  if (now.of && now.card?.isConnected) now.card.hidePopover?.();
  Object.assign(now, { of: null, focus: false });
}

function show(node, words, pointer = null) {
  const entries = words.slice(0, SEVERAL).filter(meaning);
  hide();
  if (!entries.length || !now.card?.isConnected || !node.isConnected) return;
  Object.assign(now, { of: node, focus: !pointer });
  now.card.replaceChildren(...entries.map((word) => entry(word, entries.length <= FEW)));
  now.card.showPopover?.();
  if (!pointer) node.setAttribute("aria-description", now.card.textContent);
  place(now.card, node.getBoundingClientRect(), pointer);
}

function entry(word, translated) {
  const [symbol, name, means, terms, also] = meaning(word);
  const nodes = terms.flatMap(([language, term], i) => [i ? " · " : "", el("span", { lang: language }, term)]);
  const others = translated ? [also ? el("p.terms", {}, also) : null, el("p.terms", {}, ...nodes)] : [];
  return el("div.entry", {}, el("p", {}, symbol ? maths(written(symbol)) : null, el("b", {}, name)), el("p", {}, means),
    ...others);
}

/** A symbol of the glossary, such as "W_xh", as a formula for maths.js; a name in code stays unchanged. */
const written = (symbol) => symbol.replace(/^(\p{L})_(\w+)$/u, "$1_{$2}");

/** Place the card below the symbol, or above it if there is no room; never under the pointer. */
function place(card, { left, top, bottom }, pointer) {
  const box = card.getBoundingClientRect();
  const low = Math.max(bottom, pointer ? pointer.clientY + AWAY / 2 : bottom) + AWAY;
  const fits = low + box.height <= window.innerHeight;
  const high = Math.min(top, pointer ? pointer.clientY : top) - AWAY - box.height;
  const x = Math.max(8, Math.min(left, window.innerWidth - box.width - 8));
  card.style.left = `${x}px`;
  card.style.top = `${fits || high < 0 ? low : high}px`;
}
