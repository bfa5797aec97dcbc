"""What every page of the dashboard must look like, whatever it shows; and how to turn to a section of one."""

import time
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.waiting import asked_of, settled, until

# No test waits for a large one, and none comes to the end of a schedule.
SMALL_NETWORK = {"max_tokens": 20_000, "hidden_size": 32, "batch_size": 8, "num_steps": 16, "cosine_until": 0}
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
READABLE = Path(__file__).with_name("readable.js").read_text()
FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
UNDRAWN = ".framed > .paper:not(.tab, [data-theme])"  # components whose script or style is still on its way
MEANT = {
    "cut": [".writing .text"],  # what the network writes has no end: as much as there is room for
    "over": [],
}


def at_rest(page: Page) -> list[str]:
    """What cannot be read as soon as every component is drawn and no text moves any more."""
    expect(page.locator(UNDRAWN)).to_have_count(0)

    def look() -> dict:
        page.evaluate(FRAMES)
        return page.evaluate(READABLE, MEANT)

    looks = [look()]

    def rests() -> bool:
        looks.append(look())
        return looks[-1]["places"] == looks[-2]["places"]

    until(page, rests, bool)
    return looks[-1]["troubles"]


STAYS = 5.0  # seconds after which trouble does not go by itself


def unreadable(page: Page) -> list[str]:
    """Sentences about text that is cut, covered or beyond the window, and stays so."""
    give_up = time.monotonic() + STAYS
    while (troubles := at_rest(page)) and time.monotonic() < give_up:
        pass
    return troubles


def fits(page: Page) -> None:
    """No text under 12 px, no sideways scroll, as soon as all styles are there."""
    until(page, lambda: page.evaluate(TROUBLE, SMALLEST), lambda seen: not seen["small"] and seen["sideways"] <= 0)


# Every text whose contrast with what lies below it (WCAG 2) is less than asked for: its words, the contrast, both colours.
FAINT = """(least) => {
  const faint = [];
  const rgba = (said) => {
    const c = said.match(/[\\d.]+/g).map(Number), unit = said.startsWith("color(") ? 255 : 1;
    return [unit * c[0], unit * c[1], unit * c[2], c[3] ?? 1];
  };
  const over = (top, below) => [0, 1, 2].map((i) => top[3] * top[i] + (1 - top[3]) * below[i]);
  const light = (colour) => {
    const [r, g, b] = colour.map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (node) => {
    if (!node) return [255, 255, 255];
    const own = rgba(getComputedStyle(node).backgroundColor);
    return own[3] === 1 ? own.slice(0, 3) : over(own, ground(node.parentElement ?? node.getRootNode().host));
  };
  const look = (node) => {
    const ink = rgba(getComputedStyle(node).color), below = ground(node);
    const [high, low] = [light(over(ink, below)), light(below)].sort((a, b) => b - a), contrast = (high + 0.05) / (low + 0.05);
    if (ink[3] && contrast < least) faint.push([node.textContent.slice(0, 40), contrast, ink, below]);
  };
  const walk = (node) => {
    if (node.shadowRoot) walk(node.shadowRoot);
    for (const child of node.children ?? []) {
      const own = [...child.childNodes].some((part) => part.nodeType === 3 && part.textContent.trim());
      const seen = child.checkVisibility({ visibilityProperty: true }) && child.getBoundingClientRect().width > 1;
      if (own && seen && child instanceof HTMLElement && !child.closest(":disabled")) look(child);
      walk(child);
    }
  };
  walk(document.querySelector('[data-testid="stMain"]'));
  return faint;
}"""


def legible(page: Page) -> None:
    """All text that is not part of a drawing stands out from what lies below it, as soon as colours have stopped changing."""
    until(page, lambda: page.evaluate(FAINT, 4.5), lambda seen: not seen)


def open_section(page: Page, section: str) -> Page:
    """Press a section's button, and wait until it is drawn: then the address names it, unless it was open already."""
    button = page.locator(f'.sections [data-value="{section}"]')
    is_open = button.get_attribute("aria-pressed") == "true"
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    until(page, lambda: asked_of(page), lambda asked: is_open or asked.get("section") == section)
    return settled(page)


def turn_to(page: Page, section: str, part: str) -> Page:
    """Press a section's button, and wait until this part of it can be seen."""
    open_section(page, section)
    page.locator(part).last.wait_for()
    return page
