// Every word of a node outside controls, with its position in px.
(root, [x, y, controls]) => {
  const words = [], range = document.createRange(), box = root.getBoundingClientRect();
  const tree = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let part = tree.nextNode(); part; part = tree.nextNode()) {
    const node = part.parentElement, style = getComputedStyle(node);
    const unseen = !node.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    if (unseen || node.closest(controls || "title, style") || /^rgba.* 0\)$/.test(style.color)) continue;
    for (const found of part.data.matchAll(/[^\s\u200b]+/g)) {
      range.setStart(part, found.index);
      range.setEnd(part, found.index + found[0].length);
      const [rect, more] = range.getClientRects();
      if (rect?.width > 1 && !more) words.push([found[0], rect.left - box.left + x, rect.top + rect.height / 2 - box.top + y]);
    }
  }
  return words;
}
