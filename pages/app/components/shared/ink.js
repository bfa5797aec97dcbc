// Converts colours of CSS to attributes of an SVG without CSS.

const COLOUR = /(?:rgba?|color)\([^)]*\)|transparent/;

/** {rgb: "rgb(1,2,3)", alpha} of a computed colour; null for other values, such as "none" or "url(#hatch)". */
export function inkOf(css) {
  if (!COLOUR.test(css)) return null;
  const parts = css.match(/-?[\d.]+(?:e-?\d+)?/g)?.map(Number) ?? [0, 0, 0, 0];
  const unit = css.startsWith("color(") ? 255 : 1;
  const [r, g, b] = parts.slice(0, 3).map((part) => Math.round(unit * part));
  return { rgb: `rgb(${r},${g},${b})`, alpha: parts[3] ?? 1 };
}
