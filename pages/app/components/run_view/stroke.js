// A line that a hand draws across a chart, and where on the chart a hand is. Places are plotly's: values, or log10 of
// them on a logarithmic axis. Ranges are [low, high] of places, {x, y}.

const COLUMNS = 80; // that a line has, from one end of the chart to the other

const within = (value, low, high) => Math.min(Math.max(value, low), high);

const LEAST = 1e-6; // of a value: a linear axis begins left of 0

/** The value at a place, in six figures. */
export const valueAt = (place, log) => Number((log ? 10 ** place : Math.max(place, LEAST)).toPrecision(6));

/** The place under a point of the window; `box` is the plot there, however it is scaled. */
export function placeAt(box, { x, y }, clientX, clientY) {
  const across = within((clientX - box.left) / box.width, 0, 1), down = within((clientY - box.top) / box.height, 0, 1);
  return [x[0] + across * (x[1] - x[0]), y[1] - down * (y[1] - y[0])];
}

/** Where a place stands in the plot: shares of its width and of its height, from the top. */
export const shareOf = ({ x, y }, [across, up]) => [(across - x[0]) / (x[1] - x[0]), (y[1] - up) / (y[1] - y[0])];

/** A line over one range of places: who passes a column again draws it anew, so a line never goes back. */
export function stroke([low, high]) {
  const heights = new Map();
  let last = null;
  const columnOf = (x) => Math.round(within((x - low) / (high - low), 0, 1) * COLUMNS);
  const places = () => [...heights].sort(([a], [b]) => a - b)
    .map(([column, y]) => [low + column / COLUMNS * (high - low), y]);
  return {
    /** On to a place, straight from the last one. */
    to([x, y]) {
      const column = columnOf(x), from = last ?? [column, y], many = Math.abs(column - from[0]);
      for (let i = 0; i < many; i++)
        heights.set(from[0] + i * Math.sign(column - from[0]), from[1] + i / many * (y - from[1]));
      heights.set(column, y);
      last = [column, y];
    },
    places,
    isLine: () => heights.size > 1,
    /** [value, value] each. */
    values: (log) => places().map((place) => place.map((one) => valueAt(one, log))),
  };
}
