// The echo task: a row of inputs, above it the correct answers, a line from each answer to its input, and borders where
// the state is reset; above the answers how many of them are possible, if that is shown.

import { changed, el, rootOf } from "../shared/component.js";
import { scissors, svg } from "../shared/drawn.js";

export default function (/** @type {Component<"echo_task">} */ { parentElement, data }) {
  const [root, state] = rootOf(parentElement, "echo_task");
  if (!changed(state, "shape", data)) return;
  const [width, below] = data.size, height = data.above + below;
  const picture = svg("svg",
    { viewBox: `0 ${-data.above} ${width} ${height}`, width, height, role: "img", "aria-label": data.label },
    ...data.rows.map(([name, y]) => text("row", 0, y, name)),
    ...data.borders.flatMap((border) => borderOf(border, data)),
    ...[...data.lost, ...data.threads].map(({ path, known }) =>
      svg("path", { d: path, class: known ? "connection" : "connection hidden" })),
    ...data.columns.flatMap((column) => columnOf(column, data)),
    ...data.borders.map(({ x }) => scissors(x, data.scissors_y)));
  root.replaceChildren(el("div.stage", { tabindex: 0 }, picture));
}

function columnOf(/** @type {EchoColumn} */ { x, input, answer, known, choices },
  /** @type {TaskDrawing} */ { rows, box, above }) {
  const [answerY, inputY] = rows.map(([, y]) => y), hidden = known ? "" : " hidden";
  return [
    svg("rect", { class: `wanted${hidden}`, x: x - box / 2, y: answerY - 15, width: box, height: 30, rx: 6 }),
    text(`letter${hidden}`, x, answerY, known ? answer : "?"),
    svg("rect", { class: "box", x: x - box / 2, y: inputY - 16, width: box, height: 32, rx: 6 }),
    text("letter", x, inputY, input),
    ...(choices ? [text(`choices${hidden}`, x, -above / 2, choices)] : []),
  ];
}

function borderOf(/** @type {EchoBorder} */ { x, name }, /** @type {TaskDrawing} */ { size }) {
  return [svg("line", { class: "border", x1: x, x2: x, y1: 6, y2: size[1] - 22 }),
    text("reset", x, size[1] - 10, name)];
}

const text = (kind, x, y, words) => svg("text", { class: kind, x, y }, words);
