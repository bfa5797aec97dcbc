// The room of the hall in the lecturer's window: the same steps, the votes before the hall sees them, the
// misunderstanding behind each wrong answer, and what to do next.

import { _ } from "./messages.js";
import { el } from "./component.js";
import { answersOf, handFields, letterOf } from "./room_answers.js";
import { nameOf, stepButtons } from "./room_steps.js";

let room = null; // the data of the room while a question is asked, and its functions
let drawn = "";

/** Show the room of this component; `go(what)` and `count(place, many)` act on it. */
export function showRoom(/** @type {RoomDrawing} */ data, go, count) {
  room = data.step ? { data, go, count } : null;
}

/** Stop showing the room. */
export function hideRoom() {
  room = null;
}

/** Draw the room into this section of the lecturer's window, if it has changed; `anew`: the section is empty. */
export function drawRoom(section, anew) {
  const now = room ? JSON.stringify(room.data) : "";
  if (!anew && now === drawn) return;
  const at = section.ownerDocument.activeElement;
  if (room && at?.localName === "input" && section.contains(at)) return; // it is drawn when the field is left
  drawn = now;
  section.hidden = !room;
  section.replaceChildren(...(room ? parts(room) : []));
}

function parts({ data, go, count }) {
  const open = data.step === "first" || data.step === "second";
  const item = (words, i) => words && el("li", {}, letterOf(data.kind, i), words);
  const wrong = data.misunderstandings.map(item).filter(Boolean);
  const believes = wrong.length ? [el("h2", {}, _("Who answers so believes")), el("ul", {}, ...wrong)] : [];
  return [el("h2", {}, _("The hall"), " · ", nameOf(data.step)),
    el("p.advice", { role: "status" }, data.advice),
    stepButtons(data, go, false), ...(open && data.by_hand ? [fields(data, count)] : []),
    answersOf(data, true), ...believes, door(data, go)];
}

function fields(/** @type {RoomDrawing} */ data, count) {
  const named = (field, i) => [letterOf(data.kind, i) || data.options[i], field];
  return el("p.hands", {}, ...handFields(data, count).flatMap(named));
}

/** What to do against uninvited phones. */
function door(/** @type {RoomDrawing} */ { shut, link }, go) {
  if (!link) return "";
  return el("p.door", {}, el("span.link", { dir: "ltr" }, link), " ",
    el("button", { onclick: () => go("code") }, _("Another code")), " ",
    el("button", { onclick: () => go(shut ? "open" : "shut") }, shut ? _("Open the door") : _("Close the door")));
}
