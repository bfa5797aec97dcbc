// Bits in rows, with an arc to each from the one that it repeats, or should: those that do not are marked.

import { changed, el, rootOf } from "../shared/component.js";
import { svg } from "../shared/drawn.js";

export default function (/** @type {Component<"bit_rows">} */ { parentElement, data }) {
  const [root, state] = rootOf(parentElement, "bit_rows");
  if (!changed(state, "drawn", data)) return;
  const [width, height] = data.size;
  const picture = svg("svg",
    { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": data.label },
    ...data.bits.flatMap(bitOf));
  root.replaceChildren(el("p.says", {}, data.says), el("div.stage", { tabindex: 0 }, picture));
}

function bitOf(/** @type {DrawnBit} */ { x, y, bit, repeats, origin }) {
  const kind = repeats ? "bit" : "bit missed", middle = (x + origin) / 2;
  return [svg("path", { class: `arc ${kind}`, d: `M${origin} ${y - 14}Q${middle} ${y - 36} ${x} ${y - 14}` }),
    svg("circle", { class: kind, cx: x, cy: y, r: 13 }), svg("text", { class: kind, x, y }, bit)];
}
