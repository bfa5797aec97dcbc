// What explains itself: symbols and words that are marked, wherever they stand. Marked is our own text alone, never
// what a reader typed or what stands in quotation marks.

import { el } from "./component.js";

const QUOTED = /(“.*”)/s; // from the first mark to the last one: a quoted text may hold some of its own
const SIGNS = ["␣", "↵"]; // alone in a box they stand for a blank and a line end
const NO_BLANKS = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}"; // scripts of words without blanks
const LETTER = `(?![${NO_BLANKS}])[\\p{L}\\p{N}_-]`; // what a term does not begin or end beside

const told = new Map(); // node -> its text, for words that came before the glossary
let glossary = null, pattern = null;

/** From now on this is the glossary: lists of pairs, by explain.js. */
export function learn(/** @type {Data<"explain">} */ data) {
  glossary = { words: new Map(data.words), terms: new Map(data.terms), names: new Map(data.names),
    behind: new Map(data.behind) };
  const written = [...glossary.terms.keys()].sort((a, b) => b.length - a.length).map(escaped);
  pattern = new RegExp(`(?<!${LETTER})(${written.join("|")})(?!${LETTER})`, "u");
  for (const [node, text] of told) {
    if (node.isConnected) node.replaceChildren(...terms(text));
    else told.delete(node);
  }
}

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** A text of ours as nodes, each of its words marked where it comes first. */
export function terms(text) {
  if (!pattern) return [text];
  const seen = new Set();
  const mark = (piece) => {
    const word = glossary.terms.get(piece);
    if (seen.has(word)) return piece;
    seen.add(word);
    return el("span.explained", { "data-word": word }, piece);
  };
  return text.split(QUOTED).flatMap((part, quoted) =>
    (quoted % 2 ? [part] : part.split(pattern).map((piece, i) => (i % 2 ? mark(piece) : piece))));
}

/** Write a text of ours, where it is another one. */
export function setTerms(node, text) {
  if (told.get(node) === text) return node;
  told.set(node, text);
  node.replaceChildren(...terms(text));
  return node;
}

/** What a marked node stands for: the word of a sentence, the letter of a formula, or a sign alone in its box. */
export function wordOf(node) {
  const { word, symbol, behind } = node.dataset ?? {};
  if (word) return word;
  if (symbol) return letter(symbol, behind === "true");
  const sign = node.childElementCount === 0 && SIGNS.includes(node.textContent);
  return sign ? glossary?.terms.get(node.textContent) : undefined;
}

function letter(symbol, behind) {
  if (!glossary) return undefined;
  const { names, behind: others } = glossary, [first] = symbol.split("_");
  const there = (behind && others.get(symbol)) || names.get(symbol);
  if (there) return there;
  if (first.length > 1) return first.startsWith("d") ? names.get("d") : undefined; // dW, dh
  const moves = /^.(_(t|prev|next|\d|[1T]).*)?$/u.test(symbol); // the same at another step
  return moves ? names.get(first) : undefined;
}

/** Every word that is marked in a node, once, in order. */
export function wordsIn(node) {
  const marked = [node, ...node.querySelectorAll("[data-word], [data-symbol]")];
  return [...new Set(marked.map(wordOf).filter((word) => word && glossary.words.has(word)))];
}

/** What the glossary says of a word: [symbol, its name, meaning, [[language, term]]]. */
export const meaning = (word) => glossary?.words.get(word);
