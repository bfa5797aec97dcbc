"""What holds of the layout of every page: text that can be read, enough contrast, and all of it on paper."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.waiting import LIMIT, until

SMALLEST = 12  # px
LEAST_CONTRAST = 4.5  # WCAG 2, level AA
MM = 96 / 25.4  # px
SHEETS = {"portrait": round(190 * MM), "landscape": round(277 * MM)}  # A4 without its margins
READABLE = Path(__file__).with_name("readable.js").read_text()
NEXT_FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
INCOMPLETE = ".framed > .paper:not(.tab, [data-theme])"  # components whose script or style is still on its way
BELOW = "[...node.querySelectorAll('*')].flatMap((one) => [one, ...(one.shadowRoot ? deep(one.shadowRoot) : [])])"
MAY_BE_CUT = ".writing .text"  # the text that the network writes has no end


def evaluate(page: Page, function: str, argument: object = None) -> Any:
    """Call a JavaScript function in the page. ``deep(node)`` in it gives all elements below a node, shadow roots included."""
    return page.evaluate(f"(argument) => {{ const deep = (node) => {BELOW}; return ({function})(argument); }}", argument)


def wait_until_still(page: Page, *may_be_cut: str) -> list[str]:
    """Wait until every component is drawn and no text moves; the problems with its text then."""
    expect(page.locator(INCOMPLETE)).to_have_count(0)

    def reading() -> dict:
        page.evaluate(NEXT_FRAMES)
        return page.evaluate(READABLE, {"cut": [MAY_BE_CUT, *may_be_cut], "smallest": SMALLEST})

    readings = [reading()]

    def still() -> bool:
        readings.append(reading())
        return readings[-1]["places"] == readings[-2]["places"]

    until(page, still, bool)
    return readings[-1]["troubles"]


def lasting(page: Page, problems: Callable[[], list]) -> list:
    """The problems that do not go away by themselves: styles and fonts may still be on their way."""
    give_up = time.monotonic() + LIMIT
    while (found := problems()) and time.monotonic() < give_up:
        page.wait_for_timeout(20)  # ms
    return found


def layout_problems(page: Page, *may_be_cut: str) -> list[str]:
    """Sentences about text that is small, cut (unless in ``may_be_cut``: selectors), covered or beyond the window."""
    return lasting(page, lambda: wait_until_still(page, *may_be_cut))


def at_widths(page: Page, widths: dict[int, float]) -> Iterator[str]:
    """Problems of the layout at each width in CSS px and its zoom."""
    assert widths
    devtools = page.context.new_cdp_session(page)
    for width, zoom in widths.items():
        metrics = {"width": width, "height": int(720 / zoom), "deviceScaleFactor": zoom, "mobile": False}
        devtools.send("Emulation.setDeviceMetricsOverride", metrics)
        yield from (f"{width} px: {problem}" for problem in layout_problems(page))
    devtools.send("Emulation.clearDeviceMetricsOverride")
    devtools.detach()


# Every text whose contrast with what lies below it is less than asked for: its words, the contrast, both colours.
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
  for (const child of deep(document.querySelector('[data-testid="stMain"]'))) {
    const own = [...child.childNodes].some((part) => part.nodeType === 3 && part.textContent.trim());
    const seen = child.checkVisibility({ visibilityProperty: true }) && child.getBoundingClientRect().width > 1;
    if (own && seen && child instanceof HTMLElement && !child.closest(":disabled")) look(child);
  }
  return faint;
}"""


def contrast_problems(page: Page) -> list:
    """Text outside of drawings that does not stand out enough from what lies below it."""
    return lasting(page, lambda: evaluate(page, FAINT, LEAST_CONTRAST))


# What lies beyond the sheet, is cut off, or is a control.
NOT_PRINTABLE = """() => {
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
}"""


def print_problems(page: Page, sheet: str) -> list[str]:
    """Sentences about what cannot be printed on a sheet."""
    before = page.viewport_size
    page.set_viewport_size({"width": SHEETS[sheet], "height": 1000})
    page.emulate_media(media="print")
    found = lasting(page, lambda: evaluate(page, NOT_PRINTABLE))
    page.emulate_media(media="screen")
    page.set_viewport_size(before)
    return [f"{sheet}: {problem}" for problem in found]
