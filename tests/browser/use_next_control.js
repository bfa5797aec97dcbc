// Use the next control of the open section that was not used before: press it, or choose another value. `used` are the
// names of those that were. Returns the name of the control, or null without another one.
(used) => {
  const other = ".tabs .segment, .scene_bar *, .save *, [hidden] *, [inert] *, :disabled";
  for (const node of deep(document.querySelector("[data-testid=stMain]"))) {
    const component = node.closest(".component")?.classList[1];
    if (!component || !node.matches("button, select, input[type=range]") || node.matches(other)) continue;
    const name = [component, node.localName, node.ariaLabel ?? node.title, node.textContent].join(" ");
    if (used.includes(name) || !node.getBoundingClientRect().width) continue;
    if (node.matches("button")) node.click();
    else {
      if (node.matches("select")) node.selectedIndex = (node.selectedIndex + 1) % node.options.length;
      else node.value = node.value === node.max ? node.min : node.max;
      for (const type of ["input", "change"]) node.dispatchEvent(new Event(type, { bubbles: true }));
    }
    return name;
  }
  return null;
}
