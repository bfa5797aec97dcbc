// The loaded fonts of a picture as @font-face rules with data URLs, for files that open without the dashboard.

const embedded = new Map(); // URL of a font -> data URL

const bare = (name) => name.replace(/["']/g, "");
const weightOf = (weight) => (weight === "400" ? "normal" : weight || "normal");
const keyOf = ({ family, style, weight }) => [bare(family), style || "normal", weightOf(weight)].join();

/** The rules of the loaded fonts in which any of these elements is set. */
export async function facesOf(nodes) {
  const families = bare([...new Set(nodes.map((node) => getComputedStyle(node).fontFamily))].join());
  const loaded = new Set([...document.fonts].filter(({ status }) => status === "loaded").map(keyOf));
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules].flatMap((rule) =>
    (rule instanceof CSSFontFaceRule ? [{ style: rule.style, base: sheet.href ?? document.baseURI }] : [])));
  const wanted = rules.filter(({ style }) => families.includes(bare(style.fontFamily))
    && loaded.has(keyOf({ family: style.fontFamily, style: style.fontStyle, weight: style.fontWeight })));
  return (await Promise.all(wanted.map(faceOf))).join("");
}

async function faceOf({ style, base }) {
  const url = new URL(style.getPropertyValue("src").match(/url\(["']?([^"')]+)/)[1], base).href;
  if (!embedded.has(url)) embedded.set(url, fetch(url).then((answer) => answer.blob()).then(dataOf));
  return `@font-face{font-family:${style.fontFamily};font-style:${style.fontStyle || "normal"};`
    + `font-weight:${style.fontWeight || "normal"};src:url(${await embedded.get(url)})}`;
}

function dataOf(blob) {
  const reader = new FileReader();
  return new Promise((done, failed) => {
    Object.assign(reader, { onload: () => done(reader.result), onerror: failed });
    reader.readAsDataURL(blob);
  });
}
