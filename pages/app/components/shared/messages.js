// Messages in the reader's language: gettext, with the catalogue that the server has written for scripts.

const catalogues = {};
let catalogue = {}, spoken = "en";

/** Where the browser finds each language's catalogue, or the catalogue itself. */
export function provide(found) {
  Object.assign(catalogues, found);
}

/**
 * Make messages in this language, once its catalogue is there. The ids are English: without a catalogue they are shown.
 * @param {string} language
 */
export async function useLanguage(language) {
  if (language === spoken) return;
  const found = catalogues[language] ?? {};
  const read = async () => (await fetch(new URL(found, document.baseURI))).json();
  catalogue = typeof found === "string" ? await read().catch(() => ({})) : found;
  spoken = language;
  document.documentElement.lang = language;
}

/** The message in the reader's language, with the values of its named places: _("update {n}", { n: 3 }). */
export const _ = (message, variables) => filled(catalogue[message]?.[0] ?? message, variables);

/** The same with a `context`, for an English word with several translations. */
export const pgettext = (context, message, variables) =>
  filled(catalogue[`${context}\u0004${message}`]?.[0] ?? message, variables);

/** The form that the language has for a number: catalogues for scripts have one or two. */
export function ngettext(singular, plural, number, variables) {
  const forms = catalogue[singular] ?? [singular, plural];
  return filled(forms[number === 1 ? 0 : forms.length - 1], variables);
}

/** Marks a message in a constant, made before the catalogue is there: `_()` translates it where it is shown. */
export const lazy_gettext = (message) => message;

/** A message for `append()`: its text, and in its named places what is given, nodes too: a node, a text, or a list. */
export const pieces = (message, given) =>
  message.split(/\{(\w+)\}/).flatMap((part, i) => (i % 2 ? given[part] : part)).filter((part) => part !== "");

/** Sentences, each a list of pieces, with what the language has between two of them. */
export const sentences = (...all) =>
  all.reduce((before, after) => pieces(_("{before} {after}"), { before, after }));

function filled(text, variables = {}) {
  return text.replaceAll(/\{(\w+)\}/g, (place, name) => (name in variables ? String(variables[name]) : place));
}
