// A figure for a hall: as high as there is room for, and no type too small.

const LEAST = 13; // px of type at least, before the page is enlarged
const SHARE = { alone: 0.42, low: 0.5, scene: 0.68 }; // of the window's height; a question above it takes room
const LOWEST = 200; // px of a figure at least
const ROOM = 12; // px more for the legend, whose type grows

/** How high a figure may be that has to be `low`, or stands below the question of a scene. */
export function roomOf(root, low) {
  const share = root.dataset.presenting !== "scene" ? SHARE.alone : low ? SHARE.low : SHARE.scene;
  return Math.max(share * window.innerHeight / root.currentCSSZoom, LOWEST);
}

/** Change a layout for a hall, where it is `low` also for the height that it has now. */
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
