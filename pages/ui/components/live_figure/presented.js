// A figure for a hall: as high as there is room for, no type too small, and the names of its lines apart again.

const LEAST = 13; // px of type at least, before the page is enlarged
const SHARE = { alone: 0.58, low: 0.5, scene: 0.7 }; // of the window's height; a question above it takes room
const GAP = 18, LOWEST = 200; // px between two names, and of a figure at least
const LEGEND = { line: 22, room: 12 }; // px

/** How high a figure may be that has to be `low`, or stands below the question of a scene. */
export function roomOf(root, low) {
  const share = root.dataset.presenting !== "scene" ? SHARE.alone : low ? SHARE.low : SHARE.scene;
  return Math.max(share * window.innerHeight / root.currentCSSZoom, LOWEST);
}

/** Change a layout for a hall, where it is `low` also for the height that it has now. */
export function presented(layout, low = true) {
  enlarge(layout);
  if (!low) return;
  const { height, margin, annotations, yaxis, legend, showlegend } = layout;
  if (!margin || !yaxis?.range) return;
  const plot = height - margin.t - margin.b;
  if (showlegend) {
    legend.y = 1 + margin.t / plot;
    margin.r += LEGEND.room;
  }
  const names = (annotations ?? []).filter(({ xref, x, yref }) => xref === "paper" && x === 1 && yref === "y");
  spread(names, yaxis.range, plot, showlegend ? 2 * LEGEND.line - margin.t : -GAP / 2);
}

function enlarge(value) {
  if (typeof value !== "object" || value === null) return;
  if (value.font?.size < LEAST) value.font.size = LEAST;
  Object.values(value).forEach(enlarge);
}

/** Names at places of the axis keep a distance from each other, and from what stands `above` them, in px. */
function spread(names, [low, high], plot, above) {
  const scale = plot / (high - low), half = ({ text }) => GAP / 2 * text.split("<br>").length;
  names.sort((one, other) => other.y - one.y);
  const places = names.map(({ y }) => (high - y) * scale);
  names.reduce((free, name, i) => {
    places[i] = Math.max(places[i], free + half(name));
    return places[i] + half(name);
  }, above);
  names.reduceRight((free, name, i) => {
    places[i] = Math.min(places[i], free - half(name));
    return places[i] - half(name);
  }, plot + GAP / 2 - 1); // the lowest stands within the range: beyond it none is drawn
  names.forEach((name, i) => { name.y = high - places[i] / scale; });
}
