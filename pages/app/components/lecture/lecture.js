// The reader's own scenes: a list that can be reordered, saved as a file and opened from a file.

import { _, lazy_gettext } from "../shared/messages.js";
import { changed, el, rootOf, setText } from "../shared/component.js";
import { icon, iconButton } from "../shared/icons.js";
import { download } from "../shared/save.js";
import { sceneLink } from "../shared/scene_link.js";
import { fieldsOf, fill, written } from "../shared/words.js";

const FILE = "lecture.json", MOST = 2_000_000; // bytes: a larger file is not sent
const NONE_YET = lazy_gettext("Go where you want to stop in your lecture, press “Link and QR code” in the sidebar, and "
  + "add that moment to your lecture. It will stand here.");
const TOO_LARGE = lazy_gettext("This file is too large for a lecture.");

export default function (/** @type {Component<"lecture">} */ { parentElement, data, setTriggerValue }) {
  const [root, state] = rootOf(parentElement, "lecture");
  state.send = setTriggerValue;
  state.data = data;
  state.open ??= (key) => state.send("open_scene", { key, opened: state.data.opened });
  if (!state.list) build(root, state);
  if (changed(state, "scenes", data.scenes)) list(state);
  state.none.hidden = data.scenes.length > 0;
  state.save.disabled = !data.file;
  state.undo.hidden = !data.undo;
  setText(state.status, data.says);
  setText(state.votes, data.votes);
  state.votes.hidden = !data.votes;
}

function build(root, /** @type {State<"lecture">} */ state) {
  state.none = el("p.muted", {}, _(NONE_YET));
  state.list = el("ol", {});
  state.status = el("span.status", { role: "status", dir: "auto" });
  state.votes = el("p.muted");
  state.undo = el("button.outlined", { onclick: () => change(state, "", "undo") },
    icon("undo"), _("Undo"));
  state.save = el("button.outlined", { onclick: () =>
    download(new Blob([state.data.file], { type: "application/json" }), FILE) }, icon("save"), _("Save as a file"));
  const file = el("input", { type: "file", accept: ".json,application/json", hidden: true,
    onchange: () => openFile(state, file) });
  const ask = el("button.outlined", { onclick: () => file.click() }, _("Open a file"));
  root.replaceChildren(el("section", {}, el("h2", {}, _("My lecture")), state.none, state.list,
    state.votes, el("div.row", {}, state.save, ask, file, state.undo, state.status)));
}

const change = (state, key, what) => state.send("change", { key, what });

async function openFile(state, file) {
  const chosen = file.files?.[0];
  if (!chosen) return;
  if (chosen.size > MOST) setText(state.status, _(TOO_LARGE));
  else state.send("open_file", (await chosen.text()).toWellFormed());
  file.value = ""; // so that the same file can be opened again
}

/** Rebuild all rows; the focus stays on the pressed button, or moves to the same button of the row now in its place. */
function list(/** @type {State<"lecture">} */ state) {
  const { scenes } = state.data, { key, place, what } = state.focused ?? {};
  const rows = scenes.map((scene, i) => row(state, scene, i, scenes.length));
  state.list.replaceChildren(...rows);
  state.focused = null;
  const button = rows[scenes.findIndex(({ to }) => to[0] === key)] ?? rows[Math.min(place, rows.length - 1)];
  button?.querySelector(`[data-what="${what}"]:not(:disabled)`)?.focus();
}

function row(state, /** @type {OwnScene} */ { to, page, words }, i, many) {
  const [key, name] = to, { question, minutes } = words;
  const button = (what, picture, says, off = false) => {
    const node = iconButton(picture, _("{words}: {name}", { words: says, name }), () => {
      state.focused = { key, place: i, what };
      if (what === "edit") edit(state, place, key, words);
      else change(state, key, what);
    });
    node.dataset.what = what;
    node.disabled = off;
    return node;
  };
  const about = [page, question, minutes && _("{n} min", { n: minutes })].filter(Boolean).join(" – ");
  const leads = i ? {} : { "data-key": "next" }; // a presenter's clicker opens the first of these scenes
  const link = sceneLink("a", to, state.open, { dir: "auto", ...leads }, name);
  const place = el("span.words", {}, el("span.name", {}, link),
    el("span.small.muted", { dir: "auto" }, about));
  return el("li", { "data-scene": key }, el("span.number.muted", {}, String(i + 1)), place,
    button("edit", "pen", _("Edit")),
    button("up", "up", _("Up"), i === 0), button("down", "down", _("Down"), i === many - 1),
    button("remove", "cross", _("Remove")));
}

/** Replace a row's texts by input fields: Enter and "Done" send the changes, Escape discards them. */
function edit(/** @type {State<"lecture">} */ state, place, key, words) {
  const old = [...place.childNodes];
  const close = () => place.replaceChildren(...old);
  const take = () => {
    const now = written(fields);
    close();
    if (now.name.trim() && Object.keys(words).some((name) => now[name] !== words[name]))
      state.send("edit", { key, ...now });
  };
  const fields = fieldsOf(take);
  fill(fields, words, state.data.limits, state.data.hides);
  for (const field of Object.values(fields))
    field.addEventListener("keydown", (event) => event.key === "Escape" && close());
  const done = el("button.outlined.done", { onclick: take }, _("Done"));
  place.replaceChildren(...Object.values(fields), done);
  fields.name.select();
}
