// The slide after the last scene: a line for each scene, and a link to the dashboard with its QR code.

import { changed, el, rootOf } from "../shared/component.js";
import { icon } from "../shared/icons.js";
import { qrCode } from "../shared/qr_code.js";
import { scrollToTop } from "../shared/scroll.js";
import { sentence } from "../shared/parts.js";
import { sceneLink } from "../shared/scene_link.js";

export default function (/** @type {Component<"closing_slide">} */ { parentElement, data, setTriggerValue }) {
  const [root, state] = rootOf(parentElement, "closing_slide");
  state.send = (key) => setTriggerValue("open_scene", { key, opened: data.opened });
  state.open ??= (key) => state.send(key);
  if (changed(state, "shape", data)) build(root, state, data);
  if (changed(state, "opened", data.opened)) scrollToTop(); // the browser has kept the position of the last scene
}

function build(root, state, /** @type {Data<"closing_slide">} */ { words, lines, at_home, link, code, previous }) {
  const list = el("ol.lines", {}, ...lines.map((parts) => el("li", {}, ...sentence(parts))));
  list.style.setProperty("--lines", lines.length);
  root.replaceChildren(el("section.sheet", { "aria-label": words },
    el("div.recap", {}, el("h2", {}, words), list,
      sceneLink("a.previous", previous, state.open, { "data-key": "previous" }, icon("before"), previous[1])),
    code && el("div.at-home", {}, qrCode(code), el("p", {}, at_home), el("a.link", { href: link, dir: "ltr" }, link))));
}
