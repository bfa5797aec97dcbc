// Search through the shadow roots of the components.

/**
 * All elements that match a selector, also in shadow roots.
 * @param {string} selector
 * @param {Document | ShadowRoot} root
 * @returns {HTMLElement[]}
 */
export function find(selector, root = document) {
  const within = [...root.querySelectorAll("*")].filter(({ shadowRoot }) => shadowRoot);
  const here = /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(selector));
  return [...here, ...within.flatMap(({ shadowRoot }) => find(selector, shadowRoot))];
}

/** A node and the hosts of the shadow roots around it, from the inside out. */
export function hosts(node) {
  const root = node.getRootNode();
  return root.host ? [node, ...hosts(root.host)] : [node];
}

/**
 * The focused element, also in shadow roots.
 * @returns {HTMLElement | null}
 */
export function focused() {
  let node = document.activeElement;
  while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
  return node instanceof HTMLElement ? node : null;
}
