// The buttons of presentation mode and of the lecturer's window, on every page. Also registers the keyboard shortcuts.

import { _ } from "../shared/messages.js";
import { el, rootOf } from "../shared/component.js";
import { icon } from "../shared/icons.js";
import { letHallAnswer, openLecturerWindow, registerShortcuts } from "../shared/keys.js";
import { setPresenting } from "../shared/presenting.js";

export default function (/** @type {Component<"present">} */ { parentElement }) {
  const [root, state] = rootOf(parentElement, "present");
  registerShortcuts();
  if (state.button) return;
  state.button = el("button.ask", { title: _("Larger type, without this bar; ? lists all keys"),
    "aria-keyshortcuts": "P", onclick: () => setPresenting(true) }, icon("screen"), _("Present"), el("kbd", {}, "P"));
  const beside = el("button.ask", { "aria-label": _("Lecturer’s window"), "aria-keyshortcuts": "W",
    title: _("Lecturer’s window: what to ask and to notice, for a second screen"), onclick: openLecturerWindow },
  icon("beside"), el("kbd", {}, "W"));
  const hall = el("button.ask", { "aria-label": _("Let the hall answer"), "aria-keyshortcuts": "V",
    title: _("Let the hall answer: by phone, or by counted hands"), onclick: letHallAnswer },
  icon("hand"), el("kbd", {}, "V"));
  root.append(el("div.row", {}, state.button, beside, hall));
}
