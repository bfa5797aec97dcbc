// The two colour scales of the palette in use, read from the style sheet. Levels are hundredths: "diverging" from -100
// to 100 for signed values, "sequential" from 0 to 100 for sizes; levels outside this range are clipped.

const STOPS = 7;
const MINUS_BELOW = -25; // below this level a cell has a minus bar, because greyscale shows no sign

/** rgb(level) is [r, g, b], css(level) the same as a CSS colour, ink(level) black or white, the more legible on it. */
export function scaleOf(root, name) {
  const style = getComputedStyle(root), low = name === "diverging" ? -100 : 0;
  const stops = Array.from({ length: STOPS }, (_, i) => style.getPropertyValue(`--${name}-${i}`).trim());
  const channels = stops.map((hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16)));
  const known = new Map();
  const mixed = (level) => {
    const at = (Math.min(Math.max(level, low), 100) - low) / (100 - low) * (STOPS - 1);
    const i = Math.min(Math.floor(at), STOPS - 2);
    return channels[i].map((from, c) => Math.round(from + (at - i) * (channels[i + 1][c] - from)));
  };
  const rgb = (level) => known.get(level) ?? known.set(level, mixed(level)).get(level);
  const css = (level) => `rgb(${rgb(level).join(" ")})`;
  const ink = (level) => (luminance(rgb(level)) > 0.179 ? "#000" : "#fff");
  return {
    stops, rgb, css, ink,
    /** The minus bar on a cell of this level: "dark" or "light", or "" for none. */
    minus: (level) => (level >= MINUS_BELOW ? "" : ink(level) === "#000" ? "dark" : "light"),
    /** Set the background and text colour of a node; null removes both. */
    shade(node, level) {
      const none = level === null || level === undefined;
      Object.assign(node.style, none ? { background: "", color: "" } : { background: css(level), color: ink(level) });
    },
  };
}

/** Relative luminance (WCAG 2): above 0.179 black is the more legible text, below it white. */
function luminance(rgb) {
  const [r, g, b] = rgb.map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
