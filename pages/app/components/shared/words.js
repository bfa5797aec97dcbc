// The input fields for the texts of a lecturer's own scene.

import { _, lazy_gettext } from "./messages.js";
import { line } from "./typed.js";

const WORDS = { name: lazy_gettext("Name"), question: lazy_gettext("Question to ask (if you like)"),
  do: lazy_gettext("What to do (if you like)"), notice: lazy_gettext("What to notice (if you like)"),
  notes: lazy_gettext("Notes, for the lecturer’s window alone (if you like)"),
  answers: lazy_gettext("Answers for the hall, the right one first: yes | no | sometimes (if you like)"),
  minutes: lazy_gettext("Planned minutes (if you like)") };

/** The input fields by name; Enter in a field calls `onenter`. */
export const fieldsOf = (onenter) => Object.fromEntries(Object.entries(WORDS).map(([name, label]) =>
  [name, line(name, { label: _(label), placeholder: _(label), onenter })]));

/** The texts in the fields, by name. */
export const written = (fields) => Object.fromEntries(Object.entries(fields).map(([name, field]) =>
  [name, field.value.toWellFormed()]));
