// The icons on the buttons.

import { svg } from "./drawn.js";
import { el } from "./component.js";

const PATHS = {
  play: "M7 4.5v15l12-7.5z",
  pause: "M6.5 5h4v14h-4zM13.5 5h4v14h-4z",
  step: "M5 5v14l9-7zM16 5h3v14h-3z",
  undo: "M9 5 4 10l5 5v-3.5h5a4 4 0 0 1 0 8H8V22h6a6.5 6.5 0 0 0 0-13H9z",
  reset: "M12 5a7.5 7.5 0 1 1-7.3 9.2l2.4-.6A5 5 0 1 0 12 7.500v3.3L6.300 6.200 12 1.800z",
  flag: "M5 3h2.200v1.200h11l-2.600 4.300 2.600 4.300H7.200V21H5z",
  back: "M5 5h3v14H5zM19 5v14L9 12z",
  forward: "M5 5v14l10-7zM16 5h3v14h-3z",
  slow: "M12 3a9 9 0 1 1-9 9h2.300A6.700 6.700 0 1 0 12 5.300zM11 7h2v4.600l3.200 1.900-1 1.700L11 12.700z",
  turn: "M7 5v3h12v2.500H7v3L2 9.250zM17 10.500l5 4.250-5 4.250v-3H5v-2.500h12z",
  film: "M2 4h20v16H2zM7.500 6v12h9V6zM4 7v2h1.800V7zM4 11v2h1.800v-2zM4 15v2h1.800v-2z"
    + "M18.200 7v2H20V7zM18.200 11v2H20v-2zM18.200 15v2H20v-2zM10 8.500v7l5-3.500z",
  code: "M3 3h8v8H3zM5.200 5.200v3.600h3.600V5.200zM13 3h8v8h-8zM15.200 5.200v3.600h3.600V5.200z"
    + "M3 13h8v8H3zM5.200 15.200v3.600h3.600v-3.600zM13 13h3v3h-3zM18 13h3v3h-3zM15.500 15.500h3v3h-3z"
    + "M13 18h3v3h-3zM18 18h3v3h-3z",
  stop: "M6 6h12v12H6z",
  both: "M3 6h12a5 5 0 0 1 0 10H10v3.500L4.500 15 10 10.500V14h5a3 3 0 0 0 0-6H3z",
  save: "M11 3h2v9.200l3.300-3.300 1.550 1.550L12 16.400 6.050 10.450 7.600 8.900l3.300 3.300zM4 18.800h16V21H4z",
  check: "M4.500 12.200l1.900-1.900 3.600 3.600 7.600-7.800 1.900 1.900L10 17.700z",
  before: "M15 4l1.800 1.800-6.200 6.200 6.200 6.200L15 20l-8-8z",
  after: "M9 4L7.200 5.800l6.200 6.200-6.200 6.200L9 20l8-8z",
  screen: "M2 4h20v12h-8.800v2.800H17V21H7v-2.200h3.800V16H2zM4.200 6.200v7.600h15.600V6.200z",
  beside: "M2 5h12v10H2zM4.200 7.200v5.600h7.600V7.200zM16 9h6v10H10v-2.500h2.200v.3h7.600v-5.600H16z",
  hand: "M6 12V7h2v4h1V3h2v8h1V4h2v7h1V6h2v8.500l1.600-2.200 1.800 1L16.500 19a5 5 0 0 1-4.200 2.500H11a5 5 0 0 1-5-5z",
  up: "M4 15l1.800 1.800 6.200-6.200 6.200 6.200L20 15l-8-8z",
  down: "M4 9l1.800-1.800 6.200 6.200 6.200-6.200L20 9l-8 8z",
  pen: "M4 16.400V20h3.600L16.900 10.700l-3.600-3.600zM14.700 5.700l3.600 3.600 2.100-2.100-3.600-3.600z",
  cross: "M6.500 5 5 6.500l5.500 5.500L5 17.500 6.500 19l5.500-5.500 5.500 5.500 1.500-1.500-5.500-5.500"
    + "L19 6.500 17.500 5 12 10.500z",
  loop: "M7 7h7a5 5 0 0 1 0 10H8.500v2.800L4 16l4.500-3.800V15H14a3 3 0 0 0 0-6H7z",
};

export const icon = (name) =>
  svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true", class: "icon" }, svg("path", { d: PATHS[name] }));

/** A button with an icon; `words` are its tooltip and its accessible name. */
export const iconButton = (name, words, onclick, spec = "button") =>
  el(spec, { onclick, "aria-label": words, title: words }, icon(name));
