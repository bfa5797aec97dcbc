// The slide after the last scene: a link to the dashboard, with its QR code.

import { changed, el, rootOf } from "../shared/component.js";
import { icon } from "../shared/icons.js";
import { qrCode } from "../shared/qr_code.js";
import { scrollToTop } from "../shared/scroll.js";
import { sceneLink } from "../shared/scene_link.js";

export default function (/** @type {Component<"closing_slide">} */ { parentElement, data, setTriggerValue }) {
  const [root, state] = rootOf(parentElement, "closing_slide");
  state.send = (key) => setTriggerValue("open_scene", { key, opened: data.opened });
  state.open ??= (key) => state.send(key);
  if (changed(state, "shape", data)) build(root, state, data);
  if (changed(state, "opened", data.opened)) scrollToTop(); // the browser has kept the position of the last scene
}

function build(root, state, /** @type {Data<"closing_slide">} */ { words, link, code, note, previous }) {
  root.replaceChildren(el("section.sheet", { "aria-label": words }, code && qrCode(code),
    el("div.words", {}, el("h2", {}, words), code && el("a.link", { href: link, dir: "ltr" }, link),
      el("p.note", { hidden: !note }, note),
      sceneLink("a.previous", previous, state.open, { "data-key": "previous" }, icon("before"), previous[1]))));
}
