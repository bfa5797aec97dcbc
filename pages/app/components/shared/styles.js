// The style sheets of components. They arrive with the scripts; each becomes one CSSStyleSheet, shared by all roots.

const texts = {}, sheets = new Map();

/** Register style sheets by component name; every root also adopts the one named "shared". */
export function provide(styles) {
  Object.assign(texts, styles);
}

export const textOf = (name) => texts[name] ?? "";

/** Adopt the style sheets of these components in `root`, a document or a shadow root. */
export function adoptStyles(root, names) {
  const adopted = root.adoptedStyleSheets;
  for (const name of ["shared", ...names])
    if (name in texts && !adopted.includes(sheetOf(name))) adopted.push(sheetOf(name));
}

function sheetOf(name) {
  if (!sheets.has(name)) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(texts[name]);
    sheets.set(name, sheet);
  }
  return sheets.get(name);
}
