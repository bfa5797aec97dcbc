// Converts a displayed element to one self-contained SVG: every box, line of text, drawing and heat map is drawn again
// at its position. Controls (sliders, buttons of bars) are left out.

import { gradientOf, inkOf } from "./ink.js";
import { inlined } from "./inlined.js";
import { svg } from "./drawn.js";

const MARGIN = 12; // px
const LEFT_OUT = "[hidden], [role=toolbar], .segments, .examples, .ask, .remark, .tip, button:is(.filled, .outlined), "
  + "input:is([type=range], [type=checkbox], :placeholder-shown), script, style, link";
const SHARP = 4; // px of a heat map's cell, at least: not every SVG viewer enlarges without smoothing
const SIDES = ["Top", "Right", "Bottom", "Left"];
const pen = document.createElement("canvas").getContext("2d");

/** The picture of `root` on its background, its size in px, and the font families in it. */
export function pictureOf(root) {
  const { left, top } = root.getBoundingClientRect(), defs = svg("defs"), whole = svg("g");
  const sheet = { left, top, defs, edges: [Infinity, Infinity, -Infinity, -Infinity] };
  draw(root, whole, { sheet, grown: 1, within: [-Infinity, -Infinity, Infinity, Infinity] });
  if (!Number.isFinite(sheet.edges[0])) throw new Error("There is nothing to be seen yet.");
  const [x, y] = sheet.edges.slice(0, 2).map((edge) => Math.floor(edge) - MARGIN);
  const [width, height] = [sheet.edges[2] - x, sheet.edges[3] - y].map((size) => Math.ceil(size) + MARGIN);
  const fill = getComputedStyle(root).getPropertyValue("--background").trim();
  const lettered = [...whole.querySelectorAll("[font-family]")];
  const families = new Set(lettered.map((node) => node.getAttribute("font-family")));
  const picture = svg("svg", { xmlns: "http://www.w3.org/2000/svg", width, height,
    viewBox: `${x} ${y} ${width} ${height}` }, defs, svg("rect", { x, y, width, height, fill }), whole);
  return { width, height, families, picture };
}

function draw(node, into, how) {
  if (node.nodeType === Node.TEXT_NODE) return write(node, into, how);
  if (node.nodeType !== Node.ELEMENT_NODE || node.matches(LEFT_OUT)) return undefined;
  const style = getComputedStyle(node);
  if (style.display === "none" || Number(style.opacity) === 0) return undefined;
  const [a, b] = style.transform.match(/^matrix\((.*)\)$/)?.[1].split(", ").map(Number) ?? [1, 0];
  const grown = how.grown * Math.hypot(a, b), scale = grown * (node.currentCSSZoom ?? 1);
  const here = { ...how, grown, scale, style };
  const group = style.opacity === "1" ? into : into.appendChild(svg("g", { opacity: style.opacity }));
  const seen = style.visibility === "visible";
  if (seen) paint(node, group, here);
  if (node.localName === "svg") return undefined;
  const inner = clipped(node, group, here);
  if (seen) for (const which of ["::before", "::after"]) pseudo(node, which, inner.into, inner.how);
  const depth = (child) => (child instanceof Element && Number(getComputedStyle(child).zIndex)) || 0;
  const children = [...node.childNodes].sort((one, other) => depth(one) - depth(other));
  for (const child of children) draw(child, inner.into, inner.how);
  return undefined;
}

/** Draw a node without its children. */
function paint(node, into, how) {
  for (const rect of node.getClientRects()) boxes(boxInPicture(rect, how), into, how);
  const box = boxInPicture(node.getBoundingClientRect(), how);
  if (node.localName === "svg") into.append(drawing(node, box, how));
  if (node.localName === "canvas") into.append(heatMap(node, box));
  if (node.matches("svg, canvas")) extendEdges(box, how);
  if (node.matches("input, select")) value(node, box, into, how);
}

/** @returns {[number, number, number, number]} left, top, width and height in the picture */
const boxInPicture = ({ left, top, width, height }, { sheet }) => [left - sheet.left, top - sheet.top, width, height];

/** Extend the edges of the picture by the visible part of this box. */
function extendEdges(box, { sheet: { edges }, within }) {
  const seen = intersection(within, box);
  if (seen[2] <= seen[0] || seen[3] <= seen[1]) return;
  seen.forEach((edge, i) => { edges[i] = (i < 2 ? Math.min : Math.max)(edges[i], edge); });
}

/** The intersection of edges [left, top, right, bottom] with a box [x, y, width, height], as edges. */
const intersection = ([left, top, right, bottom], [x, y, width, height]) =>
  [Math.max(x, left), Math.max(y, top), Math.min(x + width, right), Math.min(y + height, bottom)];

/** Draw the background, border, outline and ring-shaped shadow of a box. */
function boxes(box, into, how) {
  const { style, scale, sheet } = how, [x, y, width, height] = box;
  if (!width || !height) return;
  const round = roundOf(how, width), ground = inkOf(style.backgroundColor);
  const shape = (more, paints) => {
    const [w, h, rx] = [width + 2 * more, height + 2 * more, Math.min(round, width / 2, height / 2) + more]
      .map((size) => Math.max(0, size));
    into.append(svg("rect", { x: x - more, y: y - more, width: w, height: h, rx, ...paints }));
    extendEdges(box, how);
  };
  const [, ring, spread] = style.boxShadow.match(/^(.*\)) 0px 0px 0px ([\d.]+)px$/) ?? [];
  if (ring) shape(Number(spread) * scale, filled(inkOf(ring)));
  if (ground.alpha) shape(0, filled(ground));
  const gradient = gradientOf(style.backgroundImage, `gradient-${sheet.defs.childElementCount}`,
    [x, y, style.backgroundSize.includes("px") ? parseFloat(style.backgroundSize) * scale : width, height], scale);
  if (gradient) {
    sheet.defs.append(gradient);
    shape(0, { fill: `url(#${gradient.id})` });
  }
  if (style.outlineStyle === "solid" && parseFloat(style.outlineWidth)) {
    const thick = parseFloat(style.outlineWidth) * scale;
    shape(thick / 2 + parseFloat(style.outlineOffset) * scale, stroked(inkOf(style.outlineColor), thick));
  }
  border(box, into, how, shape);
}

const filled = ({ rgb, alpha }) => ({ fill: rgb, "fill-opacity": alpha });
const stroked = ({ rgb, alpha }, width) =>
  ({ fill: "none", stroke: rgb, "stroke-opacity": alpha, "stroke-width": width });

const roundOf = ({ style: { borderTopLeftRadius: radius }, scale }, width) =>
  parseFloat(radius) * (radius.endsWith("%") ? width / 100 : scale);

/** Draw a border: one outline if all sides are equal, else a polygon for each side. */
function border(box, into, how, shape) {
  const { style, scale } = how, [x, y, width, height] = box;
  const sides = SIDES.map((side) => ["Width", "Style", "Color"].map((what) => style[`border${side}${what}`]));
  const thick = sides.map(([wide]) => parseFloat(wide) * scale), [[, line, colour]] = sides;
  const inks = sides.map(([, , css], i) => (thick[i] ? inkOf(css) : null));
  if (sides.every((side) => String(side) === String(sides[0]))) {
    const dash = { dashed: [3, 2], dotted: [1, 2] }[line]?.map((part) => part * thick[0]).join(" ") ?? "none";
    if (inks[0]?.alpha) shape(-thick[0] / 2, { ...stroked(inkOf(colour), thick[0]), "stroke-dasharray": dash });
    return;
  }
  const corners = (top, right, bottom, left) => [[x + left, y + top], [x + width - right, y + top],
    [x + width - right, y + height - bottom], [x + left, y + height - bottom]];
  const outer = corners(0, 0, 0, 0), inner = corners(...thick), next = (i) => (i + 1) % SIDES.length;
  inks.forEach((ink, i) => {
    if (!ink?.alpha) return;
    extendEdges(box, how);
    const points = [outer[i], outer[next(i)], inner[next(i)], inner[i]].join(" ");
    into.append(svg("polygon", { ...filled(ink), points }));
  });
}

/** The parent of the children: a group with a clip path if the node clips them; sideways scrolling does not clip. */
function clipped(node, into, how) {
  const { style, scale, sheet: { defs } } = how, id = `cut-${defs.childElementCount}`;
  const cuts = [style.overflowX, style.overflowY].map((way) => ["hidden", "clip"].includes(way));
  const scrolls = /auto|scroll/.test(style.overflowY) && node.scrollHeight > node.clientHeight + 1;
  if (style.display === "inline" || (!scrolls && !cuts.every(Boolean))) return { into, how };
  const [left, y, seen, height] = boxInPicture(node.getBoundingClientRect(), how);
  const [x, width] = cuts[0] ? [left, seen]
    : [left - node.scrollLeft * scale, Math.max(seen, node.scrollWidth * scale)];
  /** @type {[number, number, number, number]} */
  const box = [x, y, width, height];
  defs.append(svg("clipPath", { id }, svg("rect", { x, y, width, height, rx: roundOf(how, width) })));
  const group = into.appendChild(svg("g", { "clip-path": `url(#${id})` }));
  return { into: group, how: { ...how, within: intersection(how.within, box) } };
}

/** A copy of an SVG on the page, in the same size. */
function drawing(node, [x, y, width, height], how) {
  const copy = inlined(node), { scale, style } = how;
  const size = node.getAttribute("viewBox") ?? `0 0 ${width / scale} ${height / scale}`;
  for (const [name, value] of Object.entries({ x, y, width, height, viewBox: size, overflow: style.overflowX }))
    copy.setAttribute(name, value);
  if (style.overflowX === "visible")
    for (const text of node.querySelectorAll("text")) extendEdges(boxInPicture(text.getBoundingClientRect(), how), how);
  return copy;
}

function heatMap(node, [x, y, width, height]) {
  const times = Math.ceil(SHARP * Math.max(width / node.width, height / node.height) || 1);
  const large = document.createElement("canvas"), context = large.getContext("2d");
  Object.assign(large, { width: node.width * times, height: node.height * times });
  context.imageSmoothingEnabled = false;
  context.drawImage(node, 0, 0, large.width, large.height);
  return svg("image", { x, y, width, height, preserveAspectRatio: "none", href: large.toDataURL() });
}

// Text

/** Draw a text node with the line breaks of the page. */
function write(part, into, how) {
  const node = part.parentElement, style = getComputedStyle(node);
  if (style.visibility !== "visible" || !part.data.trim()) return;
  const scale = how.grown * (node.currentCSSZoom ?? 1);
  for (const line of linesOf(part)) lettered(line.text, boxInPicture(line, how), into, { ...how, style, scale });
}

function linesOf(part) {
  const range = document.createRange(), lines = [];
  let place = 0, line = null;
  for (const letter of part.data) {
    range.setStart(part, place);
    range.setEnd(part, place += letter.length);
    const rect = range.getClientRects()[0], blank = /\s/.test(letter);
    if (!rect || (!rect.width && (blank || !line))) continue; // a space at a line break
    if (!line || Math.abs(rect.top - line.top) > 2) {
      line = { text: "", top: rect.top, height: rect.height, left: rect.left, right: rect.left };
      lines.push(line);
    }
    line.text += blank ? " " : letter;
    line.left = Math.min(line.left, rect.left);
    line.right = Math.max(line.right, rect.right);
    if (letter === "\t") line = null;
  }
  return lines.map((one) => ({ ...one, width: one.right - one.left }));
}

/** Draw a text in a box as high as its font; `anchor` is the text-anchor of SVG. */
function lettered(text, box, into, how, anchor = "start") {
  const { style, scale } = how, ink = inkOf(style.color), [x, y, width, height] = box;
  if (!ink.alpha || !text.trim()) return;
  const { above, below } = measured(text, style), begins = anchor === "start" && style.direction !== "rtl";
  extendEdges(box, how);
  into.append(svg("text", { x: begins ? x : anchor === "middle" ? x + width / 2 : x + width,
    y: y + height * above / (above + below), ...filled(ink), "font-family": style.fontFamily,
    "font-size": parseFloat(style.fontSize) * scale, "font-weight": style.fontWeight, "font-style": style.fontStyle,
    "text-anchor": anchor, "xml:space": "preserve", direction: style.direction,
    style: `font-variant-numeric:${style.fontVariantNumeric};unicode-bidi:${style.unicodeBidi}`,
    ...(anchor === "start" && { textLength: width, lengthAdjust: "spacingAndGlyphs" }) }, text));
}

/** The width of a text, and the ascent and descent of its font, in px of the page. */
function measured(text, style) {
  pen.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  const { width, fontBoundingBoxAscent: above, fontBoundingBoxDescent: below } = pen.measureText(text);
  return { width, above, below };
}

/** Draw the text of an input, or the selected option of a select. */
function value(node, [x, y, width, height], into, how) {
  const { style, scale } = how, text = node.selectedOptions?.[0]?.textContent ?? node.value;
  const [left, right] = ["Left", "Right"].map((side) =>
    (parseFloat(style[`padding${side}`]) + parseFloat(style[`border${side}Width`])) * scale);
  const { width: long, above, below } = measured(text, style), high = (above + below) * scale;
  const anchor = { center: "middle", right: "end", end: "end" }[style.textAlign] ?? "start";
  const room = anchor === "start" ? long * scale : width - left - right;
  lettered(text, [x + left, y + (height - high) / 2, room, high], into, how, anchor);
}

/** Draw an absolutely positioned pseudo-element: its box and its text. */
function pseudo(node, which, into, how) {
  const style = getComputedStyle(node, which);
  if (["none", "normal"].includes(style.content) || style.position !== "absolute") return;
  const holder = how.style.position === "static" ? node.offsetParent ?? node : node, { scale } = how;
  const edge = getComputedStyle(holder), here = { ...how, style };
  const [x, y] = boxInPicture(holder.getBoundingClientRect(), how);
  const size = (name) => (parseFloat(style[name]) || 0) * scale, rim = (name) => parseFloat(edge[name]) * scale;
  const rims = (...names) => (style.boxSizing === "border-box" ? 0 : names.reduce((sum, name) => sum + size(name), 0));
  const box = [x + rim("borderLeftWidth") + size("left"), y + rim("borderTopWidth") + size("top"),
    size("width") + rims("borderLeftWidth", "borderRightWidth"),
    size("height") + rims("borderTopWidth", "borderBottomWidth")];
  boxes(box, into, here);
  const text = style.content.replace(/^"|"$/g, "");
  if (text) lettered(text, box, into, here, style.textAlign === "center" ? "middle" : "start");
}
