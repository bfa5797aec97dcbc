// The style sheets of components. They arrive with the scripts; each becomes one sheet, which all places share.

const texts = {}, sheets = new Map();

/** The style sheet of each component, by its name; that of "shared" is part of all. */
export function provide(styles) {
  Object.assign(texts, styles);
}

export const textOf = (name) => texts[name] ?? "";

/** Style the components of these names in `root`: a document, or a shadow root. */
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
