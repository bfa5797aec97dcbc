// While a page is loading, components that are not drawn yet and all elements after them are hidden. The style sheet
// that hides them (`layout/loading.css`) is disabled once the page is loaded.

const WAITING = ".stMain :is([data-testid=stSkeleton], [data-testid^=stBidiComponent]:not([data-drawn]))";
const QUIET = 3000, LONGEST = 10000; // ms without a new drawing until a page counts as loaded; ms at the latest
const FONTS = ["italic 16px KaTeX_Math", "16px KaTeX_Main"]; // of formulas: loaded later, they would change heights
const AWAITED = 1000; // ms to wait for the fonts, at most

const fonts = Promise.race([Promise.allSettled(FONTS.map((font) => document.fonts?.load(font))),
  new Promise((resolve) => { setTimeout(resolve, AWAITED); })]);
let began = 0, timer = 0;

/** Hide undrawn components: another page is opened. */
export function beginLoading() {
  began = performance.now();
  hideUndrawn(true);
  endSoon();
}

function endSoon() {
  clearTimeout(timer);
  timer = setTimeout(() => {
    if (document.querySelector(WAITING) && performance.now() - began < LONGEST) endSoon();
    else hideUndrawn(false);
  }, QUIET);
}

function hideUndrawn(is) {
  const style = /** @type {HTMLStyleElement | null} */ (document.querySelector("style#loading"));
  if (style?.sheet) style.sheet.disabled = !is;
}

/** Mark the component in this element as drawn, once the fonts are loaded. */
export const setDrawn = (mount) => fonts.then(() => {
  const { dataset } = mount.getRootNode().host ?? mount;
  if (dataset.drawn === "") return;
  dataset.drawn = "";
  endSoon();
});

beginLoading();
