// The backward pass in the drawing: an arrow from every loss to its state and from every state to the previous one, and
// the borders between blocks, where the state may be reset and the gradient cut.

/** @import { Layout } from "./layout.js" */
import { _ } from "../shared/messages.js";
import { BACKWARD_Y, FORWARD_Y, HEIGHT } from "./layout.js";
import { scissors, svg, write } from "../shared/drawn.js";
import { setText } from "../shared/component.js";

const LOSS_FROM = 104, LOSS_TO = 122; // y of the arrow from the loss above

/** The parts of a drawing: `under` is drawn below the sheets that dim, `over` above them. */
export function backwardOf(/** @type {BackwardDrawing} */ { borders }, /** @type {Layout} */ layout) {
  const T = layout.x.length, { edge } = layout, aside = layout.density === "tight" ? 4 : 6;
  const cuts = new Set(borders.filter((border) => border.backward === "cut").map((border) => border.after));
  const losses = layout.x.map((x) => arrow(x + aside, LOSS_FROM, x + aside, LOSS_TO));
  const futures = layout.x.map((x, t) => t + 1 < T && !cuts.has(t + 1)
    ? arrow(x + layout.pitch - edge, BACKWARD_Y, x + edge, BACKWARD_Y) : null);
  const left = layout.x.map((x, t) => leftOf(x, t === T - 1, layout));
  const sum = joint(layout);
  const under = svg("g", { class: "back-arrows" }, ...losses.map((a) => a.node),
    ...futures.filter(Boolean).map((a) => a.node));
  const over = svg("g", { class: "borders" }, ...borders.map((border) => borderOf(border, layout)));
  const path = svg("path", { class: "path" }), end = svg("circle", { class: "path-end", r: 5 });
  const ring = svg("circle", { class: "path-loss", cy: 26 });
  return { losses, futures, left, sum, path, end, ring, under, over: [over, path, end, ring, ...left, sum], aside };
}

/** A hidden block arrow between two points, vertical or horizontal; `fillBackward` sets its width. */
function arrow(x1, y1, x2, y2) {
  const node = svg("path", { class: "back-arrow" });
  node.style.visibility = "hidden";
  return { node, x1, y1, x2, y2 };
}

/** What is left of the gradient of the last loss at a state, and the two factors of the step that leads to it. */
function leftOf(x, isLast, /** @type {Layout} */ layout) {
  const middle = x + layout.pitch / 2;
  const node = svg("g", { class: "left" }, isLast
    ? svg("text", { class: "share at-loss", x: x + layout.strip / 2 + 4, y: LOSS_TO + 12 })
    : svg("text", { class: "share", x: middle, y: BACKWARD_Y - 16 }));
  if (!isLast) [18, 33].forEach((below) => node.append(svg("text", { x: middle, y: BACKWARD_Y + below })));
  node.style.visibility = "hidden";
  return node;
}

function shapeOf({ x1, y1, x2, y2 }, width) {
  const length = Math.hypot(x2 - x1, y2 - y1), ux = (x2 - x1) / length, uy = (y2 - y1) / length;
  const head = Math.min(5 + width, length * 0.62), half = width / 2, wing = half + Math.min(2 + 0.4 * width, 4.5);
  const at = (along, across) =>
    `${(x1 + ux * along - uy * across).toFixed(1)} ${(y1 + uy * along + ux * across).toFixed(1)}`;
  const neck = length - head;
  const corners = [[0, half], [neck, half], [neck, wing], [length, 0], [neck, -wing], [neck, -half], [0, -half]];
  return `M${corners.map(([along, across]) => at(along, across)).join("L")}Z`;
}

/** The plus sign where the two branches meet. */
function joint(/** @type {Layout} */ layout) {
  const radius = { roomy: 10, middle: 9, tight: 6 }[layout.density], arm = radius * 0.55;
  return svg("g", { class: "joint" }, svg("circle", { r: radius }),
    svg("path", { d: `M${-arm} 0h${2 * arm}M0 ${-arm}v${2 * arm}` }));
}

function borderOf(/** @type {Border} */ { after, forward, backward, name }, /** @type {Layout} */ layout) {
  const x = layout.x[after - 1] + layout.pitch / 2;
  const tight = layout.density === "tight";
  const marks = [svg("path", { class: "cutline", d: `M0 2V${HEIGHT - 2}` })];
  if (backward === "cut") marks.push(scissors(0, BACKWARD_Y + 6, (tight ? 10 : 14) / 12));
  if (forward === "reset") {
    marks.push(svg("g", { class: "reset", transform: `translate(0 ${FORWARD_Y})` },
      svg("circle", { r: tight ? 9 : 11 }), svg("text", { class: "zero", y: 1 }, "0")));
  } else if (name) {
    const [, letter, index] = name.match(/^(\D*)(.*)$/u);
    marks.push(svg("text", { class: "handed-on", y: FORWARD_Y - 13 }, letter, svg("tspan", { dy: 5 }, index)));
  }
  return svg("g", { class: `border ${forward} ${backward}`, transform: `translate(${x} 0)` }, ...marks);
}

/** Set the width and shade of every arrow from new numbers. */
export function fillBackward(drawn, /** @type {BackwardDrawing} */ { from_loss, from_future, left, factors }, size) {
  const fill = (arrow, /** @type {[number, number, string]} */ [width, shade]) => {
    if (!arrow) return;
    write(arrow.node, "d", shade < 0 ? `M${arrow.x1} ${arrow.y1}L${arrow.x2} ${arrow.y2}` : shapeOf(arrow, width));
    arrow.node.classList.toggle("nothing", shade < 0);
    write(arrow.node, "fill", shade < 0 ? "none" : size.css(shade));
  };
  drawn.losses.forEach((arrow, t) => fill(arrow, from_loss[t]));
  drawn.futures.forEach((arrow, t) => fill(arrow, from_future[t]));
  drawn.left.forEach(({ children }, t) => [left[t], ...(factors[t] ?? [])].forEach((words, i) => {
    if (children[i]) setText(children[i], words ?? "");
  }));
}

/** Show the arrows that the backward pass has reached, and the path of the cell under the pointer. */
export function showBackward(drawn, at, /** @type {Layout} */ layout, nodes) {
  const T = layout.x.length;
  const done = (t, from) => at.back && (t > at.step || (t === at.step && at.sub >= from));
  const reveal = (node, visible) => { node.style.visibility = visible ? "inherit" : "hidden"; };
  drawn.losses.forEach((arrow, t) => reveal(arrow.node, done(t, 1)));
  drawn.futures.forEach((arrow, t) => arrow && reveal(arrow.node, done(t, 2)));
  drawn.left.forEach((node, t) => reveal(node, layout.density === "roomy" && done(t, t + 1 < T ? 3 : 1)));
  const x = layout.x[at.step] + (layout.density === "tight" ? 0 : layout.strip / 2 + 2);
  reveal(drawn.sum, drawn.futures[at.step] && done(at.step, 3));
  drawn.sum.style.transform = `translate(${x}px, ${BACKWARD_Y}px)`;
  const cell = at.cell && at.cell.t < T ? at.cell : null;
  for (const node of [drawn.path, drawn.end, drawn.ring]) reveal(node, cell);
  nodes.forEach(({ node }, t) => node.classList.toggle("lit", cell !== null && t >= cell.k && t <= cell.t));
  if (!cell) return;
  const loss = layout.x[cell.t] + drawn.aside, state = layout.x[cell.k];
  write(drawn.path, "d", `M${loss} ${LOSS_FROM}V${BACKWARD_Y}H${state}`);
  write(drawn.ring, "cx", layout.x[cell.t] + Number(nodes[cell.t].dot.getAttribute("cx")));
  write(drawn.ring, "r", Number(nodes[cell.t].dot.getAttribute("r")) + 3);
  write(drawn.end, "cx", state);
  write(drawn.end, "cy", BACKWARD_Y);
}

/** Write the words above the hovered column. */
export function tellBackward(node, /** @type {BackwardDrawing} */ { from_loss, from_future }, t, last) {
  const loss = from_loss[t][2];
  setText(node, t < last ? _("from its loss {loss} · from later ones {later}", { loss, later: from_future[t][2] })
    : _("from its loss {loss}", { loss }));
}

/** The paths of the dots in the current sub-step, as [x1, y1, x2, y2], for slow motion. */
export function backwardTravels(drawn, at, /** @type {Layout} */ layout) {
  const { pitch } = layout, x = layout.x[at.step];
  return [
    [[x, 26, x, 72]],
    [[x + drawn.aside, 98, x + drawn.aside, 124]],
    drawn.futures[at.step] ? [[x + pitch - layout.strip / 2, BACKWARD_Y, x + layout.strip / 2, BACKWARD_Y]] : [],
    drawn.futures[at.step]
      ? [[x + layout.strip / 2 + 8, BACKWARD_Y, x, BACKWARD_Y], [x + drawn.aside, 122, x, BACKWARD_Y]]
      : [[x + drawn.aside, 122, x, BACKWARD_Y]],
    [],
    [[x, BACKWARD_Y, x - pitch / 2, FORWARD_Y], [x, 236, x, 256]],
  ][at.sub] ?? [];
}
