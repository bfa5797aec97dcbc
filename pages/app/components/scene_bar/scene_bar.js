// The bar of the open scene: its question, its instruction (Do), its answer (Notice), the reason for that in steps
// (Why), and links to other scenes.

import { _ } from "../shared/messages.js";
import { openView } from "../shared/target.js";
import { updateHeld } from "../shared/scroll.js";
import { changed, el, onRemoval, rootOf, setText } from "../shared/component.js";
import { icon, iconButton } from "../shared/icons.js";
import { sentence } from "../shared/parts.js";
import { sceneLink } from "../shared/scene_link.js";
import { clearScene, showScene, showStage as showStageThere } from "../shared/lecturer.js";
import { letHallAnswer } from "../shared/keys.js";
import { hideAnswer, setSceneOpen } from "../shared/presenting.js";
import { setClicks, watchAction } from "../shared/scene_actions.js";

const OWN = "own_"; // how the keys of a lecturer's own scenes begin

export default function (/** @type {Component<"scene_bar">} */ { parentElement, data, setTriggerValue }) {
  const [root, state] = rootOf(parentElement, "scene_bar");
  state.send = (key) => setTriggerValue("open_scene", { key, opened: data.opened });
  state.refresh = () => setTriggerValue("notice", null);
  state.open ??= (key) => state.send(key);
  if (changed(state, "scene", [data.key, data.opened])) {
    build(root, state, data, () => setTriggerValue("done", data.key));
    state.views = [data.view, data.why_view || data.view];
    state.viewed = 0;
    openView(data.view);
    setSceneOpen(true);
  }
  showScene(data);
  showNotice(state, data);
  showReasons(state, data);
  showDone(state, data.done);
  setText(state.trains, data.trains);
  state.observer ??= observeHeight(root);
  updateHeld(); // the page was run again: unless the reader has scrolled, the part of the scene stays at the top
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
  const { at, name, question, do: what, watch: [kind, detail], presses, previous, next, all } = data;
  state.stopWatching?.();
  const finish = () => {
    showDone(state, true);
    sendDone();
  };
  state.tick = el("span.tick", { role: "status" }, icon("check"), el("span.said"));
  state.trains = el("span.trains.small", { role: "status" });
  state.noticed = el("span");
  state.notice = el("p.notice", {}, el("b", {}, _("Notice")), " ", state.noticed);
  Object.assign(state, { key: data.key, asks: data.hides || data.key, done: false, stage: 0, reasons: [] });
  const go = (stage) => () => {
    showStage(state, stage(state.stage));
    if (state.stage === 1) state.refresh(); // the numbers of Why as they are now
    if (state.stage && kind === "shown") finish();
  };
  state.toggle = el("button.outlined.ask-notice", { onclick: go((stage) => (stage ? 0 : 1)) });
  state.why = el("button.outlined.ask-notice", { "data-key": "reveal", onclick: go((stage) => stage + 1) });
  state.back = el("button.outlined.ask-notice", { "data-key": "conceal", onclick: go((stage) => stage - 1) },
    _("Back"));
  const to = (scene, which, ...children) =>
    sceneLink("a.turn", scene, state.open, { "data-key": which, title: scene[1] }, ...children);
  state.panel = el("section.panel", { "aria-label": _("Scene {at}: {name}", { at, name }) },
    el("p.question", { "data-present": "question" }, question),
    el("div.row", {}, el("p.do", { hidden: !what }, el("b", {}, _("Do")), " ", what),
      el("span.stages", {}, state.back, state.toggle, state.why)),
    el("nav.ways", { "aria-label": _("Scenes") },
      state.trains, state.tick, el("span.small.muted", {}, at), sceneLink("a.all", all, state.open, {}, all[1]),
      iconButton("hand", _("Let the hall answer"), letHallAnswer, "button.ask-hall"),
      to(previous, "previous", icon("before")), to(next, "next", el("span.name", {}, next[1]), icon("after"))),
    state.notice);
  root.replaceChildren(state.panel);
  state.stopWatching = watchAction(kind, detail, finish);
  setClicks(presses, data.key.startsWith(OWN));
}

/** The answer, with the numbers that it has by now; a scene may have none. */
function showNotice(state, /** @type {SceneBar} */ { notice }) {
  state.notice.hidden = state.toggle.hidden = !notice;
  setText(state.noticed, notice);
}

/** The steps of Why, one line for each, in the place of Notice: sentences in parts, of which numbers are bold. */
function showReasons(state, /** @type {SceneBar} */ { why }) {
  if (!changed(state, "whySteps", [state.key, why])) return;
  state.reasons.forEach((line) => line.remove());
  state.reasons = why.map((parts) => el("p.reason", {}, el("b", {}, _("Why")), " ",
    ...sentence(parts)));
  state.panel.append(...state.reasons);
  showStage(state, Math.min(state.stage, 1 + why.length));
}

function showDone(state, done) {
  if (!done || state.done) return;
  state.done = true;
  hideAnswer(null); // whoever has done what the scene asks sees what comes of it
  state.tick.classList.add("done");
  setText(state.tick.lastChild, _("done"));
}

/** Show the question alone (stage 0), Notice (1) or a step of Why (from 2). The height of the tallest is reserved, so
 * that nothing below the bar moves. */
function showStage(state, stage) {
  const { toggle, why, back, notice, reasons } = state, is = stage > 0;
  state.stage = stage;
  hideAnswer(is || state.done ? null : state.asks);
  [notice, ...reasons].forEach((line, i) => line.classList.toggle("shown", i === stage - 1));
  toggle.dataset.key = ["notice reveal", "notice conceal"][stage] ?? "notice";
  setText(toggle, is ? _("Hide Notice") : _("What is there to notice?"));
  why.hidden = !is || stage > reasons.length;
  setText(why, stage > 1 ? _("Why: go on") : _("Why?"));
  back.hidden = stage < 2;
  showStageThere(stage, reasons.length);
  const viewed = Number(stage > 1); // while Why is shown, the part of the page that shows the reason
  if (state.views[1] !== state.views[0] && viewed !== state.viewed) openView(state.views[viewed]);
  state.viewed = viewed;
}
