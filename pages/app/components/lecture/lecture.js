// The reader's own scenes: a list that is put in order, saved as a file and opened from one.

import { _, lazy_gettext } from "../shared/messages.js";
import { changed, el, leaving, paper, setText } from "../shared/paper.js";
import { icon, iconButton } from "../shared/icons.js";
import { download } from "../shared/save.js";
import { goer, sceneLink } from "../shared/scenes.js";
import { line } from "../shared/typed.js";

const FILE = "lecture.json", MOST = 2_000_000; // bytes: more is not even sent
const NONE_YET = lazy_gettext("Go where you want to stop in your lecture, press “Link and QR code” in the sidebar, and "
  + "add that moment to your lecture. It will stand here.");
const TOO_LARGE = lazy_gettext("This file is too large for a lecture.");

export default function (/** @type {Component<"lecture">} */ { parentElement, data, setTriggerValue }) {
  const [root, state] = paper(parentElement, "lecture");
  state.send = setTriggerValue;
  state.data = data;
  state.go ??= goer((key) => state.send("go", { key, opened: state.data.opened }));
  if (!state.list) build(root, state);
  if (changed(state, "opened", data.opened)) state.go.heard();
  if (changed(state, "scenes", data.scenes)) list(state);
  state.none.hidden = data.scenes.length > 0;
  state.save.disabled = !data.file;
  state.undo.hidden = !data.undo;
  setText(state.said, data.says);
  return leaving(root, () => state.go.heard());
}

function build(root, /** @type {State<"lecture">} */ state) {
  state.none = el("p.muted", {}, _(NONE_YET));
  state.list = el("ol", {});
  state.said = el("span.said", { role: "status", dir: "auto" });
  state.undo = el("button.outlined", { type: "button", onclick: () => change(state, "", "undo") },
    icon("undo"), _("Undo"));
  state.save = el("button.outlined", { type: "button", onclick: () =>
    download(new Blob([state.data.file], { type: "application/json" }), FILE) }, icon("save"), _("Save as a file"));
  const file = el("input", { type: "file", accept: ".json,application/json", hidden: true,
    onchange: () => open(state, file) });
  const ask = el("button.outlined", { type: "button", onclick: () => file.click() }, _("Open a file"));
  root.replaceChildren(el("section", {}, el("h2", {}, _("My lecture")), state.none, state.list,
    el("div.row", {}, state.save, ask, file, state.undo, state.said)));
}

const change = (state, key, what, name = "") => state.send("change", { key, what, name });

async function open(state, file) {
  const chosen = file.files?.[0];
  if (!chosen) return;
  if (chosen.size > MOST) setText(state.said, _(TOO_LARGE));
  else state.send("open", (await chosen.text()).toWellFormed());
  file.value = ""; // the same file can be opened again
}

/** All rows anew; the focus stays on the button that was pressed, or on that of the row that is in its place now. */
function list(/** @type {State<"lecture">} */ state) {
  const { scenes } = state.data, { key, place, what } = state.held ?? {};
  const rows = scenes.map((scene, i) => row(state, scene, i, scenes.length));
  state.list.replaceChildren(...rows);
  state.held = null;
  const held = rows[scenes.findIndex(({ to }) => to[0] === key)] ?? rows[Math.min(place, rows.length - 1)];
  held?.querySelector(`[data-what="${what}"]:not(:disabled)`)?.focus();
}

function row(state, /** @type {OwnScene} */ { to, page, question }, i, many) {
  const [key, name] = to;
  const button = (what, picture, words, off = false) => {
    const node = iconButton(picture, _("{words}: {name}", { words, name }), () => {
      state.held = { key, place: i, what };
      if (what === "rename") rename(state, title, key, name);
      else change(state, key, what);
    });
    node.dataset.what = what;
    node.disabled = off;
    return node;
  };
  const title = el("span.name", {}, sceneLink("a", to, state.go, { dir: "auto" }, name));
  return el("li", { "data-scene": key }, el("span.number.muted", {}, String(i + 1)),
    el("span.words", {}, title,
      el("span.small.muted", { dir: "auto" }, question ? `${page} – ${question}` : page)),
    button("rename", "pen", _("Rename")),
    button("up", "up", _("Up"), i === 0), button("down", "down", _("Down"), i === many - 1),
    button("remove", "cross", _("Remove")));
}

/** A field in place of the name: Enter takes it, Escape leaves it as it was. */
function rename(/** @type {State<"lecture">} */ state, place, key, name) {
  const old = [...place.childNodes];
  let open = true;
  const close = (is) => {
    if (!open) return;
    open = false;
    place.replaceChildren(...old);
    if (is.trim() && is !== name) change(state, key, "rename", is.toWellFormed());
  };
  const field = line("rename", { label: _("Name of the scene"), onenter: () => close(field.value) });
  field.maxLength = state.data.longest;
  field.value = name;
  field.onblur = () => close(field.value);
  field.addEventListener("keydown", (event) => event.key === "Escape" && close(name));
  place.replaceChildren(field);
  field.select();
}
