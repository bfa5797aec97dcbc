// "Save picture": a small button above the corner of every picture, visible on hover and focus. It opens a choice of
// file formats: drawings are saved as SVG and PNG, other panels as PNG.

import { _, lazy_gettext } from "./messages.js";
import { el, setText } from "./component.js";
import { find } from "./find.js";
import { iconButton } from "./icons.js";
import { pngOf } from "./raster.js";
import { svgOf } from "./vectors.js";

// components that are not saved
const CONTROLS = ["controls", "tabs", "transport", "run_card", "share_dialog", "present", "tab", "explain", "lecture",
  "room", "book_index"];
const DRAWINGS = ["live_figure", "network", "cell", "diagram", "echo_task", "bit_rows", "mini_batches", "triangle",
  "tau_chart"];
const FAILED = lazy_gettext("It could not be saved");

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
    DRAWINGS.includes(name) ? as("SVG", svgOf) : null, as("PNG", pngOf));
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
