// The texts of a page that was saved as a file, and of the controls that are replaced by their values there.

import { el } from "./component.js";
import { _ } from "./messages.js";

const WORDS = {
  title: (name, sentence) => [el("h1", {}, name), el("p", {}, sentence)],
  heading: (name, sentence) => [el("h2", {}, name), ...(sentence ? [el("p.note", {}, sentence)] : [])],
  note: (sentence) => [el("p.note", {}, sentence)],
  one_of: (sentence) => [el("p.note.one-of", {}, sentence)],
  place: (key) => [el("span", { "data-place": key })],
  notice: (...sentences) => sentences.map((one) => el("p.notice", {}, one)),
  hint: (what, notice) => [el("div.hint", {}, el("span", {}, el("b", {}, _("Try")), ` ${what} `),
    el("details", {}, el("summary", {}, _("Notice")), ` ${notice}`))],
  contents: (...chapters) => chapters.map(contents),
};

/** Links to the pages of a folder: the name of a chapter, and of each page its number, its question and its file. */
function contents([chapter, pages]) {
  const links = pages.map(([number, question, file]) =>
    el("li", { value: number }, el("a", { href: file, ...(number === 1 ? { "data-key": "next" } : {}) }, question)));
  return el("section.contents", {}, ...(chapter ? [el("h2", {}, chapter)] : []), el("ol", {}, ...links));
}

/** The nodes of an item that needs no script, else null. `lives(control)`: whether the control works without Python. */
export function wordsOf({ is, words, name, data }, lives) {
  if (is !== "component") return WORDS[is](...words);
  const all = { controls: data.rows?.flat(), tabs: data.controls }[name];
  if (!all || all.some(lives)) return null; // a picture, or one of the controls works without Python
  const [, open] = data.tabs?.find(([one]) => one === data.open) ?? [], sentences = all.map(textOf).filter(Boolean);
  return [...(open ? [el("h2", { "data-place": "sections" }, open)] : []),
    ...(sentences.length ? [el("p.note", {}, sentences.join(" · "))] : [])];
}

function textOf(control) {
  const { label } = control, value = valueOf(control);
  return label && value ? `${label}${label.endsWith("=") ? "" : ":"} ${value}` : label || value;
}

/** The value of a control as text; empty for a button. */
function valueOf({ is, options, value, words, at, says }) {
  if (is === "button") return "";
  if (options) return options.find(([one]) => one === value)?.[1] ?? "";
  return says ?? (Array.isArray(words) ? words[at] : words);
}
