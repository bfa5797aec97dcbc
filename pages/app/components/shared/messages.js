// Messages in the reader's language: gettext, with the catalogue that the server has written for scripts.

const catalogues = {};
let catalogue = {}, spoken = "en";

/** Register the URL of each language's catalogue, or the catalogue itself. */
export function provide(found) {
  Object.assign(catalogues, found);
}

/** Load the catalogue of a language and use it for all messages. The ids are English, and shown without a catalogue. */
export async function useLanguage(language) {
  if (language === spoken) return;
  const found = catalogues[language] ?? {};
  const read = async () => (await fetch(new URL(found, document.baseURI))).json();
  catalogue = typeof found === "string" ? await read().catch(() => ({})) : found;
  spoken = language;
  document.documentElement.lang = language;
}

/** The message in the reader's language, with the values of its placeholders: _("update {n}", { n: 3 }). */
export const _ = (message, variables) => filled(catalogue[message]?.[0] ?? message, variables);

/** Like `_`, with a `context` for an English word with several translations. */
export const pgettext = (context, message, variables) =>
  filled(catalogue[`${context}\u0004${message}`]?.[0] ?? message, variables);

/** The singular or plural form for a number; languages in these catalogues have one or two forms. */
export function ngettext(singular, plural, number, variables) {
  const forms = catalogue[singular] ?? [singular, plural];
  return filled(forms[number === 1 ? 0 : forms.length - 1], variables);
}

/** Mark a message in a constant, which exists before the catalogue is loaded; `_()` translates it on display. */
export const lazy_gettext = (message) => message;

/** The arguments of `append()` for a message whose placeholders are replaced by nodes, texts or lists of these. */
export const pieces = (message, given) =>
  message.split(/\{(\w+)\}/).flatMap((part, i) => (i % 2 ? given[part] : part)).filter((part) => part !== "");

/** Join sentences, each a list of pieces, with the separator of the language. */
export const sentences = (...all) =>
  all.reduce((before, after) => pieces(_("{before} {after}"), { before, after }));

function filled(text, variables = {}) {
  return text.replaceAll(/\{(\w+)\}/g, (place, name) => (name in variables ? String(variables[name]) : place));
}
