// While a page is loaded, what follows a component that is not drawn yet is hidden. The style sheet that does it
// (`layout/loading.css`) is disabled once the page is loaded.

const WAITING = ".stMain :is([data-testid=stSkeleton], [data-testid^=stBidiComponent]:not([data-drawn]))";
const QUIET = 3000, LONGEST = 10000; // ms: a page is loaded when so long nothing new was drawn; and at the latest
const FONTS = ["italic 16px KaTeX_Math", "16px KaTeX_Main"]; // of formulas: without them a component would still grow
const AWAITED = 1000; // ms, at most

const fonts = Promise.race([Promise.allSettled(FONTS.map((font) => document.fonts?.load(font))),
  new Promise((resolve) => { setTimeout(resolve, AWAITED); })]);
let began = 0, timer = 0;

/** Another page is opened. */
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

/** The component in this element is drawn. */
export const setDrawn = (mount) => fonts.then(() => {
  const { dataset } = mount.getRootNode().host ?? mount;
  if (dataset.drawn === "") return;
  dataset.drawn = "";
  endSoon();
});

beginLoading();
