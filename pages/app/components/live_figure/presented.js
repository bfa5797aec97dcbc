// A figure in presentation mode: as high as there is room for, and without small type.

const LEAST = 13; // px: the smallest font size, before the page is zoomed
const SHARE = { alone: 0.42, low: 0.5, scene: 0.68 }; // of the window's height; a question above the figure takes room
const LOWEST = 200; // px: the smallest height of a figure
const ROOM = 12; // px more for the legend, whose font grows

/** The largest height in px of a figure that has to be `low`, or is below the question of a scene. */
export function roomOf(root, low) {
  const share = root.dataset.presenting !== "scene" ? SHARE.alone : low ? SHARE.low : SHARE.scene;
  return Math.max(share * window.innerHeight / root.currentCSSZoom, LOWEST);
}

/** Adapt a layout to presentation mode: enlarge small type and, if it is `low`, keep the legend at the top edge. */
export function presented(layout, low = true) {
  enlarge(layout);
  if (!low) return;
  const { height, margin, legend, showlegend } = layout;
  if (!margin || !showlegend) return;
  legend.y = 1 + margin.t / (height - margin.t - margin.b);
  margin.r += ROOM;
}

function enlarge(value) {
  if (typeof value !== "object" || value === null) return;
  if (value.font?.size < LEAST) value.font.size = LEAST;
  Object.values(value).forEach(enlarge);
}
