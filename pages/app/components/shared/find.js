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

/** A node, and the elements in whose shadows it lies, from the inside out. */
export function hosts(node) {
  const root = node.getRootNode();
  return root.host ? [node, ...hosts(root.host)] : [node];
}

/**
 * What has the focus, in whichever shadow.
 * @returns {HTMLElement | null}
 */
export function focused() {
  let node = document.activeElement;
  while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
  return node instanceof HTMLElement ? node : null;
}
