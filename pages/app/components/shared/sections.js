// Which section of its page the reader wants: one that was chosen on the bar, or that "back" led to. Streamlit can drop
// a message while a page is being drawn, so it is sent until the server has answered, or shows that section.

let bars = []; // on the page, the newest last: while one takes the place of another there are two
let wanted = null;
let sending = 0; // messages without an answer so far: a bar that is drawn meanwhile need not send another one

/** A bar was drawn at `root`: the server shows its section `value` of `names`; `choose(name)` sends another one, and
 * resolves to false without an answer. */
export function offerSections(bar) {
  bars = [...bars.filter(({ root }) => root.isConnected && root !== bar.root), bar];
  if (!bar.names.includes(wanted)) wanted = null;
  if (wanted !== null && !sending) send();
}

/** Ask for this section, the first where it is null. False where no bar offers it now: one that is drawn later asks. */
export function want(name) {
  const bar = newest();
  wanted = name ?? bar?.names[0] ?? null;
  if (!bar?.names.includes(wanted)) return false;
  send();
  return true;
}

/** Another place is about to be opened: no section of this one is wanted any more. */
export const forget = () => { wanted = null; };

const newest = () => bars.findLast(({ root }) => root.isConnected);

async function send() {
  const name = wanted, bar = newest();
  if (!bar) return; // the next one that is drawn sends it
  sending += 1;
  const answered = await bar.choose(name);
  sending -= 1;
  if (wanted !== name) return;
  if (answered !== false || newest()?.value === name) wanted = null;
  else send();
}
