// A button that opens a dialog: the link to what is open, its QR code, and a form that adds it to the reader's lecture.

import { _ } from "../shared/messages.js";
import { viewAtTop } from "../shared/scroll.js";
import { el, elements, listed, paper, setText } from "../shared/paper.js";
import { svg } from "../shared/drawn.js";
import { icon } from "../shared/icons.js";
import { KEYS } from "../shared/typed.js";
import { fieldsOf, written } from "../shared/words.js";

const QUIET = 4; // modules of white round a QR code, as its standard asks for

export default function (/** @type {Component<"handout">} */ { parentElement, data, setTriggerValue }) {
  const [root, state] = paper(parentElement, "handout");
  state.ask = (asked) => setTriggerValue("ask", asked);
  state.keep = (words) => setTriggerValue("keep", words);
  if (!state.sheet) build(root, state);
  if (data.handed && data.handed.asked === state.asked) open(state, data.handed);
  if (data.handed?.moment) setText(state.kept, data.handed.moment.says);
}

function build(root, state) {
  state.path = svg("path");
  state.code = svg("svg", { role: "img", "aria-label": _("QR code of the link") }, state.path);
  Object.assign(state, elements({ opens: "p.opens", notes: "div.notes" }));
  state.link = el("textarea",
    { readonly: true, rows: 4, "aria-label": _("The link"), spellcheck: "false", dir: "ltr" });
  state.copy = el("button.filled", { type: "button", onclick: () => copy(state) }, _("Copy link"));
  state.said = el("span.said", { role: "status" });
  const close = el("button.outlined", { type: "button", onclick: () => state.sheet.close() }, _("Close"));
  const onclick = ({ target }) => { // beside its content; a handler that returns false would cancel the event
    if (target === state.sheet) state.sheet.close();
  };
  state.sheet = el("dialog", { "aria-label": _("Link and QR code"), onclick },
    el("div.sheet", {}, state.code,
      el("div.words", {}, el("h2", {}, _("Link")), state.opens, state.link,
        el("div.row", {}, state.copy, close, state.said), state.notes, mine(state))));
  for (const type of KEYS) state.sheet.addEventListener(type, (event) => event.stopPropagation());
  const button = el("button.ask", { type: "button", onclick: () => ask(state) }, icon("code"), _("Link and QR code"));
  root.append(button, state.sheet);
}

/** The form that adds it to the lecture. */
function mine(state) {
  const add = () => state.keep(written(state.fields));
  state.fields = fieldsOf(add);
  state.kept = el("span.kept", { role: "status" });
  state.mine = el("details.mine", {}, el("summary", {}, _("Add this moment to my lecture")),
    ...Object.values(state.fields),
    el("div.row", {}, el("button.outlined", { type: "button", onclick: add }, _("Add")), state.kept));
  return state.mine;
}

/** The server knows what is open, the browser where the server is and where the play head stands. */
function ask(state) {
  state.asked = performance.now();
  const { origin, pathname, search } = window.location;
  const step = new URLSearchParams(search).get("step") ?? "";
  state.ask({ at: origin + pathname, step, asked: state.asked, view: viewAtTop() });
}

function open(state, /** @type {Handed} */ { link, opens, code: { size, path }, notes, moment }) {
  state.asked = null; // once: what is drawn again later opens nothing
  state.code.setAttribute("viewBox", `${-QUIET} ${-QUIET} ${size + 2 * QUIET} ${size + 2 * QUIET}`);
  state.path.setAttribute("d", path);
  setText(state.opens, opens);
  state.link.value = link;
  setText(state.said, "");
  listed(state.notes, notes.length, () => el("p")).forEach((note, i) => setText(note, notes[i]));
  offer(state, moment);
  state.sheet.showModal();
  state.copy.focus();
}

function offer(state, /** @type {OfferedMoment} */ moment) {
  state.mine.hidden = !moment;
  for (const [name, field] of Object.entries(state.fields)) {
    field.value = name === "name" ? moment?.name ?? "" : "";
    field.maxLength = moment?.limits[name] ?? 0;
  }
}

/** Only a page that is served securely, or to its own machine, has the clipboard; any other can copy a selection. */
async function copy(state) {
  let copied = false;
  try {
    await navigator.clipboard.writeText(state.link.value);
    copied = true;
  } catch {
    state.link.focus();
    state.link.select();
    copied = document.execCommand?.("copy") ?? false;
  }
  setText(state.said, copied ? _("copied") : _("Press Ctrl and C to copy it."));
}
