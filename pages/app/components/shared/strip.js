// A strip of coloured cells, one for each unit of a state.

import { setText } from "./component.js";
import { svg, write } from "./drawn.js";

const MINUS_FROM = 6; // px: the height from which a cell has room for a minus bar

/** A vertical strip of `many` cells, `gap` px apart. `fill(scale, levels, say)` colours them; say(i, level) is the
 * tooltip of cell i. Minus bars show the sign without colour. */
export function strip({ x, y, width, height, many, gap }) {
  const each = height / many;
  const cells = Array.from({ length: many }, (_, i) =>
    svg("rect", { x, y: y + i * each, width, height: Math.max(each - gap, 1) }, svg("title")));
  const minus = ["dark", "light"].map((ink) => svg("path", { class: `minus ${ink}` }));
  const fill = (scale, levels, say) => {
    const bars = { dark: "", light: "" };
    levels.forEach((level, i) => {
      write(cells[i], "fill", scale.css(level));
      setText(cells[i].firstChild, say(i, level));
      const ink = each >= MINUS_FROM && scale.minus(level);
      if (ink) bars[ink] += `M${x + width / 3} ${y + (i + 0.5) * each - 0.5}h${width / 3}`;
    });
    minus.forEach((path, i) => write(path, "d", i ? bars.light : bars.dark));
  };
  return { cells, minus, each, fill };
}
