// The bar of the open scene: its question, its instruction (Do), its answer (Notice), and links to other scenes.

import { _ } from "../shared/messages.js";
import { openView } from "../shared/target.js";
import { updateHeld } from "../shared/scroll.js";
import { changed, el, onRemoval, rootOf, setText } from "../shared/component.js";
import { icon, iconButton } from "../shared/icons.js";
import { sceneLink } from "../shared/scene_link.js";
import { clearScene, showScene } from "../shared/lecturer.js";
import { letHallAnswer } from "../shared/keys.js";
import { hideAnswer, setSceneOpen } from "../shared/presenting.js";
import { setClicks, watchAction } from "../shared/scene_actions.js";

const REVEALS = "[data-key~=reveal]";
const GRACE = 600; // ms in which Page Down does not go on to the next scene, after a scene has shown Notice by itself

export default function (/** @type {Component<"scene_bar">} */ { parentElement, data, setTriggerValue }) {
  const [root, state] = rootOf(parentElement, "scene_bar");
  state.send = (key) => setTriggerValue("open_scene", { key, opened: data.opened });
  state.open ??= (key) => state.send(key);
  if (changed(state, "scene", [data.key, data.opened])) {
    build(root, state, data, () => setTriggerValue("done", data.key));
    openView(data.view);
    setSceneOpen(true);
  }
  showDone(state, data.done);
  showScene(data);
  state.observer ??= observeHeight(root);
  return onRemoval(root, () => {
    state.observer.disconnect();
    state.stopWatching();
    setSceneOpen(false);
    setClicks([]);
    hideAnswer(null);
    clearScene(data);
  });
}

/** Write the height of the sticky bar into a CSS variable, for the scroll padding below it (scene.css). */
function observeHeight(root) {
  const observer = new ResizeObserver(() => {
    document.documentElement.style.setProperty("--scene-bar", `${root.offsetHeight}px`);
    updateHeld();
  });
  observer.observe(root);
  return observer;
}

function build(root, state, /** @type {SceneBar} */ data, sendDone) {
  const { key, at, name, question, do: what, notice, watch: [kind, detail], presses, previous, next, all } = data;
  state.stopWatching?.();
  Object.assign(state, { key, done: false });
  const finish = () => {
    showDone(state, true);
    sendDone();
  };
  state.tick = el("span.tick", { role: "status" }, icon("check"), el("span.said"));
  state.notice = el("p.notice", { hidden: !notice }, el("b", {}, _("Notice")), " ", notice);
  state.toggle = el("button.outlined.ask-notice", { hidden: !notice, onclick: () => {
    const is = state.toggle.matches(REVEALS);
    showNotice(state, is);
    if (is && kind === "shown") finish();
  } });
  showNotice(state, false);
  const to = (scene, which, ...children) =>
    sceneLink("a.turn", scene, state.open, { "data-key": which, title: scene[1] }, ...children);
  root.replaceChildren(el("section.panel", { "aria-label": _("Scene {at}: {name}", { at, name }) },
    el("p.question", { "data-present": "question" }, question),
    el("div.row", {}, el("p.do", { hidden: !what }, el("b", {}, _("Do")), " ", what), state.toggle),
    el("nav.ways", { "aria-label": _("Scenes") },
      state.tick, el("span.small.muted", {}, at), sceneLink("a.all", all, state.open, {}, all[1]),
      iconButton("hand", _("Let the hall answer"), letHallAnswer, "button.ask-hall"),
      to(previous, "previous", icon("before")), to(next, "next", el("span.name", {}, next[1]), icon("after"))),
    state.notice));
  state.stopWatching = watchAction(kind, detail, finish);
  setClicks(presses);
}

/** After the action, show a tick and Notice. For GRACE ms, Page Down still means "show Notice", not "next scene". */
function showDone(state, done) {
  if (!done || state.done) return;
  state.done = true;
  state.tick.classList.add("done");
  setText(state.tick.lastChild, _("done"));
  if (state.shown) return;
  showNotice(state, true);
  setKeys(state, false);
  setTimeout(() => setKeys(state, state.shown), GRACE);
}

/** Show or hide Notice. Its height is reserved, so that nothing below the bar moves. */
function showNotice(state, is) {
  state.shown = is;
  hideAnswer(is ? null : state.key);
  state.notice.classList.toggle("shown", is);
  setKeys(state, is);
  setText(state.toggle, is ? _("Hide Notice") : _("What is there to notice?"));
}

/** Set the keys that press the toggle: those that hide Notice if it is `shown`, else those that show it. */
function setKeys({ toggle }, shown) {
  toggle.dataset.key = shown ? "notice conceal" : "notice reveal";
}
