// The room of the hall: it lies over the page while a question is asked. The votes are shown with the truth, and before
// that in the lecturer's window alone.

import { changed, el, onRemoval, rootOf, setText } from "../shared/component.js";
import { hideRoom, showRoom } from "../shared/lecturer_room.js";
import { _, ngettext } from "../shared/messages.js";
import { qrCode } from "../shared/qr_code.js";
import { answersOf, axesOf, handFields, letterOf } from "../shared/room_answers.js";
import { nameOf, stepButtons } from "../shared/room_steps.js";

export default function (/** @type {Component<"room">} */ { parentElement, data, setTriggerValue }) {
  const [root, state] = rootOf(parentElement, "room");
  state.data = data;
  state.go ??= (what) =>
    setTriggerValue("go", { step: state.data.step, number: state.data.number, what });
  state.count ??= (place, many) => setTriggerValue("hands", { place, many });
  if (!state.over) build(root, state);
  state.opener.disabled = !data.can || data.step !== "";
  state.over.dataset.theme = root.dataset.theme;
  const { step, number, by_hand: byHand, kind, question, options, link } = data;
  if (changed(state, "shape", [step, number, byHand, kind, question, options, link])) layOut(state, data);
  update(state, data);
  showRoom(data, state.go, state.count);
  return onRemoval(root, () => {
    hide(state.over);
    hideRoom();
  });
}

function build(root, state) {
  state.opener = el("button.opener", { "data-key": "room", tabindex: -1, "aria-hidden": "true",
    onclick: () => state.go("on") });
  state.over = el("section.wall", { popover: "manual", "aria-label": _("The hall answers") });
  root.replaceChildren(state.opener, state.over);
}

/** Lay out the step: the question, the way in for phones, the options or the votes, and the buttons. */
function layOut(state, /** @type {RoomDrawing} */ data) {
  const { step, kind, options, code, link, by_hand: byHand } = data, told = step === "truth";
  const open = step === "first" || step === "second";
  if (!step) {
    hide(state.over);
    state.over.replaceChildren(); // its buttons have keys
    return;
  }
  const fields = open && byHand ? handFields(data, state.count) : [];
  state.votes = el("div.votes");
  state.status = el("p.status", { role: "status" });
  state.note = el("p.note", { role: "alert" });
  const listed = kind === "choice" || fields.length;
  const item = (option, i) => el("li", {}, letterOf(kind, i), el("span", { dir: "auto" }, option), fields[i] ?? "");
  const list = listed ? el(`ol.options.${kind}`, {}, ...options.map(item)) : el("div.votes", {}, axesOf(data));
  const way = open && code && !byHand
    ? el("div.way", {}, qrCode(code), el("p.address", { dir: "ltr" }, link.replace(/^https?:\/\//, ""))) : null;
  state.over.className = `wall ${step}`;
  state.over.replaceChildren(el("h2", { dir: "auto" }, data.question),
    el("div.body", {}, way, told ? state.votes : list),
    el("footer", {}, el("p.step", {}, nameOf(step)), state.status, state.note, stepButtons(data, state.go, true)));
  show(state.over);
}

function update(state, /** @type {RoomDrawing} */ data) {
  if (!data.step) return;
  const { answered, joined, note } = data;
  const answers = ngettext("{n} answer", "{n} answers", answered, { n: answered });
  const phones = joined ? [ngettext("{n} phone", "{n} phones", joined, { n: joined })] : [];
  setText(state.status, [answers, ...phones].join(" · "));
  setText(state.note, note);
  state.note.hidden = !note;
  if (data.step === "truth" && changed(state, "given", [data.number, data.counts, data.chart, data.histogram]))
    state.votes.replaceChildren(answersOf(data, true));
}

function show(over) {
  if (over.showPopover && !over.matches(":popover-open")) over.showPopover();
}

function hide(over) {
  if (over.hidePopover && over.matches(":popover-open")) over.hidePopover();
}
