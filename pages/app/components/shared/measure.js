// The width of texts before they are drawn.

const pen = globalThis.OffscreenCanvas && new OffscreenCanvas(1, 1).getContext("2d");

/** The width in px of a text in this CSS font; undefined if the browser cannot measure. */
export const widthOf = pen && ((text, font) => {
  pen.font = font;
  return pen.measureText(text).width;
});
