// The input fields for the texts of a lecturer's own scene.

import { _, lazy_gettext } from "./messages.js";
import { el } from "./component.js";
import { line } from "./typed.js";

const WORDS = { name: lazy_gettext("Name"), question: lazy_gettext("Question to ask (if you like)"),
  do: lazy_gettext("What to do: K presses what stands in “ ” (if you like)"),
  notice: lazy_gettext("What to notice (if you like)"),
  notes: lazy_gettext("Notes, for the lecturer’s window alone (if you like)"),
  answers: lazy_gettext("Answers for the hall, the right one first: yes | no | sometimes (if you like)"),
  minutes: lazy_gettext("Planned minutes (if you like)"),
  why: lazy_gettext("Why, in up to four steps: one | two | three (if you like)") };

/** The input fields by name; Enter in a field calls `onenter`. The last one is the choice of what is hidden. */
export function fieldsOf(onenter) {
  const fields = Object.entries(WORDS).map(([name, label]) =>
    [name, line(name, { label: _(label), placeholder: _(label), onenter })]);
  return Object.fromEntries([...fields, ["hides", el("select.hides", { "aria-label": _("Hidden until Notice") })]]);
}

/** Fill the fields with the texts of a scene. `limits`: characters at most; `hides`: what can be hidden: key, words. */
export function fill(fields, words, limits, hides) {
  fields.hides.replaceChildren(...hides.map(([key, text]) =>
    el("option", { value: key }, _("Hidden until Notice: {what}", { what: text }))));
  for (const [name, field] of Object.entries(fields)) {
    field.maxLength = limits[name];
    field.value = words[name] ?? "";
  }
}

/** The texts in the fields, by name. */
export const written = (fields) => Object.fromEntries(Object.entries(fields).map(([name, field]) =>
  [name, field.value.toWellFormed()]));
