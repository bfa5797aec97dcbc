// Search through the shadow roots of the components, and the elements whose keys are no shortcuts.

export const FIELDS = "textarea, select, [contenteditable], input:not([type=range], [type=checkbox], [type=radio])";
export const MODAL = "dialog, [role=dialog]";

/** Whether a key event comes from an input field or a dialog, so that it is no shortcut. */
export const isTyped = (event) =>
  event.composedPath().some((node) => node instanceof Element && node.matches(`${FIELDS}, ${MODAL}`));

/** @returns {HTMLElement[]} all elements that match a selector, also in shadow roots */
export function find(selector, /** @type {Document | ShadowRoot} */ root = document) {
  const within = [...root.querySelectorAll("*")].filter(({ shadowRoot }) => shadowRoot);
  const here = /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(selector));
  return [...here, ...within.flatMap(({ shadowRoot }) => find(selector, shadowRoot))];
}

/** The focused element, also in shadow roots. */
export function focused() {
  let node = document.activeElement;
  while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
  return node instanceof HTMLElement ? node : null;
}
