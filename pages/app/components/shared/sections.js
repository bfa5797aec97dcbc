// The section that the user requested, on the bar of sections or by "back". Streamlit can drop a message while a page
// is being drawn, so the request is sent until the server has answered, or shows that section.

let bars = []; // on the page, the newest last: while one replaces another there are two
let requested = null; // name of a section
let unanswered = 0; // number of messages: a bar that is drawn meanwhile need not send another one

/** A bar was drawn at `root`: the server shows its section `value` of `names`; `choose(name)` sends another one, and
 * resolves to false without an answer. */
export function registerBar(bar) {
  bars = [...bars.filter(({ root }) => root.isConnected && root !== bar.root), bar];
  if (!bar.names.includes(requested)) requested = null;
  if (requested !== null && !unanswered) send();
}

/** Request this section, the first where it is null. False where no bar has it now: one that is drawn later sends. */
export function requestSection(name) {
  const bar = newest();
  requested = name ?? bar?.names[0] ?? null;
  if (!bar?.names.includes(requested)) return false;
  send();
  return true;
}

/** Another page or scene is about to be opened. */
export const cancelRequest = () => { requested = null; };

const newest = () => bars.findLast(({ root }) => root.isConnected);

async function send() {
  const name = requested, bar = newest();
  if (!bar) return; // the next one that is drawn sends it
  unanswered += 1;
  const answered = await bar.choose(name);
  unanswered -= 1;
  if (requested !== name) return;
  if (answered !== false || newest()?.value === name) requested = null;
  else send();
}
