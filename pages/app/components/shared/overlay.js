// Overlays of the whole page: a black screen, a spotlight around the mouse, a dialog with the list of all keys, and a
// message for screen readers. They are in a shadow root at the end of the document.

import { _, lazy_gettext } from "./messages.js";
import { el } from "./component.js";
import { find } from "./find.js";
import { onPresenting } from "./presenting.js";
import { adoptStyles } from "./styles.js";

const LAID = lazy_gettext("Presenting: larger type. The question mark lists all keys, Escape leaves.");
const OWN = lazy_gettext(
  "Bars and pictures have keys of their own while they have the focus: arrows, Home, Space, Escape."
);
let over = null;

/** The parts of the overlay, created on first use and styled as a component. */
function parts() {
  if (over?.host.isConnected) return over;
  const host = el("div.presenting-overlay"), root = host.attachShadow({ mode: "open" });
  const black = el("div.black", { role: "img", "aria-label": _("A black screen. Any key returns."), hidden: true,
    onclick: () => blacken(false) });
  const spot = el("div.spot", { hidden: true, "aria-hidden": "true" });
  const status = el("p.status", { role: "status" });
  const dialog = el("dialog", { "aria-labelledby": "keys", onkeydown: (event) => {
    event.stopPropagation();
    if (event.key === "?") dialog.close();
  }, onclick: ({ target }) => {
    if (target === dialog) dialog.close();
  } });
  const layer = el("div.component.present", {}, spot, black, dialog, status);
  root.append(layer);
  adoptStyles(root, ["present"]);
  document.body.append(host);
  over = { host, layer, black, spot, status, dialog };
  return over;
}

/** Show or hide the black screen, which any key or a click hides, too. */
export function blacken(is) {
  parts().black.hidden = !is;
  (is ? window.addEventListener : window.removeEventListener)("keydown", wake, true);
  return true;
}

/** Hide the black screen. The key has no other effect, so that the audience sees the same page as before. */
function wake(event) {
  if (event.altKey || event.ctrlKey || event.metaKey || event.key === "Shift") return;
  event.stopImmediatePropagation();
  event.preventDefault();
  blacken(false);
}

/** Set or (default) toggle the spotlight, which dims all but a circle at the mouse; return whether it changed. */
export function spotlight(is = !over || over.spot.hidden) {
  if (!is && !over) return false;
  const { spot } = parts();
  if (spot.hidden !== is) return false;
  spot.hidden = !is;
  (is ? window.addEventListener : window.removeEventListener)("pointermove", follow);
  return true;
}

function follow({ clientX, clientY }) {
  over.spot.style.setProperty("--x", `${clientX}px`);
  over.spot.style.setProperty("--y", `${clientY}px`);
}

/** Show a sentence in a modal dialog. */
export const showMessage = (sentence) => openDialog(el("p", { id: "keys", role: "alert" }, sentence));

/** Show the list of keyboard shortcuts in a modal dialog. */
export function list(keys) {
  const caps = (names) => names.flatMap((name) => [el("kbd", {}, _(name)), " "]);
  const rows = keys.map(({ names, words }) =>
    el("tr", {}, el("th", { scope: "row" }, ...caps(names)), el("td", {}, _(words))));
  openDialog(el("h2", { id: "keys" }, _("Keys")), el("table", {}, el("tbody", {}, ...rows)),
    el("p.muted", {}, _(OWN)));
  return true;
}

/** Open a modal dialog. Escape, "?", its button and a click on the backdrop close it. */
function openDialog(...content) {
  const { layer, dialog } = parts();
  const close = el("button.outlined", { onclick: () => dialog.close() }, _("Close"));
  layer.dataset.theme = find(".component[data-theme]")[0]?.dataset.theme ?? "light";
  dialog.replaceChildren(el("div.sheet", {}, ...content, close));
  dialog.showModal();
  close.focus();
}

onPresenting((is) => {
  if (is) parts().status.textContent = _(LAID);
  else if (over) {
    over.status.textContent = "";
    blacken(false);
    spotlight(false);
  }
});
