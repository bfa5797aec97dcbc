// The connection to the server, whose state Streamlit writes on the app. While it is lost, a line says so: the
// server pauses the run until the tab is back, and messages wait (channel.js). Streamlit disables its own widgets.

import { el, setText } from "./component.js";
import { _, lazy_gettext } from "./messages.js";

const LOST = lazy_gettext("The connection to the server is lost. The run goes on when it is back.");
const AFTER = 500; // ms until the line is shown: a short interruption needs none
const ANSWERED = 300; // ms after the end of a script, within which components have drawn its answers
const SCRIPT = "data-test-script-state", STATE = "data-test-connection-state", CONNECTED = "CONNECTED";
const LINKS = "[data-testid=stSidebarNav]";
const waiting = new Map(); // promise of the answer to a message -> element of its component
let back = Promise.withResolvers(), idle = Promise.withResolvers();
let lost = false, running = false, timer = 0, line = null;

/** A promise that is resolved while the server is connected. */
export const connected = () => (lost ? back.promise : Promise.resolve());

/** A promise that is resolved when a message without an answer was lost: the server is connected again, or its script
 * has ended, in whose time Streamlit can drop messages. */
export const mayBeLost = () => Promise.race([back.promise, idle.promise]);

/** Count a message of the component at `place` as waiting until `answer` is resolved. */
export function awaitAnswer(place, answer) {
  waiting.set(answer, place);
  show();
  answer.then(() => waiting.delete(answer));
}

function show() {
  if (!line?.isConnected) return;
  const many = [...waiting.values()].filter(({ isConnected }) => isConnected).length;
  setText(line.lastChild, many ? _("Pressed, and done then: {many}.", { many }) : "");
}

function check() {
  const app = document.querySelector(`[${STATE}]`), runs = app?.getAttribute(SCRIPT) === "running";
  const is = (app?.getAttribute(STATE) ?? CONNECTED) !== CONNECTED;
  if (running && !runs) setTimeout(endRun, ANSWERED);
  running = runs;
  if (is === lost) return;
  lost = is;
  clearTimeout(timer);
  for (const links of document.querySelectorAll(LINKS)) links.toggleAttribute("inert", is); // else presses are lost
  line?.remove();
  if (is) timer = setTimeout(() => {
    line = el("p.connection-lost", { role: "alert" }, _(LOST), " ", el("span"));
    document.body.append(line);
    show();
  }, AFTER);
  else {
    back.resolve();
    back = Promise.withResolvers();
  }
}

function endRun() {
  idle.resolve();
  idle = Promise.withResolvers();
}

new MutationObserver(check).observe(document.documentElement, { attributeFilter: [STATE, SCRIPT], subtree: true });
