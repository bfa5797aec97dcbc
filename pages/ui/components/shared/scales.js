// The two colour scales of the palette in use: a level becomes a background and a colour of text that is legible on it.

const STOPS = 7;

/** Colours of a diverging level from -1 to 1 (or a sequential one from 0 to 1, with scale "sequential"). */
export function coloursOf(style, level, scale = "diverging") {
  const at = Math.min(Math.max(scale === "diverging" ? (level + 1) / 2 : level, 0), 1) * (STOPS - 1);
  const low = Math.min(Math.floor(at), STOPS - 2);
  const [from, to] = [low, low + 1].map((stop) => rgb(style.getPropertyValue(`--${scale}-${stop}`)));
  const mixed = from.map((channel, i) => Math.round(channel + (at - low) * (to[i] - channel)));
  return { background: `rgb(${mixed.join(" ")})`, color: luminance(mixed) > 0.179 ? "#000" : "#fff" };
}

const rgb = (hex) => [1, 3, 5].map((i) => parseInt(hex.trim().slice(i, i + 2), 16));

/** Relative luminance (WCAG 2): above 0.179 black is the more legible text, below it white. */
function luminance(channels) {
  const [r, g, b] = channels.map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
