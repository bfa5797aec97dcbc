// Functions of tests/browser/test_engines.py: elements below a node, in shadow roots too, by selector.
const all = (node) => [...node.querySelectorAll("*")].flatMap((one) => [one, ...(one.shadowRoot ? all(one.shadowRoot) : [])]);
const find = (selector) => all(document).filter((one) => one.matches(selector) && one.getBoundingClientRect().width > 0);
/** Whether the page and its components are drawn. */
const settled = () => document.querySelector('[data-testid="stApp"]')?.dataset.testScriptState === "notRunning"
  && !document.querySelector('[data-testid="stSkeleton"]') && Boolean(document.querySelector(".stMain h1"))
  && all(document).every((one) => !one.matches(".framed > .component:not(.tab, [data-theme])"));
/** What is broken: errors, and drawings that are neither in the window nor in a part that scrolls to them. */
const problems = () => {
  const wrong = find('[data-testid="stException"], .component.error').map((one) => one.textContent);
  for (const term of find(".explained"))
    if (getComputedStyle(term).textDecorationLine !== "underline") wrong.push(`not underlined: ${term.textContent}`);
  const app = document.querySelector('[data-testid="stMain"]') ?? document.querySelector("main");
  if (app.scrollWidth > app.clientWidth + 1) wrong.push(`scrolls sideways: ${app.clientWidth} of ${app.scrollWidth}`);
  for (const drawing of find(".framed :is(svg:not(.icon, svg svg), canvas, table)")) {
    let frame = drawing.parentElement, { left, right } = drawing.getBoundingClientRect();
    while (!frame.matches(".framed") && !/auto|scroll/.test(getComputedStyle(frame).overflowX)) frame = frame.parentElement;
    const box = frame.getBoundingClientRect(), scale = box.width / frame.offsetWidth;
    [left, right] = [left, right].map((x) => x + frame.scrollLeft * scale);
    if (left < box.left - 2 || right > box.left + frame.scrollWidth * scale + 2)
      wrong.push(`${frame.className}, ${box.left} to ${box.right}: ${drawing.getAttribute("class")} ${left} to ${right}`);
  }
  return [...wrong, ...(window.errors ?? [])];
};
const centre = (selector, which = 0) => {
  const node = find(selector).at(which);
  node.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
  const { left, top, width, height } = node.getBoundingClientRect();
  return [left + width / 2, top + height / 2, width];
};
