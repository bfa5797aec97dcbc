// The number of save buttons that are covered by another element, or that overlap their picture.
buttons => buttons.filter((button) => {
  button.scrollIntoView({ block: "center", behavior: "instant" });
  const { left, right, top, bottom } = button.getBoundingClientRect();
  const at = (root) => {
    const found = root.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return found?.shadowRoot && found.shadowRoot !== root ? at(found.shadowRoot) : found;
  };
  const picture = button.parentElement.previousElementSibling;
  return !button.contains(at(document)) || bottom > picture.getBoundingClientRect().top + 1;
}).length
