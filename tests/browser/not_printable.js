// Elements that are beyond the sheet, cut off, or controls.
() => {
  const wrong = [], sheet = innerWidth;
  const chrome = '.save, .transport, .run_card, [role="toolbar"], input[type="range"], .ask, [data-testid="stSidebar"], '
    + '[data-testid="stButton"] button';
  const name = (node) => `${node.tagName.toLowerCase()}.${node.getAttribute("class") ?? ""}`.slice(0, 60);
  for (const child of deep(document.querySelector('[data-testid="stApp"]'))) {
    const { left, right, width, height } = child.getBoundingClientRect(), style = getComputedStyle(child);
    const there = width > 1 && height > 1 && style.display !== "contents" && style.visibility === "visible";
    if (there && child.matches(chrome)) wrong.push(`${name(child)} is there`);
    if (there && child.matches(".framed, svg, canvas, table, .panel, h1, h2, p") && !child.closest(".veils")) {
      if (right > sheet + 1.5 || left < -1.5) wrong.push(`${name(child)}: ${left.toFixed()} to ${right.toFixed()} of ${sheet}`);
    }
    if (there && /auto|scroll/.test(style.overflowX) && child.scrollWidth > child.clientWidth + 2)
      wrong.push(`${name(child)} is cut: ${child.clientWidth} of ${child.scrollWidth}`);
  }
  return wrong;
}
