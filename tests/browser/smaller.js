// The texts in the selected elements that are drawn smaller than ``least`` px, with their sizes.
([selector, least]) => {
  const size = (node) => {
    const type = parseFloat(getComputedStyle(node).fontSize), line = node.closest("text");
    if (!line) return type * node.getBoundingClientRect().width / node.offsetWidth;
    const [drawn, made] = [line.getBoundingClientRect(), line.getBBox()];
    return type * Math.hypot(drawn.width, drawn.height) / Math.hypot(made.width, made.height);
  };
  const own = (node) => [...node.childNodes].some((part) => part.nodeType === 3 && part.textContent.trim());
  const shown = deep(document).filter((node) => node.matches(selector) && own(node) && node.checkVisibility());
  return shown.filter((node) => size(node) < least).map((node) => [node.textContent, size(node)]);
}
