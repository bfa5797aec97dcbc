// A QR code as a drawing: black on white in either theme, with the margin that the standard requires.

import { svg } from "./drawn.js";
import { _ } from "./messages.js";

const MARGIN = 4; // modules of white on each side

export function qrCode(/** @type {Code} */ { size, path }) {
  const side = size + 2 * MARGIN, viewBox = `${-MARGIN} ${-MARGIN} ${side} ${side}`;
  const margin = svg("rect", { x: -MARGIN, y: -MARGIN, width: side, height: side, rx: 1, fill: "#fff" });
  const modules = svg("path", { d: path, fill: "#000", "shape-rendering": "crispEdges" });
  return svg("svg", { class: "qr-code", role: "img", "aria-label": _("QR code of the link"), viewBox },
    margin, modules);
}
