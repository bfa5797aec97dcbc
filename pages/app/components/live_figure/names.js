// The names at the right edge of a plot (core/figures/parts/chart.py), moved apart for the current height of the plot.

const LINE = 1.3; // the line height of plotly, as a multiple of the font size
const BETWEEN = 4; // px around a name of several lines, which would be too close to the next name
const BELOW = 8; // px that the lowest name may reach below the plot
const NEAR = 4; // px: a name that is moved less needs no line to its curve
const ENTRY = 5; // px of a legend entry beyond its line height

/** Move names apart from each other and from the legend; a line joins a moved name to its curve. */
export function placeNames(layout, data) {
  const { height, margin, annotations, yaxis } = layout, plot = margin && height - margin.t - margin.b;
  const names = (annotations ?? []).filter(isName);
  if (!plot || !names.length) return;
  const place = (name) => plot * share(name, yaxis);
  const shown = names.filter((name) => place(name) > -1 && place(name) < plot + 1); // not names outside a zoomed range
  shown.sort((one, other) => place(other) - place(one));
  const middles = spread(shown.map(place), shown.map(size), upperLimit(layout, data, plot));
  shown.forEach((name, i) => move(name, middles[i] - place(name)));
}

export const isName = ({ xref, x, xanchor, yanchor }) =>
  xref === "paper" && x === 1 && xanchor === "left" && yanchor === "middle";

/** y of a name's curve above the bottom of the plot, as a fraction of the plot's height. */
const share = ({ y, yref }, axis) => yref === "paper" ? y : (y - axis.range[0]) / (axis.range[1] - axis.range[0]);

/** The height of a name in px. */
function size({ text, font }) {
  const lines = text.split("<br>").length;
  return LINE * font.size * lines + (lines > 1 ? BETWEEN : 0);
}

/** The upper limit of names, in px above the bottom of the plot: the legend, or the figure's edge. */
function upperLimit({ margin, legend, showlegend }, data, plot) {
  if (!showlegend) return plot + margin.t;
  const entries = data.filter((curve) => curve.showlegend && curve.x.length).length;
  return legend.y * plot - entries * (LINE * legend.font.size + ENTRY);
}

/** The centres of names in px above the plot's bottom, from the highest down: a sweep down from `top`, and one up. */
function spread(heights, sizes, top) {
  const tight = Math.min(1, (top + BELOW) / sizes.reduce((sum, one) => sum + one, 0)); // < 1 if there is no room
  const half = sizes.map((one) => tight * one / 2), placed = [];
  for (const [i, height] of heights.entries())
    placed.push(Math.min(height, i ? placed[i - 1] - half[i - 1] - half[i] : top - half[0]));
  for (let i = placed.length - 1; i >= 0; i--)
    placed[i] = Math.max(placed[i], i + 1 < placed.length ? placed[i + 1] + half[i + 1] + half[i] : half[i] - BELOW);
  return placed;
}

/** Move a name `up` px above its curve, or below it if negative; beyond NEAR px, a thin line joins both. */
function move(name, up) {
  const away = name.showarrow ? name.ax : name.xshift, moved = Math.abs(up) > NEAR;
  const shift = moved ? { ax: away, ay: -up, xshift: 0, yshift: 0 } : { xshift: away, yshift: up };
  Object.assign(name, { showarrow: moved }, shift);
}
