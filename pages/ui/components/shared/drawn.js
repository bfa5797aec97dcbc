// What every drawing of ours needs: SVG elements, colours of a scale, formulas with indices.

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

/** The colours of a scale for whole hundredths, looked up in the theme's stops: signed from -100 to 100, size from 0 to 100. */
export function colours(scales, kind, theme) {
  const stops = scales[kind][theme === "dark" ? 1 : 0].map((hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16)));
  const low = kind === "signed" ? -100 : 0;
  const table = [];
  for (let value = low; value <= 100; value++) {
    const place = ((value - low) / (100 - low)) * (stops.length - 1), i = Math.min(Math.floor(place), stops.length - 2);
    table.push(stops[i].map((from, c) => Math.round(from + (place - i) * (stops[i + 1][c] - from))));
  }
  const rgb = (value) => table[Math.max(0, Math.min(table.length - 1, value - low))];
  return { rgb, css: (value) => `rgb(${rgb(value).join(" ")})`, ink: (value) => (luminance(rgb(value)) > 0.18 ? "#000" : "#fff") };
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

const GLYPHS = {
  back: "M5 5h3v14H5zM19 5v14L9 12z",
  forward: "M5 5v14l10-7zM16 5h3v14h-3z",
  slow: "M12 3a9 9 0 1 1-9 9h2.300A6.700 6.700 0 1 0 12 5.300zM11 7h2v4.600l3.200 1.900-1 1.700L11 12.700z",
  turn: "M7 5v3h12v2.500H7v3L2 9.250zM17 10.500l5 4.250-5 4.250v-3H5v-2.500h12z",
  both: "M3 6h12a5 5 0 0 1 0 10H10v3.500L4.500 15 10 10.500V14h5a3 3 0 0 0 0-6H3z",
  loop: "M7 7h7a5 5 0 0 1 0 10H8.500v2.800L4 16l4.500-3.800V15H14a3 3 0 0 0 0-6H7z",
};

export function glyph(name) {
  const node = svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true", class: "icon" }, svg("path", { d: GLYPHS[name] }));
  return node;
}

export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
