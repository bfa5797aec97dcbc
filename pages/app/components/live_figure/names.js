// The names at the right edge of a plot (core/figures/parts/chart.py), set apart for the height that it has now.

const LINE = 1.3; // times the size of the type: from one line of a name to the next, as plotly sets them
const BETWEEN = 4; // px about a name of several lines, which would run on into the next one
const BELOW = 8; // px that the lowest name may reach below the foot of the plot
const NEAR = 4; // px: a name so little moved needs no line to what it belongs to
const ENTRY = 5; // px that an entry of the legend has more than its line

/** None over another or over the legend; a name that had to give way is joined to what it belongs to. */
export function placeNames(layout, data) {
  const { height, margin, annotations, yaxis } = layout, plot = margin && height - margin.t - margin.b;
  const names = (annotations ?? []).filter(isName);
  if (!plot || !names.length) return;
  const place = (name) => plot * share(name, yaxis);
  const shown = names.filter((name) => place(name) > -1 && place(name) < plot + 1); // not what is zoomed out of sight
  shown.sort((one, other) => place(other) - place(one));
  const middles = spread(shown.map(place), shown.map(size), roof(layout, data, plot));
  shown.forEach((name, i) => move(name, middles[i] - place(name)));
}

export const isName = ({ xref, x, xanchor, yanchor }) =>
  xref === "paper" && x === 1 && xanchor === "left" && yanchor === "middle";

/** Where what a name belongs to stands, as a share of the plot's height. */
const share = ({ y, yref }, axis) => yref === "paper" ? y : (y - axis.range[0]) / (axis.range[1] - axis.range[0]);

/** How high it is, px. */
function size({ text, font }) {
  const lines = text.split("<br>").length;
  return LINE * font.size * lines + (lines > 1 ? BETWEEN : 0);
}

/** How far above the foot names may reach: to the legend, or to the figure's edge; px. */
function roof({ margin, legend, showlegend }, data, plot) {
  if (!showlegend) return plot + margin.t;
  const entries = data.filter((curve) => curve.showlegend && curve.x.length).length;
  return legend.y * plot - entries * (LINE * legend.font.size + ENTRY);
}

/** Middles, in px above the foot, from the highest to the lowest: a sweep down from the roof, and one up. */
function spread(heights, sizes, top) {
  const tight = Math.min(1, (top + BELOW) / sizes.reduce((sum, one) => sum + one, 0)); // where there is no room for all
  const half = sizes.map((one) => tight * one / 2), placed = [];
  for (const [i, height] of heights.entries())
    placed.push(Math.min(height, i ? placed[i - 1] - half[i - 1] - half[i] : top - half[0]));
  for (let i = placed.length - 1; i >= 0; i--)
    placed[i] = Math.max(placed[i], i + 1 < placed.length ? placed[i + 1] + half[i + 1] + half[i] : half[i] - BELOW);
  return placed;
}

/** So many px up from the place that it belongs to; a thin line goes from there to it, where that is not near. */
function move(name, up) {
  const away = name.showarrow ? name.ax : name.xshift, moved = Math.abs(up) > NEAR;
  const shift = moved ? { ax: away, ay: -up, xshift: 0, yshift: 0 } : { xshift: away, yshift: up };
  Object.assign(name, { showarrow: moved }, shift);
}
