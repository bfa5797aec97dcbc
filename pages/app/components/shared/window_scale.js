// The scale of the page: in a wider window, and more in presentation mode, the whole page is enlarged by a CSS
// transform, which every browser treats alike. A script writes the factor into the CSS variable --scale.

const page = document.documentElement;
const limits = { plain: [1280, 1.25], presented: [693, Infinity] }; // window's width at factor 1; largest factor
let scale = 1;

/** The size of a px of the page in px of the window, in which pointer positions and bounding rectangles are. */
export const windowScale = () => scale;

/** Compute the factor for the width of the window, now and when it changes. */
export function scalePage() {
  const [width, most] = "presenting" in page.dataset ? limits.presented : limits.plain;
  scale = Math.min(Math.max(1, window.innerWidth / width), most);
  page.style.setProperty("--scale", String(scale));
}

/** Use other limits, for a page that was saved as a file. */
export function limitScale(others) {
  Object.assign(limits, others);
  scalePage();
}

window.addEventListener("resize", scalePage);
