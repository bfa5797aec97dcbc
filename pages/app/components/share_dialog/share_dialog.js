// A button that opens a dialog: the link to the open page, its QR code, and a form to add it to the reader's lecture.

import { _ } from "../shared/messages.js";
import { viewAtTop } from "../shared/scroll.js";
import { el, elements, resizeList, rootOf, setText } from "../shared/component.js";
import { icon } from "../shared/icons.js";
import { qrCode } from "../shared/qr_code.js";
import { fieldsOf, fill, written } from "../shared/words.js";

export default function (/** @type {Component<"share_dialog">} */ { parentElement, data, setTriggerValue }) {
  const [root, state] = rootOf(parentElement, "share_dialog");
  state.send = setTriggerValue;
  if (!state.dialog) build(root, state);
  if (data.link && data.link.number === state.number) open(state, data.link);
  if (data.link?.scene) setText(state.added, data.link.scene.message);
}

function build(root, state) {
  Object.assign(state, elements({ code: "div.code", opens: "p.opens", notes: "div.notes" }));
  state.link = el("textarea",
    { readonly: true, rows: 4, "aria-label": _("The link"), spellcheck: "false", dir: "ltr" });
  state.copy = el("button.filled", { onclick: () => copy(state) }, _("Copy link"));
  state.status = el("span.status", { role: "status" });
  const close = el("button.outlined", { onclick: () => state.dialog.close() }, _("Close"));
  const onclick = ({ target }) => { // on the backdrop; a handler that returns false would cancel the event
    if (target === state.dialog) state.dialog.close();
  };
  state.dialog = el("dialog", { "aria-label": _("Link and QR code"), onclick },
    el("div.sheet", {}, state.code,
      el("div.words", {}, el("h2", {}, _("Link")), state.opens, state.link,
        el("div.row", {}, state.copy, close, state.status), state.notes, lectureForm(state))));
  const ask = el("button.ask", { onclick: () => request(state) }, icon("code"), _("Link and QR code"));
  root.append(ask, state.dialog);
}

/** The form that adds the link as a scene to the lecture. */
function lectureForm(state) {
  const add = () => state.send("add_scene", written(state.fields));
  state.fields = fieldsOf(add);
  state.added = el("span.added", { role: "status" });
  state.form = el("details.mine", {}, el("summary", {}, _("Add this moment to my lecture")),
    ...Object.values(state.fields),
    el("div.row", {}, el("button.outlined", { onclick: add }, _("Add")), state.added));
  return state.form;
}

/** Request a link. Only the browser knows the address of the server and the positions of play head and page. */
function request(state) {
  state.number = performance.now();
  const { origin, pathname, search } = window.location;
  const step = new URLSearchParams(search).get("step") ?? "";
  state.send("request", { at: origin + pathname, step, number: state.number, view: viewAtTop() });
}

function open(state, /** @type {RequestedLink} */ { link, opens, code, notes, scene }) {
  state.number = null; // a later rerun does not open it again
  state.code.replaceChildren(qrCode(code));
  setText(state.opens, opens);
  state.link.value = link;
  setText(state.status, "");
  resizeList(state.notes, notes.length, () => el("p")).forEach((note, i) => setText(note, notes[i]));
  state.form.hidden = !scene;
  if (scene) fill(state.fields, { name: scene.name }, scene.limits, scene.hides);
  state.dialog.showModal();
  state.copy.focus();
}

/** Copy the link. Only a secure context (https, localhost) has the clipboard; any other page can copy a selection. */
async function copy(state) {
  let copied = false;
  try {
    await navigator.clipboard.writeText(state.link.value);
    copied = true;
  } catch {
    state.link.focus();
    state.link.select();
    copied = document.execCommand?.("copy") ?? false;
  }
  setText(state.status, copied ? _("copied") : _("Press Ctrl and C to copy it."));
}
