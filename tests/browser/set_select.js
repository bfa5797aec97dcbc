(place) => {
  const select = window.pressed;
  select.selectedIndex = place;
  select.dispatchEvent(new Event("input", {bubbles: true}));
  select.dispatchEvent(new Event("change", {bubbles: true}));
}
