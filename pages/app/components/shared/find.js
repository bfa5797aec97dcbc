// The parts of a page, wherever they lie: the components have shadow roots of their own.

/**
 * All that a selector means, through the shadow roots of the components.
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
