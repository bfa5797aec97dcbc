// A text field with coloured text: a textarea with transparent letters above the same letters in colour, with the same
// line breaks.

import { _ } from "./messages.js";
import { el } from "./component.js";

const KEPT = 20_000; // characters of a text, at most; the network reads far fewer
const LARGE = 2_000; // characters of a paste that would take a browser long to insert, line by line
const MARKS = { " ": "blank", "\n": "break", "\t": "tab" };

/** A single-line text field; Enter calls `onenter`. */
export const line = (name, { label, placeholder = "", oninput = null, onenter = () => {} }) =>
  el(`input.${name}`, { type: "text", "aria-label": label, placeholder, dir: "auto", spellcheck: "false",
    autocomplete: "off", oninput, onkeydown: ({ key }) => { if (key === "Enter") onenter(); } });

export function editor({ onedit, onpick }) {
  const field = el("textarea",
    { "aria-label": _("The text: type here"), spellcheck: "false", autocomplete: "off", autocapitalize: "off",
      dir: "auto", rows: 1 });
  const mirror = el("div.mirror", { dir: "auto", "aria-hidden": "true" });
  const node = el("div.editor", {}, el("div.stack", {}, mirror, field));
  const state = { field, mirror, spans: [], rendered: null };
  field.oninput = () => {
    const length = [...field.value].length, caret = field.selectionEnd;
    if (field.value.length > KEPT) field.value = field.value.slice(0, KEPT);
    const text = field.value.toWellFormed();
    showEdit(state, text);
    onedit(text, [...text.slice(0, caret)].length, length);
  };
  field.onpaste = (event) => {
    const pasted = event.clipboardData.getData("text/plain").replace(/\r\n?/g, "\n");
    if (pasted.length < LARGE) return;
    event.preventDefault();
    field.setRangeText(pasted, field.selectionStart, field.selectionEnd, "end");
    field.oninput();
  };
  field.onclick = (event) => {
    const span = field.getRootNode().elementsFromPoint(event.clientX, event.clientY)
      .find((below) => below.matches(".token"));
    if (span) onpick(Number(span.dataset.piece));
  };
  return { node, offer: (drawing, scale) => offer(state, drawing, scale) };
}

/** Draw the text as Python split it into tokens, in Python's colours. */
function offer(state, /** @type {ShownText} */ drawing, scale) {
  const { field } = state;
  if (field.value !== drawing.text) field.value = drawing.text;
  const shape = JSON.stringify([drawing.text, drawing.pieces.length, drawing.columns]);
  if (state.rendered !== shape) render(state, drawing);
  state.rendered = shape;
  const column = new Map(drawing.columns.map((piece, i) => [piece, i]));
  state.spans.forEach((span, piece) => {
    const i = column.get(piece), shade = drawing.nats && i > 0 ? drawing.shades[i - 1] : null;
    scale.shade(span, shade);
    span.classList.toggle("left-out", i === undefined);
    span.classList.toggle("picked", drawing.nats !== undefined && i === drawing.picked);
  });
}

function render(state, /** @type {ShownText} */ drawing) {
  state.spans = [];
  const nodes = drawing.pieces.flatMap(([gap, text], piece) => {
    const span = el(`span.token${mark(text)}`, { "data-piece": piece }, text);
    state.spans.push(span);
    return [...spaced(gap), span];
  });
  state.mirror.replaceChildren(...nodes, ...spaced(drawing.tail, "unread"), "\u200b");
}

const mark = (text) => (MARKS[text] ? `.${MARKS[text]}` : "");

/** Text with its tabs made visible. */
export const spaced = (text, name = "gap") =>
  text.split(/(\t)/).filter(Boolean).map((part) => el(`span.${name}${mark(part)}`, {}, part));

/** Show an edit at once: the coloured tokens before and after it stay, the new text gets its colour from Python. */
function showEdit(state, text) {
  const nodes = [...state.mirror.childNodes];
  const old = nodes.map((node) => node.textContent).join("").slice(0, -1);
  let first = 0, last = 0;
  while (first < Math.min(old.length, text.length) && old[first] === text[first]) first++;
  while (last < Math.min(old.length, text.length) - first && old.at(-1 - last) === text.at(-1 - last)) last++;
  let at = 0, before = 0, after = text.length, here = null;
  for (const node of nodes) {
    const end = at + node.textContent.length;
    if (end <= first) before = end;
    else if (at >= old.length - last) {
      after = text.length - (old.length - at);
      here = node;
      break;
    } else node.remove();
    at = end;
  }
  state.mirror.insertBefore(el("span.gap", {}, text.slice(before, after)), here);
  state.rendered = null;
}
