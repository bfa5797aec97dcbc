// Overlays of the whole page: a black screen, a spotlight round the mouse, the list of all keys, and a message for
// screen readers. A component at the end of the document draws them on every page.

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

/** The parts, made at first need; their style is that of a component. */
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

/** A black screen, until any key or a click. */
export function blacken(is) {
  parts().black.hidden = !is;
  (is ? window.addEventListener : window.removeEventListener)("keydown", wake, true);
  return true;
}

/** A key that ends the black screen does nothing else: the hall sees what it saw before. */
function wake(event) {
  if (event.altKey || event.ctrlKey || event.metaKey || event.key === "Shift") return;
  event.stopImmediatePropagation();
  event.preventDefault();
  blacken(false);
}

/** Light round the mouse, and dim all else; without `is`, the other way than now. Says whether that changed it. */
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

/** Show this sentence until it is closed. */
export const showMessage = (sentence) => openDialog(el("p", { id: "keys", role: "alert" }, sentence));

/** List all keys. */
export function list(keys) {
  const caps = (names) => names.flatMap((name) => [el("kbd", {}, _(name)), " "]);
  const rows = keys.map(({ names, words }) =>
    el("tr", {}, el("th", { scope: "row" }, ...caps(names)), el("td", {}, _(words))));
  openDialog(el("h2", { id: "keys" }, _("Keys")), el("table", {}, el("tbody", {}, ...rows)),
    el("p.muted", {}, _(OWN)));
  return true;
}

/** A modal dialog; Escape, "?", its button and a click beside it close it. */
function openDialog(...content) {
  const { layer, dialog } = parts();
  const close = el("button.outlined", { type: "button", onclick: () => dialog.close() }, _("Close"));
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
