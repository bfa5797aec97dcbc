// All scenes, as cards grouped by chapter.

import { _ } from "../shared/messages.js";
import { changed, el, rootOf } from "../shared/component.js";
import { icon } from "../shared/icons.js";
import { sceneLink } from "../shared/scene_link.js";

export default function (/** @type {Component<"scenes">} */ { parentElement, data, setTriggerValue }) {
  const [root, state] = rootOf(parentElement, "scenes");
  state.send = (key) => setTriggerValue("open_scene", { key, opened: data.opened });
  state.open ??= (key) => state.send(key);
  if (changed(state, "shape", data)) build(root, state, data);
}

function build(root, state, /** @type {Data<"scenes">} */ data) {
  const begin = sceneLink("a.begin", data.begin, state.open, data.by_key ? { "data-key": "next" } : {},
    el("span", {}, data.words, " ", el("b", {}, data.begin[1])), icon("after"));
  root.replaceChildren(begin, ...data.chapters.map((chapter) => el("section", {},
    el("h2", {}, chapter.name), el("div.row", {}, ...chapter.scenes.map((scene) => card(state, scene))))));
}

const card = (state, /** @type {Card} */ { to, number, question, done }) =>
  sceneLink("a.card", to, state.open, {},
    el("span.head", {}, el("span.number.muted", {}, number), el("b", {}, to[1]),
      done ? el("span.tick", { title: _("done") }, icon("check")) : null),
    el("span.question", {}, question));
