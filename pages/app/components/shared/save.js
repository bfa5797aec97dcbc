// "Save picture": a small button above the corner of every picture, visible on hover and focus. It opens a choice of
// two file formats. The files are self-contained: fonts and heat maps are embedded.

import { _, lazy_gettext } from "./messages.js";
import { el, setText } from "./component.js";
import { find } from "./find.js";
import { iconButton } from "./icons.js";
import { pictureOf } from "./picture.js";
import { svg } from "./drawn.js";

// components that are not saved
const CONTROLS = ["controls", "tabs", "transport", "run_card", "share_dialog", "present", "tab", "explain", "lecture"];
const SCALE = 3; // px of a PNG per CSS px
const FAILED = lazy_gettext("It could not be saved");
const fonts = new Map();

/** Add the button to every frame of a component that was just drawn. */
export function offerPictures(place) {
  for (const frame of place.querySelectorAll(".framed")) {
    const root = frame.firstElementChild, [, name] = root.classList, old = frame.querySelector(":scope > .save");
    if (root.querySelector(".framed") || CONTROLS.includes(name)) continue;
    const node = old ?? button(root, name);
    node.dataset.theme = root.dataset.theme;
    if (!old) frame.append(node);
  }
}

function button(root, name) {
  const status = el("span.status", { role: "status" });
  const as = (kind, blobOf) => el("button", { onclick: () => save(kind, blobOf) }, kind);
  const kinds = el("span.kinds", { role: "group", "aria-label": _("Save picture as"), hidden: true }, status,
    as("SVG", svgOf), as("PNG", pngOf));
  const open = iconButton("save", _("Save picture"), () => opened(kinds.hidden));
  const opened = (is) => {
    kinds.hidden = !is;
    open.setAttribute("aria-expanded", String(is));
    setText(status, "");
  };
  const save = async (kind, blobOf) => {
    try {
      download(await blobOf(root), `${nameOf(name)}.${kind.toLowerCase()}`);
      opened(false);
      open.focus();
    } catch (error) {
      console.error(error);
      setText(status, _(FAILED));
    }
  };
  const node = el("div.component.save", {}, kinds, open);
  node.onkeydown = (event) => {
    if (event.key === "Escape") opened(false);
    event.stopPropagation();
  };
  node.addEventListener("focusout", (event) => {
    if (!node.contains(/** @type {Node} */ (event.relatedTarget))) opened(false);
  });
  opened(false);
  return node;
}

/** Download a blob as a file of this name. */
export function download(blob, name) {
  const href = URL.createObjectURL(blob);
  Object.assign(document.createElement("a"), { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}

/** A file name of page, section, picture and the update that the page shows: "perplexity-length-cards-update-1000". */
function nameOf(name) {
  const page = location.pathname.split("/").filter(Boolean).at(-1) ?? "start";
  const [section] = find(".tabs .segment[aria-pressed=true]");
  const roots = [".component.run_card", ".component"].flatMap((selector) => find(selector)); // the run card first
  const update = roots.map(updateIn).find(Boolean);
  return speaking([page, section?.dataset.value, name, update ? `update-${update}` : ""]);
}

/** The first update number in the texts and ARIA labels of `root`; null if there is none. */
export function updateIn(root) {
  const words = [...root.querySelectorAll("*")].flatMap((node) =>
    [node.childElementCount ? "" : node.textContent, node.getAttribute("aria-label")]);
  // Translators: sentences say an update in just these words, as the names of files take its number from them.
  const pattern = _("update {update}", { update: "(\\d[\\d\\u2009\\u202f]*)" });
  const found = words.join("\n").match(new RegExp(pattern));
  return found && found[1].replace(/\D/g, "");
}

/** A file name of these words without repetitions, with only letters, digits and hyphens. */
export function speaking(words) {
  const plain = words.filter(Boolean).map((word) => word.normalize("NFKD").replace(/[^A-Za-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "").toLowerCase());
  return plain.filter((word, i) => word && plain.indexOf(word) === i).join("-");
}

// The files

async function svgOf(root) {
  const { text } = await whole(root);
  return new Blob([text], { type: "image/svg+xml" });
}

async function pngOf(root) {
  const { text, width, height } = await whole(root), image = new Image(width, height);
  const canvas = Object.assign(document.createElement("canvas"), { width: SCALE * width, height: SCALE * height });
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => { canvas.toBlob(done); });
}

/** The picture of a component as the text of an SVG file with its fonts, and its size in px. */
async function whole(root) {
  const { picture, families, width, height } = pictureOf(root);
  const faces = await Promise.all(facesOf([...families].join()).map(embedded));
  picture.prepend(svg("style", {}, faces.join("")));
  return { text: new XMLSerializer().serializeToString(picture), width, height };
}

/** The @font-face rules of the loaded fonts whose family is in `families`. */
function facesOf(families) {
  const same = (weight) => (weight === "400" ? "normal" : weight || "normal");
  const bare = (name) => name.replace(/["']/g, "");
  const loaded = new Set([...document.fonts].filter(({ status }) => status === "loaded")
    .map(({ family, style, weight }) => [bare(family), style, same(weight)].join()));
  const wanted = ({ fontFamily: family, fontStyle, fontWeight }) => families.includes(bare(family))
    && loaded.has([bare(family), fontStyle || "normal", same(fontWeight)].join());
  return [...document.styleSheets].flatMap((sheet) =>
    [...sheet.cssRules].flatMap((rule) => (rule instanceof CSSFontFaceRule && wanted(rule.style)
      ? [{ base: sheet.href ?? document.baseURI, style: rule.style }] : [])));
}

/** A @font-face rule with the font embedded as a data URL. */
async function embedded({ base, style }) {
  const url = new URL(style.getPropertyValue("src").match(/url\(["']?([^"')]+)/)[1], base).href;
  if (!fonts.has(url)) fonts.set(url, fetch(url).then((answer) => answer.blob()).then(dataOf));
  return `@font-face{font-family:${style.fontFamily};font-style:${style.fontStyle || "normal"};`
    + `font-weight:${style.fontWeight || "normal"};src:url(${await fonts.get(url)})}`;
}

function dataOf(blob) {
  const reader = new FileReader();
  return new Promise((done, failed) => {
    Object.assign(reader, { onload: () => done(reader.result), onerror: failed });
    reader.readAsDataURL(blob);
  });
}
