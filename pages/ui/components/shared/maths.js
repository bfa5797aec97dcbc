// Formulas as text: "H_t = φ(X_t W_{xh} + b_h)". A subscript is one character or a group in braces, ^ likewise; single
// letters are set in italics, words (tanh, max) upright. Pieces [[text, tone], ...] may be lit.

import { el } from "./paper.js";

const PART = /([_^])(\{[^}]*\}|.)|([A-Za-zΑ-ωφ]+)|([^_^A-Za-zΑ-ωφ]+)/gu;

export function maths(pieces) {
  const list = typeof pieces === "string" ? [[pieces, ""]] : pieces;
  return el("span.maths", {}, ...list.map(([text, tone]) => el(`span${tone ? `.${tone}` : ""}`, {}, ...parts(text))));
}

function parts(text) {
  return [...text.matchAll(PART)].map(([, mark, raised, word, other]) => {
    if (mark) return el(mark === "_" ? "sub" : "sup", {}, ...parts(raised.replace(/^\{|\}$/g, "")));
    if (word) return word.length === 1 || /^(xh|hh|hq|emb)$/.test(word) ? el("i", {}, word)
      : document.createTextNode(word);
    return document.createTextNode(other);
  });
}
