// Formulas as text: "H_t = φ(X_t W_{xh} + b_h)". A subscript (_) or superscript (^) is one character or a group in
// braces. Symbols are marked, so that shared/explain.js can explain them; whole formulas are focusable.

import { el } from "./component.js";
import { svg } from "./drawn.js";

const PART = /([_^])(\{[^}]*\}|.)|\{(\w)\}|([A-Za-zΑ-ωφ]+)|([^_^{A-Za-zΑ-ωφ]+|\{)/gu;
const GRADIENT = /^d[A-Za-z]$/; // dW, dh
const LOGITS = ["o", "O", "W"]; // symbols after one of these (W: without an index) belong to the output layer

/** The parts of a formula, each [kind, text]. Kinds: "_", "^", "slot" (a placeholder {x}), "letter", "word" and "". */
export function read(text) {
  return [...text.matchAll(PART)].map(([, mark, raised, slot, word, other]) => {
    if (mark) return [mark, raised.replace(/^\{|\}$/g, "")];
    if (slot) return ["slot", slot];
    return word ? [word.length === 1 ? "letter" : "word", word] : ["", other];
  });
}

/** The attributes that mark each part: its symbol, such as "W_hh", and whether it comes after the logits. */
function marks(parts, past = { behind: false }) {
  let symbol = null;
  return parts.map(([kind, text], i) => {
    if (kind === "_" && symbol) return symbol;
    const index = parts[i + 1]?.[0] === "_" ? parts[i + 1][1] : "";
    symbol = null;
    if (kind !== "letter" && !(kind === "word" && GRADIENT.test(text))) return {};
    symbol = { "data-symbol": index ? `${text}_${index}` : text, "data-behind": String(past.behind) };
    if (LOGITS.includes(text) && (text !== "W" || !index)) past.behind = true;
    return symbol;
  });
}

/** A typeset formula: letters in italics, words (tanh, max) upright. Pieces [[text, tone], ...] get a tone as class. */
export function maths(pieces) {
  const list = typeof pieces === "string" ? [[pieces, ""]] : pieces, past = { behind: false };
  const node = el("span.maths", {},
    ...list.map(([text, tone]) => el(`span${tone ? `.${tone}` : ""}`, {}, ...printed(text, past))));
  return stop(node, list.map(([text]) => text).join(""));
}

function printed(text, past) {
  const parts = read(text), marked = marks(parts, past);
  return parts.map(([kind, part], i) => {
    if (kind === "_") return el("sub", marked[i], ...inIndex(part));
    if (kind === "^") return el("sup", {}, ...inIndex(part));
    if (kind === "letter") return el("i", marked[i], part);
    return marked[i]["data-symbol"] ? el("span", marked[i], part) : part;
  });
}

/** The nodes of an index, whose symbols are not marked. */
const inIndex = (text) => read(text).map(([kind, part]) =>
  (kind === "letter" || /^(xh|hh|hq|emb|embed)$/.test(part) ? el("i", {}, part) : part));

/** Make a whole formula focusable; a single symbol is not. */
function stop(node, text) {
  if (/[=≈]/.test(text)) node.tabIndex = 0;
  else node.removeAttribute("tabindex");
  return node;
}

/** Replace index t, t-1 or t+1 of a law by its number, for step `t` (counted from 0). */
const numbered = (index, t) => index.replace("t-1", t).replace("t+1", t + 2).replace(/^t$/, t + 1);

/** Write a law such as "h_{t} = tanh(a_{t})" for one step: indices as subscripts, {x} and {y} replaced by `words`. */
export function writeLaw(node, text, t, words = {}) {
  const parts = read(text), marked = marks(parts);
  node.replaceChildren(...parts.map(([kind, part], i) => {
    if (kind === "_") return el(part.startsWith("t") ? "sub.step" : "sub", marked[i], numbered(part, t));
    if (kind === "word") return el("span.upright", marked[i], part);
    if (kind === "letter") return el("span", marked[i], part);
    return kind === "slot" ? el("bdi", {}, words[part] ?? "") : part;
  }));
  stop(node, text);
}

/** Write a law for one step into an SVG text. */
export function drawnLaw(node, text, t) {
  const parts = read(text), marked = marks(parts);
  let low = false;
  node.replaceChildren(...parts.map(([kind, part], i) => {
    const index = kind === "_";
    const piece = svg("tspan", { class: index ? "index" : kind === "letter" ? "" : "upright", ...marked[i] },
      index ? numbered(part, t) : part);
    if (index !== low) piece.setAttribute("dy", index ? 4 : -4);
    low = index;
    return piece;
  }));
}
