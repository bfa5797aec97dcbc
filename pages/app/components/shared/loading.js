// While a page is loaded, what follows a component that is not drawn yet is hidden (`layout/elements.css`).

const LONGEST = 10000; // ms
const FONTS = ["italic 16px KaTeX_Math", "16px KaTeX_Main"]; // of formulas: without them a component would still grow
const AWAITED = 1000; // ms, at most

const fonts = Promise.race([Promise.allSettled(FONTS.map((font) => document.fonts?.load(font))),
  new Promise((resolve) => { setTimeout(resolve, AWAITED); })]);
let timer = 0;

/** Another page is opened. */
export function beginLoading() {
  const { dataset } = document.documentElement;
  delete dataset.loaded;
  clearTimeout(timer);
  timer = setTimeout(() => { dataset.loaded = ""; }, LONGEST);
}

/** The component in this element is drawn. */
export const setDrawn = (mount) => fonts.then(() => { (mount.getRootNode().host ?? mount).dataset.drawn = ""; });

beginLoading();
