// Converts colours and gradients of CSS to attributes and elements of an SVG without CSS.

import { svg } from "./drawn.js";

const COLOUR = /(?:rgba?|color)\([^)]*\)|transparent/;
const LENGTH = /calc\([^)]*\)|-?[\d.]+(?:px|%)/g;
const ANGLES = { top: 0, right: 90, bottom: 180, left: 270 };

/** {rgb: "rgb(1,2,3)", alpha} of a computed colour; null for other values, such as "none" or "url(#hatch)". */
export function inkOf(css) {
  if (!COLOUR.test(css)) return null;
  const parts = css.match(/-?[\d.]+(?:e-?\d+)?/g)?.map(Number) ?? [0, 0, 0, 0];
  const unit = css.startsWith("color(") ? 255 : 1;
  const [r, g, b] = parts.slice(0, 3).map((part) => Math.round(unit * part));
  return { rgb: `rgb(${r},${g},${b})`, alpha: parts[3] ?? 1 };
}

/** The SVG of a CSS linear gradient on a box [left, top, width, height], `scale` px per CSS px; else null. */
export function gradientOf(css, id, [left, top, width, height], scale) {
  const [, repeats, inside] = css.match(/^(repeating-)?linear-gradient\((.*)\)$/) ?? [];
  if (!inside) return null;
  const [first, ...rest] = inside.split(/,\s*(?![^(]*\))/), aimed = !COLOUR.test(first);
  const turn = (aimed ? parseFloat(first) || ANGLES[first.split(" ").at(-1)] || 0 : 180) * Math.PI / 180;
  const [dx, dy] = [Math.sin(turn), -Math.cos(turn)], long = Math.abs(width * dx) + Math.abs(height * dy);
  const stops = placed((aimed ? rest : [first, ...rest]).flatMap((stop) => {
    const ink = inkOf(stop.match(COLOUR)[0]), where = stop.replace(COLOUR, "").match(LENGTH) ?? [null];
    return where.map((place) => ({ ink, at: place && lengthOf(place, long, scale) }));
  }));
  const end = repeats ? stops.at(-1).at : 1, [x, y] = [left + (width - long * dx) / 2, top + (height - long * dy) / 2];
  return svg("linearGradient", { id, gradientUnits: "userSpaceOnUse", x1: x, y1: y, x2: x + end * long * dx,
    y2: y + end * long * dy, spreadMethod: repeats ? "repeat" : "pad" }, ...stops.map(({ ink, at }) =>
    svg("stop", { offset: at / end, "stop-color": ink.rgb, "stop-opacity": ink.alpha })));
}

/** Place the stops without a position evenly between their neighbours. */
function placed(stops) {
  stops[0].at ??= 0;
  stops.at(-1).at ??= 1;
  stops.forEach((stop, i) => {
    if (stop.at !== null) return;
    const next = stops.slice(i).findIndex(({ at }) => at !== null), before = stops[i - 1].at;
    stop.at = before + (stops[i + next].at - before) / (next + 1);
  });
  return stops;
}

/** A CSS length ("30%", "4px" or a calc() of both) as a fraction of `long`. */
function lengthOf(css, long, scale) {
  const parts = [...css.matchAll(/([+-]?)\s*(-?[\d.]+)(px|%)/g)].map(([, sign, size, unit]) =>
    (sign === "-" ? -1 : 1) * Number(size) / (unit === "%" ? 100 : long / scale));
  return parts.reduce((sum, part) => sum + part, 0);
}
