// What every drawing of ours needs: SVG elements, heat maps, colours of a scale, formulas with indices.

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

/** Small whole numbers from -128 to 127, sent as base64. */
export const bytes = (text) => Int8Array.from(atob(text), (c) => c.charCodeAt(0));

/** A heat map of one pixel per cell, which CSS enlarges without smoothing; `rgb(x, y)` is a cell's colour. */
export function pixels(canvas, width, height, rgb) {
  Object.assign(canvas, { width, height });
  const context = canvas.getContext("2d"), image = context.createImageData(width, height);
  image.data.fill(255);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) image.data.set(rgb(x, y), 4 * (y * width + x));
  context.putImageData(image, 0, 0);
}

/**
 * The colours of a scale for whole hundredths, looked up in the theme's stops: signed from -100 to 100, size from 0 to
 * 100.
 */
export function colours(scales, kind, theme) {
  const stops = scales[kind][theme === "dark" ? 1
    : 0].map((hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16)));
  const low = kind === "signed" ? -100 : 0;
  const table = [];
  for (let value = low; value <= 100; value++) {
    const place = ((value - low) / (100 - low)) * (stops.length - 1), i = Math.min(Math.floor(place), stops.length - 2);
    table.push(stops[i].map((from, c) => Math.round(from + (place - i) * (stops[i + 1][c] - from))));
  }
  const rgb = (value) => table[Math.max(0, Math.min(table.length - 1, value - low))];
  return { rgb, css: (value) => `rgb(${rgb(value).join(" ")})`,
    ink: (value) => (luminance(rgb(value)) > 0.18 ? "#000" : "#fff") };
}

function luminance(rgb) {
  const [r, g, b] = rgb.map((part) => (part <= 10 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Write a law such as "h_{t} = tanh(a_{t})" for one step: indices low, {x} and {y} as the given words. */
export function formula(node, law, step, words = {}) {
  const parts = law.split(/(_\{[^}]*\}|\{\w\}|[A-Za-z]{2,})/).filter(Boolean).map((part) => {
    if (/^[A-Za-z]{2,}$/.test(part)) {
      const upright = document.createElement("span");
      upright.textContent = part;
      upright.className = "upright";
      return upright;
    }
    if (part.startsWith("_{")) {
      const index = document.createElement("sub");
      if (part.startsWith("_{t")) index.className = "step";
      index.textContent = part.slice(2, -1).replace("t-1", step).replace("t+1", step + 2).replace(/^t$/, step + 1);
      return index;
    }
    if (!part.startsWith("{")) return part;
    const word = document.createElement("bdi");
    word.textContent = words[part[1]] ?? "";
    return word;
  });
  node.replaceChildren(...parts);
}

export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
