// The drawing of a component as one self-contained SVG file: its layers at their positions, on the background.

import { facesOf } from "./fonts.js";
import { inlined } from "./inlined.js";
import { svg } from "./drawn.js";

const MARGIN = 12; // px

/** The SVG of all drawings in `root`, as a blob. Words and fields beside the drawing are left out. */
export async function svgOf(root) {
  const layers = [...root.querySelectorAll("svg:not(.icon, svg svg)")].filter((layer) => layer.checkVisibility());
  const { left, top } = root.getBoundingClientRect(), at = (node) => placed(node.getBoundingClientRect(), left, top);
  const copies = layers.map((layer) => copyOf(layer, at(layer))).filter(Boolean);
  const boxes = layers.flatMap(withWords).map(at).filter(({ width, height }) => width && height);
  if (!copies.length) throw new Error("There is nothing to be seen yet.");
  const [x, y] = ["x", "y"].map((side) => Math.floor(Math.min(...boxes.map((box) => box[side]))) - MARGIN);
  const width = Math.ceil(Math.max(...boxes.map((box) => box.x + box.width))) - x + MARGIN;
  const height = Math.ceil(Math.max(...boxes.map((box) => box.y + box.height))) - y + MARGIN;
  const fill = getComputedStyle(root).getPropertyValue("--background").trim();
  const viewBox = `${x} ${y} ${width} ${height}`;
  const whole = svg("svg", { xmlns: "http://www.w3.org/2000/svg", width, height, viewBox },
    svg("style", {}, await facesOf([root, ...root.querySelectorAll("svg *")])),
    svg("rect", { x, y, width, height, fill }), ...copies);
  return new Blob([new XMLSerializer().serializeToString(whole)], { type: "image/svg+xml" });
}

const placed = ({ x, y, width, height }, left, top) => ({ x: x - left, y: y - top, width, height });

/** A copy of a layer in this box; null if nothing in it is visible. */
function copyOf(layer, box) {
  const copy = inlined(layer), { width: { baseVal: wide }, height: { baseVal: high } } = layer;
  const viewBox = layer.getAttribute("viewBox") ?? `0 0 ${wide.value} ${high.value}`;
  const written = { ...box, viewBox, overflow: getComputedStyle(layer).overflowX };
  for (const [name, value] of Object.entries(written)) copy?.setAttribute(name, value);
  return copy;
}

/** A layer and those of its words that may lie outside its box. */
const withWords = (layer) =>
  [layer, ...(getComputedStyle(layer).overflowX === "visible" ? layer.querySelectorAll("text") : [])];
