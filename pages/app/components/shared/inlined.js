// Copies an SVG with its computed style written into attributes, so that the copy needs no style sheet.

import { inkOf } from "./ink.js";
import { svg } from "./drawn.js";

const INHERITED = ["font-family", "font-size", "font-weight", "font-style", "letter-spacing", "text-anchor",
  "dominant-baseline", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "paint-order",
  "shape-rendering", "fill-rule"];
const OWN = { opacity: "1", "clip-path": "none", mask: "none", "vector-effect": "none" };
const DROPPED = ["script", "style", "foreignObject"];
const WRITTEN = [...INHERITED, ...Object.keys(OWN), "fill", "fill-opacity", "stroke", "stroke-opacity", "stop-color",
  "stop-opacity", "class", "style", "transform", "visibility", "display", "tabindex", "pointer-events", "cursor"];

/** A copy of an SVG node and its visible descendants, or null if nothing is visible. `above`: the parent's style. */
export function inlined(node, above = null) {
  const style = getComputedStyle(node);
  if (style.display === "none" || DROPPED.includes(node.localName)) return null;
  const children = [...node.childNodes].map((child) =>
    child instanceof Element ? inlined(child, style) : child.nodeType === Node.TEXT_NODE ? child.cloneNode() : null);
  const hidden = style.visibility !== "visible";
  if (hidden && !children.some((child) => child instanceof Element && child.localName !== "title")) return null;
  const copy = svg(node.localName, Object.fromEntries(kept(node)), ...children.filter(Boolean));
  writeStyle(copy, style, above, hidden);
  if (node.localName === "text" && !node.childElementCount && node.textContent.trim()) fix(copy, node);
  return copy;
}

const kept = (node) => [...node.attributes].map(({ name, value }) => [name, value]).filter(([name]) =>
  !WRITTEN.includes(name) && !/^(on|data-|aria-|xml)/.test(name));

function writeStyle(copy, style, above, hidden) {
  for (const name of INHERITED) if (style[name] !== above?.[name]) copy.setAttribute(name, style[name]);
  for (const [name, usual] of Object.entries(OWN))
    if (style[name] !== usual) copy.setAttribute(name, within(style[name]));
  const paints = copy.localName === "stop" ? ["stop-color"] : ["fill", "stroke"];
  for (const name of paints) paint(copy, name, style, above, hidden);
  if (style.transform !== "none") copy.setAttribute("transform", style.transform);
  if (copy.localName === "rect" && style.rx !== "auto") copy.setAttribute("rx", style.rx);
  if (/pre/.test(style.whiteSpace)) copy.setAttribute("xml:space", "preserve");
}

/** Write a paint and its opacity if they differ from the parent's (`above`); a hidden node gets the paint "none". */
function paint(copy, name, style, above, hidden) {
  const strength = `${name.replace("-color", "")}-opacity`, as = (one) => `${one?.[name]} ${one?.[strength]}`;
  if (as(style) === as(above) && style.visibility === above.visibility) return;
  const ink = inkOf(style[name]);
  copy.setAttribute(name, hidden ? "none" : ink?.rgb ?? within(style[name]));
  copy.setAttribute(strength, Number(style[strength]) * (ink?.alpha ?? 1));
}

/** Reduce each url(...) to its fragment: the element that it refers to is in the picture itself. */
const within = (css) => css.replace(/url\(["']?[^"')]*#([^"')]+)["']?\)/g, "url(#$1)");

/** Fix the length of a text, so that it has the same width in a fallback font. */
function fix(copy, node) {
  const length = node.getComputedTextLength();
  if (length) copy.setAttribute("textLength", length.toFixed(2));
  copy.setAttribute("lengthAdjust", "spacingAndGlyphs");
}
