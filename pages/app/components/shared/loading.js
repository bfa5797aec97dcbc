// While a page is loading, components that are not drawn yet and all elements after them are hidden. The style sheet
// that hides them (`layout/loading.css`) is disabled once the page is loaded.

const UNDRAWN = "[data-testid^=stBidiComponent]:not([data-drawn])";
const MISSING = `[data-testid=stSkeleton], ${UNDRAWN}`;
const WAITING = `.stMain :is(${MISSING}, .page-progress)`;
const CHECK_AFTER = 3000; // ms without a new drawing until the page is checked: is it loaded?
const GIVE_UP_AFTER = 10000; // ms since the page was opened, after which a check no longer waits for components
// of formulas: if late, heights would change; layout/index_page.py names their files
const FONTS = ["italic 16px KaTeX_Math", "16px KaTeX_Main"];
const AWAITED = 3000; // ms to wait for the fonts, at most
const PATIENCE = 2000; // ms to wait until all is drawn, at most
const HIDDEN = 200; // ms: a page that the browser does not paint, in a tab behind others, then counts as painted

const fonts = Promise.race([Promise.allSettled(FONTS.map((font) => document.fonts?.load(font))),
  new Promise((resolve) => { setTimeout(resolve, AWAITED); })]);
let began = 0, timer = 0, awaiting = () => {};

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
  awaiting();
  checkLater();
});

/** Resolved when the browser has painted all components of the page, after at most `PATIENCE`. */
export async function allPainted() {
  await new Promise((resolve) => {
    awaiting = () => document.querySelector(MISSING) || resolve();
    setTimeout(resolve, PATIENCE);
  });
  await new Promise((resolve) => {
    setTimeout(resolve, HIDDEN);
    requestAnimationFrame(() => setTimeout(resolve));
  });
}

beginLoading();
