// The strip of the scene that is open: its question, what to do, what to notice then, and the way to its neighbours.

import { _ } from "../shared/messages.js";
import { begin, standAgain } from "../shared/address.js";
import { changed, el, leaving, paper, setText } from "../shared/paper.js";
import { icon } from "../shared/icons.js";
import { goer, sceneLink } from "../shared/scenes.js";
import { leaveScene, showScene } from "../shared/lecturer.js";
import { asking, inScene } from "../shared/presenting.js";
import { asks, watching } from "../shared/doing.js";

export default function (/** @type {Component<"thread">} */ { parentElement, data, setTriggerValue }) {
  const [root, state] = paper(parentElement, "thread");
  state.send = (key) => setTriggerValue("go", { key, opened: data.opened });
  state.go ??= goer((key) => state.send(key));
  state.did = (key) => setTriggerValue("done", key);
  if (changed(state, "scene", [data.key, data.opened])) {
    build(root, state, data);
    begin(data.view);
    inScene(true);
  }
  show(state, data.done);
  showScene(data);
  state.measured ??= measure(root);
  return leaving(root, () => {
    state.measured.disconnect();
    state.leave();
    state.go.heard();
    inScene(false);
    asks([]);
    asking(null);
    leaveScene(data);
  });
}

/** The strip stays in sight: what is scrolled to stands below it (frame.css). */
function measure(root) {
  const watcher = new ResizeObserver(() => {
    document.documentElement.style.setProperty("--strip", `${root.getBoundingClientRect().height}px`);
    standAgain();
  });
  watcher.observe(root);
  return watcher;
}

function build(
  root, state,
  /** @type {Strip} */
  { key, at, name, question, do: what, notice, watch: [kind, detail], presses, previous, next, all }
) {
  state.leave?.();
  state.go.heard();
  Object.assign(state, { key, done: false });
  const finish = () => {
    show(state, true);
    state.did(key);
  };
  state.tick = el("span.tick", { role: "status" }, icon("check"), el("span.said"));
  state.notice = el("p.notice", { hidden: !notice }, el("b", {}, _("Notice")), " ", notice);
  state.ask = el("button.outlined.ask-notice", { type: "button", hidden: !notice, onclick: () => {
    const is = !state.shown;
    if (is && kind === "shown") finish();
    reveal(state, is);
  } });
  reveal(state, false);
  const to = (one, which, ...children) =>
    sceneLink("a.turn", one, state.go, { "data-key": which, title: one[1] }, ...children);
  root.replaceChildren(el("section.strip.panel", { "aria-label": _("Scene {at}: {name}", { at, name }) },
    el("p.question", { "data-present": "question" }, question),
    el("div.row", {}, el("p.do", { hidden: !what }, el("b", {}, _("Do")), " ", what), state.ask),
    el("nav.ways", { "aria-label": _("Scenes") },
      state.tick, el("span.small.muted", {}, at), sceneLink("a.all", all, state.go, {}, all[1]),
      to(previous, "previous", icon("before")), to(next, "next", el("span.name", {}, next[1]), icon("after"))),
    state.notice));
  state.leave = watching(kind, detail, finish);
  asks(presses);
}

/** Once it is done: a tick, and what there is to notice. */
function show(state, done) {
  if (!done || state.done) return;
  state.done = true;
  state.tick.classList.add("done");
  setText(state.tick.lastChild, _("done"));
  reveal(state, true);
}

/** What there is to notice is shown or hidden in room of its own: nothing below the strip moves. */
function reveal(state, is) {
  state.shown = is;
  asking(is ? null : state.key);
  state.notice.classList.toggle("shown", is);
  state.ask.dataset.key = is ? "notice conceal" : "notice reveal";
  setText(state.ask, is ? _("Hide Notice") : _("What is there to notice?"));
}
