// The fields in which a lecturer writes a scene of their own.

import { line } from "./typed.js";

const WORDS = { name: "Name", question: "Question to ask (if you like)", do: "What to do (if you like)",
  notice: "What to notice (if you like)", notes: "Notes, for the lecturer’s window alone (if you like)",
  minutes: "Planned minutes (if you like)" };

/** A field for each of them, by its name; Enter in one calls `onenter`. */
export const fieldsOf = (onenter) => Object.fromEntries(Object.entries(WORDS).map(([name, label]) =>
  [name, line(name, { label, placeholder: label, onenter })]));

/** What stands in the fields. */
export const written = (fields) => Object.fromEntries(Object.entries(fields).map(([name, field]) =>
  [name, field.value.toWellFormed()]));
