// Sentences in parts, of which numbers are bold (`Part` in pages/figures/parts/scenes.py).

import { el } from "./component.js";

/** The nodes of a sentence. */
export const sentence = (parts) => parts.map(([text, isNumber]) => (isNumber ? el("strong", {}, text) : text));
