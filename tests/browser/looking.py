"""What every page of the dashboard must look like, whatever it shows; and how to turn to a section of one."""

from playwright.sync_api import Page, expect

from tests.browser.waiting import until

SMALL_NETWORK = {"max_tokens": 20_000, "hidden_size": 32, "batch_size": 8, "num_steps": 16}  # no test waits for a large one
SMALLEST = 12  # px
TROUBLE = """(smallest) => {
  const small = [], walk = (node) => {
    if (node.shadowRoot) walk(node.shadowRoot);
    for (const child of node.children ?? []) {
      walk(child);
      const own = [...child.childNodes].some((part) => part.nodeType === 3 && part.textContent.trim());
      const box = child.getBoundingClientRect(), style = getComputedStyle(child);
      const seen = own && box.width > 1 && style.visibility !== "hidden";
      if (seen && parseFloat(style.fontSize) < smallest) small.push(child.textContent.slice(0, 40));
    }
  };
  const main = document.querySelector('[data-testid="stMain"]');
  walk(main);
  return { small, sideways: main.scrollWidth - main.clientWidth };
}"""


def fits(page: Page) -> None:
    """No text under 12 px, no sideways scroll, as soon as all styles are there."""
    until(page, lambda: page.evaluate(TROUBLE, SMALLEST), lambda seen: not seen["small"] and seen["sideways"] <= 0)


def turn_to(page: Page, section: str, part: str) -> Page:
    """Press a section's button, and wait until this part of it can be seen."""
    button = page.locator(f'.sections [data-value="{section}"]')
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    page.locator(part).last.wait_for()
    return page
