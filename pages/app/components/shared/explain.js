// Marks the words of the glossary in texts of the dashboard, except in quotation marks; texts of readers are not passed
// here. Finds the glossary word of a marked node or symbol; the `explain` component shows its meaning.

import { el } from "./component.js";

const QUOTED = /(“.*”)/s; // from the first quotation mark to the last: a quoted text may contain quotation marks
const SIGNS = ["␣", "↵"]; // as the only text of an element, they are the symbols of a space and a line break
const NO_BLANKS = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}"; // scripts without spaces between words
const LETTER = `(?![${NO_BLANKS}])[\\p{L}\\p{N}_-]`; // not allowed directly before or after a term

const textOfNode = new Map(); // node -> its text, which is marked again with a new glossary
let glossary = null, pattern = null;

/** Set the glossary, given as lists of pairs, and mark all texts again. */
export function setGlossary(/** @type {Data<"explain">} */ data) {
  glossary = { words: new Map(data.words), terms: new Map(data.terms), names: new Map(data.names),
    behind: new Map(data.behind) };
  const written = [...glossary.terms.keys()].sort((a, b) => b.length - a.length).map(escaped);
  pattern = new RegExp(`(?<!${LETTER})(${written.join("|")})(?!${LETTER})`, "u");
  for (const [node, text] of textOfNode) {
    if (node.isConnected) node.replaceChildren(...markTerms(text));
    else textOfNode.delete(node);
  }
}

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** A text of the dashboard as nodes, with the first occurrence of each glossary word marked. */
export function markTerms(text) {
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

/** Write a text of the dashboard with its terms marked, if the text changed. */
export function setTerms(node, text) {
  if (textOfNode.get(node) === text) return node;
  textOfNode.set(node, text);
  node.replaceChildren(...markTerms(text));
  return node;
}

/** The glossary word of a node: a marked term, a marked symbol of a formula, or a sign that is its only text. */
export function wordOf(node) {
  const { word, symbol, behind } = node.dataset ?? {};
  if (word) return word;
  if (symbol) return wordOfSymbol(symbol, behind === "true");
  const sign = node.childElementCount === 0 && SIGNS.includes(node.textContent);
  return sign ? glossary?.terms.get(node.textContent) : undefined;
}

function wordOfSymbol(symbol, behind) {
  if (!glossary) return undefined;
  const { names, behind: others } = glossary, [first] = symbol.split("_");
  const there = (behind && others.get(symbol)) || names.get(symbol);
  if (there) return there;
  if (first.length > 1) return first.startsWith("d") ? names.get("d") : undefined; // dW, dh
  const moves = /^.(_(t|prev|next|\d|[1T]).*)?$/u.test(symbol); // the symbol at another step
  return moves ? names.get(first) : undefined;
}

/** The distinct glossary words that are marked in a node, in order. */
export function wordsIn(node) {
  const marked = [node, ...node.querySelectorAll("[data-word], [data-symbol]")];
  return [...new Set(marked.map(wordOf).filter((word) => word && glossary.words.has(word)))];
}

/** The glossary entry of a word: [symbol, name, meaning, [[language, term]], other names]. */
export const meaning = (word) => glossary?.words.get(word);
