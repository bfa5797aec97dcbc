"""A first visit to Training: until its heading, its chart, and the answer to a press; what is fetched; and the next page.

Of two working copies, the visits are made in turns, so that a busy machine is unfair to neither.
"""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, CDPSession, Page

from benchmarks.browser import LIMIT, PAUSE, PLAY, TIMES, print_row, serve
from tests.browser.chromium import VIEWPORT

SLOW = {"offline": False, "latency": 40, "downloadThroughput": 10e6 / 8, "uploadThroughput": 10e6 / 8}  # ms, bytes a second
MARKS = {"heading, s": "1.5", "picture, s": "2", "a press is answered, s": "", "requests": "", "kB": "", "next page, s": "0.5"}


class Visit(NamedTuple):
    """Seconds since the page was asked for; what was fetched by then; and seconds from a press to the next page."""

    heading: float
    picture: float
    answered: float
    requests: int
    kilobytes: float
    next_page: float


def first_visits(browser: Browser, roots: Sequence[Path]) -> None:
    """Print them for the dashboards in these folders, with the network as it is and slowed."""
    for slowed in (False, True):
        visits: dict[Path, list[Visit]] = {root: [] for root in roots}
        for turn in range(TIMES):
            for root in roots if turn % 2 else reversed(roots):
                with serve(root=root) as (url, _):
                    visits[root].append(_visit(browser, url, slowed))
        print("first visit, at 10 Mbit/s and 40 ms" if slowed else "first visit")
        for number, (what, mark) in enumerate(MARKS.items()):
            for root in roots:
                where = f" ({root.name})" if len(roots) > 1 else ""
                print_row(f"    {what}{where}", [visit[number] for visit in visits[root]], mark)


def _visit(browser: Browser, url: str, slowed: bool) -> Visit:
    """In a fresh browser context, on a server that nobody has visited."""
    page = browser.new_context(viewport=VIEWPORT).new_page()
    page.set_default_timeout(1000 * LIMIT)
    network = page.context.new_cdp_session(page)
    sizes = _count(network, slowed)
    began = time.perf_counter()
    page.goto(f"{url}/training", wait_until="commit")
    page.get_by_role("heading", name="Training", exact=True).wait_for()
    heading = time.perf_counter() - began
    page.locator(".run_view .live_figure .plot[data-drawn]").wait_for()
    picture = time.perf_counter() - began
    page.get_by_role("button", name=PLAY).click()
    page.get_by_role("button", name=PAUSE).wait_for()
    answered = time.perf_counter() - began
    requests, kilobytes = len(sizes), sum(sizes) / 1000
    page.get_by_role("button", name=PAUSE).click()
    page.get_by_role("button", name=PLAY).wait_for()
    following = _next_page(page)
    page.context.close()
    return Visit(heading, picture, answered, requests, kilobytes, following)


def _count(network: CDPSession, slowed: bool) -> list[int]:
    """Bytes of each answer, as they come."""
    sizes: list[int] = []
    network.send("Network.enable")
    network.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    if slowed:
        network.send("Network.emulateNetworkConditions", SLOW)
    return sizes


def _next_page(page: Page) -> float:
    began = time.perf_counter()
    page.get_by_role("link", name="Unrolled").click()
    page.locator(".network .column").first.wait_for()
    return time.perf_counter() - began
