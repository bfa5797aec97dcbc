// The two colour scales of the palette in use, read from the style sheet. Levels are hundredths: "diverging" from -100
// to 100 for what has a sign, "sequential" from 0 to 100 for sizes; what lies beyond has the colour of the end.

const STOPS = 7;
const MINUS_BELOW = -25; // in grey the sign is lost: from here on a cell carries a minus bar

/** rgb(level) is [r, g, b], css(level) the same for a style, ink(level) black or white, whichever is legible on it. */
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
    /** How the minus bar of a cell looks on its colour: "dark" or "light", or "" where it has none. */
    minus: (level) => (level >= MINUS_BELOW ? "" : ink(level) === "#000" ? "dark" : "light"),
    /** Colours the ground and the text of a node; null gives it back its own. */
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
