// While a page is loading, components that are not drawn yet and all elements after them are hidden. The style sheet
// that hides them (`layout/loading.css`) is disabled once the page is loaded.

const UNDRAWN = "[data-testid^=stBidiComponent]:not([data-drawn])";
const MISSING = `[data-testid=stSkeleton], ${UNDRAWN}`;
const UNFINISHED = `${MISSING}, [data-test-script-state=running]`;
const WAITING = `.stMain :is(${MISSING}, .page-progress)`;
const CHECK_AFTER = 3000; // ms without a new drawing until the page is checked: is it loaded?
const GIVE_UP_AFTER = 10000; // ms since the page was opened, after which a check no longer waits for components
// of formulas: if late, heights would change; layout/index_page.py names their files
const FONTS = ["italic 16px KaTeX_Math", "16px KaTeX_Main"];
const AWAITED = 3000; // ms to wait for the fonts, at most
const PATIENCE = 2000; // ms to wait until all is drawn
const HIDDEN = 200; // ms, after which a tab behind others, which the browser does not paint, counts as painted

const fonts = Promise.race([Promise.allSettled(FONTS.map((font) => document.fonts?.load(font))),
  new Promise((resolve) => { setTimeout(resolve, AWAITED); })]);
let began = 0, timer = 0;

/** Hide undrawn components: another page is opened. */
export function beginLoading() {
  began = performance.now();
  hideUndrawn(true);
  checkLater();
}

function checkLater() {
  clearTimeout(timer);
  timer = setTimeout(() => {
    if (document.querySelector(WAITING) && performance.now() - began < GIVE_UP_AFTER) checkLater();
    else hideUndrawn(false);
  }, CHECK_AFTER);
}

function hideUndrawn(hide) {
  const style = /** @type {HTMLStyleElement | null} */ (document.querySelector("style#loading"));
  if (style?.sheet) style.sheet.disabled = !hide;
}

/** Mark the component in this element (or shadow root) as drawn once the fonts are loaded; check the page later. */
export const setDrawn = (mount) => fonts.then(() => {
  const { dataset } = mount.getRootNode().host ?? mount;
  if (dataset.drawn === "") return;
  dataset.drawn = "";
  checkLater();
});

/** Resolved when the browser has painted all that the page's script sends and all its components, or soon after the
 * time `latest`. */
export async function allPainted(latest = performance.now() + PATIENCE) {
  const ready = !document.querySelector(UNFINISHED) || performance.now() > latest;
  await painted();
  if (!ready) await allPainted(latest);
}

/** Resolved when the browser has painted; after a while also if it does not paint. */
const painted = () => new Promise((resolve) => {
  setTimeout(resolve, document.hidden ? HIDDEN : PATIENCE);
  requestAnimationFrame(() => setTimeout(resolve));
});

beginLoading();
