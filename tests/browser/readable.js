// A function expression. Its argument is {cut: [selector], smallest: px}; it returns `troubles`, sentences about text
// that is small, cut off, over other text or outside the window, and `places`, the positions of all text.
({ cut: mayBeCut, smallest }) => {
  const main = document.querySelector('[data-testid="stMain"]'), troubles = [], boxes = [];
  const clips = new Map(); // how and where each element clips its content

  const clipOf = (node) => {
    if (clips.has(node)) return clips.get(node);
    const style = getComputedStyle(node), box = node.getBoundingClientRect();
    const paint = /paint|strict|content/.test(style.contain);
    const way = (overflow) => (paint && overflow === "visible" ? "hidden" : overflow);
    const clip = { x: way(style.overflowX), y: way(style.overflowY), box };
    clips.set(node, clip.x === "visible" && clip.y === "visible" ? null : clip);
    return clips.get(node);
  };
  const above = (node) => node.parentElement ?? node.getRootNode().host ?? null;
  const matches = (node, selectors) => {
    for (let at = node; at; at = above(at)) if (selectors.some((selector) => at.matches(selector))) return true;
    return false;
  };
  const name = (node) => {
    const names = [];
    for (let at = node; at && names.length < 3; at = above(at))
      names.unshift(at.tagName.toLowerCase() + [...at.classList].slice(0, 2).map((one) => `.${one}`).join(""));
    return names.join(" ");
  };

  /** The visible part of a box after clipping by all ancestors; null when it is scrolled out of view. */
  const seen = (node, text, { left, top, right, bottom }) => {
    for (let at = node; at && at !== main; at = above(at)) {
      const clip = clipOf(at);
      if (!clip) continue;
      const { x, y, box } = clip, high = bottom - top;
      const hides = { x: /hidden|clip/.test(x), y: /hidden|clip/.test(y) };
      const lost = [hides.x && Math.max(box.left - left, right - box.right) > 1.5,
        hides.y && Math.max(box.top - top, bottom - box.bottom) > 0.3 * high];
      if ((lost[0] || lost[1]) && box.width > 1.5 && !matches(node, mayBeCut))
        troubles.push(`cut: "${text}" (${name(node)}) by ${name(at)}`);
      if (x !== "visible") [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
      if (y !== "visible") [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
      if (right - left < 1 || bottom - top < 1) return null;
    }
    const edge = main.getBoundingClientRect();
    if (left < edge.left - 1 || right > edge.left + main.clientWidth * edge.width / main.offsetWidth + 1)
      troubles.push(`beyond the window: "${text}" (${name(node)})`);
    return { left, top, right, bottom };
  };

  const range = document.createRange();
  const read = (part, node) => {
    const text = part.textContent.trim();
    if (!text || !/[^\u200b]/u.test(text)) return;
    const style = getComputedStyle(node);
    if (style.visibility !== "visible" || style.fontSize === "0px") return;
    range.selectNodeContents(part);
    for (const rect of range.getClientRects()) {
      if (rect.width < 1 || rect.height < 1) continue;
      const box = seen(node, text.slice(0, 40), rect);
      if (!box) continue;
      if (parseFloat(style.fontSize) < smallest) troubles.push(`small: "${text.slice(0, 40)}" (${name(node)})`);
      const upright = rect.height > 1.5 * rect.width && text.length > 2;
      const [dx, dy] = upright ? [0.25 * rect.width, 0.5] : [0.5, 0.25 * rect.height];
      boxes.push({ part, node, text: text.slice(0, 40), left: box.left + dx, right: box.right - dx, top: box.top + dy,
        bottom: box.bottom - dy });
    }
  };
  /** Adds the box of the value in an input field. */
  const pen = document.createElement("canvas").getContext("2d");
  const readField = (node) => {
    const style = getComputedStyle(node), box = node.getBoundingClientRect(), scale = box.width / node.offsetWidth;
    pen.font = style.font;
    const wide = pen.measureText(node.value).width * scale, pads = [style.paddingLeft, style.paddingRight];
    const [left, right] = pads.map((pad) => (parseFloat(pad) + 1) * scale);
    const atEnd = /right|end/.test(style.textAlign);
    if (node.scrollWidth > node.clientWidth + 1 && !matches(node, mayBeCut))
      troubles.push(`cut: "${node.value}" (${name(node)}) by its field`);
    const from = atEnd ? Math.max(box.left + left, box.right - right - wide) : box.left + left;
    const to = Math.min(from + wide, box.right - right);
    boxes.push({ part: node, node, text: node.value.slice(0, 40), left: from, right: to,
      top: box.top + 0.3 * box.height, bottom: box.bottom - 0.3 * box.height });
  };
  const walk = (node) => {
    if (node.nodeType === 1) {
      const style = getComputedStyle(node);
      if (!node.checkVisibility() && style.display !== "contents") return; // not rendered, e.g. in a closed expander
      if (Number(style.opacity) < 0.05 || style.clipPath !== "none") return;
    }
    if (node.matches?.('input:is([type="text"], [type="number"])') && node.value) readField(node);
    if (node.shadowRoot) walk(node.shadowRoot);
    for (const child of node.childNodes) {
      if (child.nodeType === 3) read(child, node instanceof ShadowRoot ? node.host : node);
      else if (child.nodeType === 1) walk(child);
    }
  };
  walk(main);

  boxes.sort((a, b) => a.top - b.top);
  boxes.forEach((a, i) => {
    for (let j = i + 1; j < boxes.length && boxes[j].top < a.bottom - 1; j++) {
      const b = boxes[j], wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const high = Math.min(a.bottom, b.bottom) - b.top;
      if (a.part === b.part || wide < 1 || high < 1) continue;
      troubles.push(`over each other: "${a.text}" (${name(a.node)}) and "${b.text}" (${name(b.node)})`);
    }
  });
  const sideways = main.scrollWidth - main.clientWidth;
  if (sideways > 0) troubles.push(`the page scrolls sideways by ${sideways} px`);
  const places = boxes.map(({ text, left, top }) => `${text}@${Math.round(left)},${Math.round(top)}`).join("\n");
  return { troubles: [...new Set(troubles)], places };
}
