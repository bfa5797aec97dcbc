// Formulas as text: "H_t = φ(X_t W_{xh} + b_h)". A subscript is one character or a group in braces, ^ likewise.

import { el } from "./paper.js";
import { svg } from "./drawn.js";

const PART = /([_^])(\{[^}]*\}|.)|\{(\w)\}|([A-Za-zΑ-ωφ]+)|([^_^{A-Za-zΑ-ωφ]+|\{)/gu;

/** The parts of a formula, each [kind, text]: index ("_" or "^"), "slot" {x} for a word, "letter", "word", or "". */
export function read(text) {
  return [...text.matchAll(PART)].map(([, mark, raised, slot, word, other]) => {
    if (mark) return [mark, raised.replace(/^\{|\}$/g, "")];
    if (slot) return ["slot", slot];
    return word ? [word.length === 1 ? "letter" : "word", word] : ["", other];
  });
}

/** A formula as it is printed: letters in italics, words (tanh, max) upright. Pieces [[text, tone], ...] may be lit. */
export function maths(pieces) {
  const list = typeof pieces === "string" ? [[pieces, ""]] : pieces;
  return el("span.maths", {}, ...list.map(([text, tone]) => el(`span${tone ? `.${tone}` : ""}`, {}, ...printed(text))));
}

function printed(text) {
  return read(text).map(([kind, part]) => {
    if (kind === "_" || kind === "^") return el(kind === "_" ? "sub" : "sup", {}, ...printed(part));
    return kind === "letter" || /^(xh|hh|hq|emb)$/.test(part) ? el("i", {}, part) : document.createTextNode(part);
  });
}

/** Index t, t-1 or t+1 of a law as the number of step `t` (from 0), or of one beside it. */
const numbered = (index, t) => index.replace("t-1", t).replace("t+1", t + 2).replace(/^t$/, t + 1);

/** Write a law such as "h_{t} = tanh(a_{t})" for one step: indices low, {x} and {y} as the given words. */
export function writeLaw(node, text, t, words = {}) {
  node.replaceChildren(...read(text).map(([kind, part]) => {
    if (kind === "_") return el(part.startsWith("t") ? "sub.step" : "sub", {}, numbered(part, t));
    if (kind === "word") return el("span.upright", {}, part);
    return kind === "slot" ? el("bdi", {}, words[part] ?? "") : part;
  }));
}

/** The same within a drawing. */
export function drawnLaw(node, text, t) {
  let low = false;
  node.replaceChildren(...read(text).map(([kind, part]) => {
    const index = kind === "_";
    const piece = svg("tspan", { class: index ? "index" : kind === "letter" ? "" : "upright" },
      index ? numbered(part, t) : part);
    if (index !== low) piece.setAttribute("dy", index ? 4 : -4);
    low = index;
    return piece;
  }));
}
