// A quiet button; behind it, over the page, the link to what is open and its QR code.
// data: {handed: {link, opens, code: {size, path}, notes: [text], asked} or null}

import { el, listed, paper, setText } from "../shared/paper.js";
import { svg } from "../shared/drawn.js";
import { icon } from "../shared/icons.js";
import { KEYS } from "../shared/typed.js";

const QUIET = 4; // modules of white round a QR code, as its standard asks for

export default function ({ parentElement, data, setTriggerValue }) {
  const [root, state] = paper(parentElement, "handout");
  state.ask = (asked) => setTriggerValue("ask", asked);
  if (!state.sheet) build(root, state);
  if (data.handed && data.handed.asked === state.asked) open(state, data.handed);
}

function build(root, state) {
  state.path = svg("path");
  state.code = svg("svg", { role: "img", "aria-label": "QR code of the link" }, state.path);
  state.opens = el("p.opens");
  state.link = el("textarea", { readonly: true, rows: 4, "aria-label": "The link", spellcheck: "false", dir: "ltr" });
  state.copy = el("button.filled", { type: "button", onclick: () => copy(state) }, "Copy link");
  state.said = el("span.said", { role: "status" });
  state.notes = el("div.notes");
  const close = el("button.outlined", { type: "button", onclick: () => state.sheet.close() }, "Close");
  state.sheet = el("dialog", { "aria-label": "Link and QR code", onclick: (event) => outside(state, event) },
    el("div.sheet", {}, state.code,
      el("div.words", {}, el("h2", {}, "Link"), state.opens, state.link,
        el("div.row", {}, state.copy, close, state.said), state.notes)));
  for (const type of KEYS) state.sheet.addEventListener(type, (event) => event.stopPropagation());
  const button = el("button.ask", { type: "button", onclick: () => ask(state) }, icon("code"), "Link and QR code");
  root.append(button, state.sheet);
}

/** The server knows what is open, the browser where the server is and where the play head stands. */
function ask(state) {
  state.asked = performance.now();
  const { origin, pathname, search } = window.location;
  state.ask({ at: origin + pathname, step: new URLSearchParams(search).get("step") ?? "", asked: state.asked });
}

function open(state, { link, opens, code: { size, path }, notes }) {
  state.asked = null; // once: what is drawn again later opens nothing
  state.code.setAttribute("viewBox", `${-QUIET} ${-QUIET} ${size + 2 * QUIET} ${size + 2 * QUIET}`);
  state.path.setAttribute("d", path);
  setText(state.opens, opens);
  state.link.value = link;
  setText(state.said, "");
  listed(state.notes, notes.length, () => el("p")).forEach((note, i) => setText(note, notes[i]));
  state.sheet.showModal();
  state.copy.focus();
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
  setText(state.said, copied ? "copied" : "Press Ctrl and C to copy it.");
}

const outside = (state, event) => {
  if (event.target === state.sheet) state.sheet.close(); // its sheet covers all of it
};
