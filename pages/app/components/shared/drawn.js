// Helpers for drawings: SVG elements, heat maps, letters, scissors, coordinates, and the timing of animations.

import { windowScale } from "./window_scale.js";

const SVG = "http://www.w3.org/2000/svg";

export function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

export function write(node, name, value) {
  if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
}

/** Decode base64 to integers from -128 to 127. */
export const bytes = (text) => Int8Array.from(atob(text), (c) => c.charCodeAt(0));

/** Draw a heat map of one pixel per cell, which CSS enlarges without smoothing; `rgb(x, y)` is a cell's colour. */
export function pixels(canvas, width, height, rgb) {
  Object.assign(canvas, { width, height });
  const context = canvas.getContext("2d"), image = context.createImageData(width, height);
  image.data.fill(255);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) image.data.set(rgb(x, y), 4 * (y * width + x));
  context.putImageData(image, 0, 0);
}

/** A pair of scissors around (x, y). */
export function scissors(x, y, size = 1) {
  const ring = (side) => svg("circle", { class: "ring", cx: side * 4 * size, cy: 4 * size, r: 2.6 * size });
  return svg("g", { class: "scissors", transform: `translate(${x} ${y})` }, svg("circle", { r: 12 * size }),
    ring(-1), ring(1), svg("path", { class: "blade", d: "M-2.5 2L4 -7M2.5 2L-4 -7", transform: `scale(${size})` }));
}

/** Viewport coordinates relative to the top left corner of `node`, in its own px. */
export function placeOn(node, x, y) {
  const box = node.getBoundingClientRect(), scale = windowScale();
  return [(x - box.left) / scale, (y - box.top) / scale];
}

/** [row, column] of the cell under the pointer, where `node` is a table of cells; beside the table, the nearest one. */
export function cellAt(node, { clientX, clientY }, rows, columns) {
  const { left, top, width, height } = node.getBoundingClientRect();
  const cell = (share, many) => Math.max(0, Math.min(many - 1, Math.floor(share * many)));
  return [cell((clientY - top) / height, rows), cell((clientX - left) / width, columns)];
}

/** Mark the letter of the present step; letters without room are hidden, except this one. */
export function markLetters(nodes, present, hasRoom) {
  nodes.forEach((node, i) => {
    node.classList.toggle("present", i === present);
    node.style.visibility = hasRoom(i) || i === present ? "inherit" : "hidden";
  });
}

/** The options of animations in slow motion. */
export const TRAVEL = { duration: 750, delay: 250, easing: "cubic-bezier(.4,0,.2,1)", fill: "backwards" };

export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
