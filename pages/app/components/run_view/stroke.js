// A line drawn by hand on a chart, and conversions of its points. Places are plotly's axis coordinates: values, or
// their log10 on a logarithmic axis. Ranges are {x, y}, each [low, high] in places.

const COLUMNS = 80; // of a line from one end of the chart to the other

const within = (value, low, high) => Math.min(Math.max(value, low), high);

const LEAST = 1e-6; // the smallest value: a linear axis begins left of 0

/** The value at a place, to six significant digits. */
export const valueAt = (place, log) => Number((log ? 10 ** place : Math.max(place, LEAST)).toPrecision(6));

/** The place at a point of the viewport; `box` is the bounding rectangle of the plot, at any zoom. */
export function placeAt(box, { x, y }, clientX, clientY) {
  const across = within((clientX - box.left) / box.width, 0, 1), down = within((clientY - box.top) / box.height, 0, 1);
  return [x[0] + across * (x[1] - x[0]), y[1] - down * (y[1] - y[0])];
}

/** A place as fractions of the plot's width and height, from the top left corner. */
export const shareOf = ({ x, y }, [across, up]) => [(across - x[0]) / (x[1] - x[0]), (y[1] - up) / (y[1] - y[0])];

/** A line over one range of places. Passing a column again replaces its height: a line has one height per column. */
export function stroke([low, high]) {
  const heights = new Map();
  let last = null;
  const columnOf = (x) => Math.round(within((x - low) / (high - low), 0, 1) * COLUMNS);
  const places = () => [...heights].sort(([a], [b]) => a - b)
    .map(([column, y]) => [low + column / COLUMNS * (high - low), y]);
  return {
    /** Extend the line straight to a place. */
    to([x, y]) {
      const column = columnOf(x), from = last ?? [column, y], many = Math.abs(column - from[0]);
      for (let i = 0; i < many; i++)
        heights.set(from[0] + i * Math.sign(column - from[0]), from[1] + i / many * (y - from[1]));
      heights.set(column, y);
      last = [column, y];
    },
    places,
    isLine: () => heights.size > 1,
    /** The points as [x, y] in values. */
    values: (log) => places().map((place) => place.map((one) => valueAt(one, log))),
  };
}
