// What the charts of a hall's answers have in common: their size, their text, shares and names of votes.

import { svg } from "./drawn.js";
import { _ } from "./messages.js";

export const W = 1000;
export const H = 440;
export const LEFT = 64;
export const BELOW = 50;
export const TOP = 22;

export const percent = (part, whole) => `${Math.round(100 * part / Math.max(whole, 1))} %`;
export const sum = (numbers) => numbers.reduce((all, one) => all + one, 0);
export const shareOf = (count, i) => count[i] / Math.max(sum(count), 1);
export const voteName = (vote) => (vote === 0 ? _("First vote") : _("Second vote"));

export const frame = (name, label, ...parts) =>
  svg("svg", { class: name, viewBox: `0 0 ${W} ${H}`, role: "img", "aria-label": label }, ...parts);
export const text = (left, top, words, anchor, name = "") =>
  svg("text", { x: left, y: top, "text-anchor": anchor, class: name }, words);
