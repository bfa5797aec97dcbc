// Choose a pressable element of a kind, scroll it into view, and return its box.
([kind, share]) => {
  const found = {page: [], section: [], button: [], range: [], choice: [], field: [], drawing: []};
  const kindOf = (node) => {
    if (node.closest('[data-testid="stSidebarNav"]')) return node.matches("a") ? "page" : null;
    if (node.closest('[data-testid="stSidebarHeader"], [data-testid="stToolbar"], [data-testid="stFileUploader"]')) return null;
    if (node.matches(".tabs .segment")) return "section";
    if (node.matches('input[type="range"]')) return "range";
    if (node.matches('select, [role="combobox"]')) return "choice";
    if (node.matches('input, textarea, [contenteditable="true"]')) return "field";
    if (node.matches("button, [role=button], [role=slider], summary")) return "button";
    return node.matches("svg, canvas") && node.clientWidth > 150 ? "drawing" : null;
  };
  for (const child of deep(document.body)) {
    const box = child.getBoundingClientRect();
    if (!box.width || !box.height || getComputedStyle(child).visibility === "hidden" || child.disabled) continue;
    const its = kindOf(child);
    if (its) found[its].push(child);
  }
  const chosen = found[kind][Math.floor(share * found[kind].length)];
  if (!chosen) return null;
  chosen.scrollIntoView({block: "center", behavior: "instant"});
  const box = chosen.getBoundingClientRect();
  window.pressed = chosen;
  window.reached = false; // the page may draw another element there before the click arrives
  chosen.addEventListener("click", () => { window.reached = true; }, {once: true, capture: true});
  const isReached = chosen.contains(chosen.getRootNode().elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
  return {x: box.x, y: box.y, width: box.width, height: box.height, of: chosen.matches("select") ? chosen.options.length : 0,
          section: kind === "section" && isReached ? chosen.dataset.value : "",
          first: chosen.parentElement?.firstElementChild.dataset?.value ?? "",
          says: chosen.getAttribute("aria-label") ?? (chosen.value ?? chosen.textContent).slice(0, 40)};
}
