// The section that the user requested, by a tab or by "back". The bar can be
// replaced before the server has answered: the one that replaces it repeats the request.

let bars = []; // bars of tabs on the page, the newest last; two while one replaces the other
let requested = null; // name of a section
let unanswered = 0; // number of unanswered messages; a bar drawn meanwhile sends no further message

/** Register the tabs at `root`, which show section `open` of `names`. `choose(name)` requests a section; it resolves
 * to false without an answer. */
export function registerTabs(bar) {
  bars = [...bars.filter(({ root }) => root.isConnected && root !== bar.root), bar];
  if (!bar.names.includes(requested)) requested = null;
  if (requested !== null && !unanswered) send();
}

/** Request a section (null: the first one). Return false if no bar has it now; a bar drawn later sends the request. */
export function requestSection(name) {
  const bar = newest();
  requested = name ?? bar?.names[0] ?? null;
  if (!bar?.names.includes(requested)) return false;
  send();
  return true;
}

/** Drop the request, before another page or scene is opened. */
export const cancelRequest = () => { requested = null; };

const newest = () => bars.findLast(({ root }) => root.isConnected);

async function send() {
  const name = requested, bar = newest();
  if (!bar) return; // the next bar sends the request when it is drawn
  unanswered += 1;
  const answered = await bar.choose(name);
  unanswered -= 1;
  if (requested !== name) return;
  if (answered !== false || newest()?.open === name) requested = null;
  else send();
}
