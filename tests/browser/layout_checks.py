"""Checks for the layout of every page: readable text, sufficient contrast, and complete printing."""

import time
from collections.abc import Callable, Iterator
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.waiting import LIMIT, javascript, until

SMALLEST = 12  # px
LEAST_CONTRAST = 4.5  # WCAG 2, level AA
MM = 96 / 25.4  # px
SHEETS = {"portrait": round(190 * MM), "landscape": round(277 * MM)}  # A4 without its margins
READABLE, FAINT, NOT_PRINTABLE = map(javascript, ("readable", "faint", "not_printable"))
NEXT_FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
INCOMPLETE = ".framed > .component:not(.tab, [data-theme])"  # components whose script or style is still loading
BELOW = "[...node.querySelectorAll('*')].flatMap((one) => [one, ...(one.shadowRoot ? deep(one.shadowRoot) : [])])"
MAY_BE_CUT = ".writing .text"  # the text that the network writes is unbounded


def evaluate(page: Page, function: str, argument: object = None) -> Any:
    """Call a JavaScript function in the page. In it, ``deep(node)`` returns all elements below a node, including shadow roots."""
    return page.evaluate(f"(argument) => {{ const deep = (node) => {BELOW}; return ({function})(argument); }}", argument)


def wait_until_still(page: Page, *may_be_cut: str) -> list[str]:
    """Wait until every component is drawn and no text moves; return the problems with its text then."""
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
    """The problems that persist until a timeout: styles and fonts may still be loading."""
    give_up = time.monotonic() + LIMIT
    while (found := problems()) and time.monotonic() < give_up:
        page.wait_for_timeout(20)  # ms
    return found


def layout_problems(page: Page, *may_be_cut: str) -> list[str]:
    """Sentences about text that is small, cut (unless in ``may_be_cut``: selectors), covered or beyond the window."""
    return lasting(page, lambda: wait_until_still(page, *may_be_cut))


def at_widths(page: Page, widths: dict[int, float]) -> Iterator[str]:
    """Problems of the layout at each width (CSS px) with its zoom factor."""
    assert widths
    devtools = page.context.new_cdp_session(page)
    for width, zoom in widths.items():
        metrics = {"width": width, "height": int(720 / zoom), "deviceScaleFactor": zoom, "mobile": False}
        devtools.send("Emulation.setDeviceMetricsOverride", metrics)
        yield from (f"{width} px: {problem}" for problem in layout_problems(page))
    devtools.send("Emulation.clearDeviceMetricsOverride")
    devtools.detach()


def contrast_problems(page: Page) -> list:
    """Text outside of drawings with too little contrast to its background."""
    return lasting(page, lambda: evaluate(page, FAINT, LEAST_CONTRAST))


def print_problems(page: Page, sheet: str) -> list[str]:
    """Sentences about content that cannot be printed on a sheet."""
    before = page.viewport_size
    page.set_viewport_size({"width": SHEETS[sheet], "height": 1000})
    page.emulate_media(media="print")
    found = lasting(page, lambda: evaluate(page, NOT_PRINTABLE))
    page.emulate_media(media="screen")
    page.set_viewport_size(before)
    return [f"{sheet}: {problem}" for problem in found]
