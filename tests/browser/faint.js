// Every text with less contrast to its background than `least`: its text, the contrast, both colours.
(least) => {
  const faint = [];
  const rgba = (said) => {
    const c = said.match(/[\d.]+/g).map(Number), unit = said.startsWith("color(") ? 255 : 1;
    return [unit * c[0], unit * c[1], unit * c[2], c[3] ?? 1];
  };
  const over = (top, below) => [0, 1, 2].map((i) => top[3] * top[i] + (1 - top[3]) * below[i]);
  const light = (colour) => {
    const [r, g, b] = colour.map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (node) => {
    if (!node) return [255, 255, 255];
    const own = rgba(getComputedStyle(node).backgroundColor);
    return own[3] === 1 ? own.slice(0, 3) : over(own, ground(node.parentElement ?? node.getRootNode().host));
  };
  const look = (node) => {
    const ink = rgba(getComputedStyle(node).color), below = ground(node);
    const [high, low] = [light(over(ink, below)), light(below)].sort((a, b) => b - a), contrast = (high + 0.05) / (low + 0.05);
    if (ink[3] && contrast < least) faint.push([node.textContent.slice(0, 40), contrast, ink, below]);
  };
  for (const child of deep(document.querySelector('[data-testid="stMain"]'))) {
    const own = [...child.childNodes].some((part) => part.nodeType === 3 && part.textContent.trim());
    const seen = child.checkVisibility({ visibilityProperty: true }) && child.getBoundingClientRect().width > 1;
    if (own && seen && child instanceof HTMLElement && !child.closest(":disabled")) look(child);
  }
  return faint;
}
