"""Waiting in a browser: for a state, never for a time. ``LIMIT`` only says when to give up."""

import time
from collections.abc import Callable
from typing import TypeVar
from urllib.parse import parse_qsl, urlencode, urlsplit

from playwright.sync_api import Locator, Page, expect

LIMIT = 30.0  # seconds
_RESTING = '[data-testid="stApp"][data-test-script-state="notRunning"][data-test-connection-state="CONNECTED"]'
Value = TypeVar("Value")


def visit(page: Page, path: str = "training", **query: object) -> Page:
    """Open a page of the dashboard with these URL parameters, and wait until its script has run."""
    page.goto(f"/{path}" + (f"?{urlencode(query)}" if query else ""))
    return settled(page)


def settled(page: Page) -> Page:
    """Wait until no script runs and nothing is still loading; fail if the page shows an exception.

    The script starts a moment after a click: there, wait for what the click should change instead.
    """
    page.locator(_RESTING).wait_for()
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0)
    shown = page.get_by_test_id("stException").all_inner_texts()
    assert not shown, "the page shows an exception:\n" + "\n".join(shown)
    return page


def asked_of(page: Page) -> dict[str, str]:
    """What the address of the page holds now."""
    return dict(parse_qsl(urlsplit(page.url).query))


def until(page: Page, read: Callable[[], Value], accept: Callable[[Value], object], limit: float = LIMIT) -> Value:
    """Read until ``accept`` is content, and return what was read; ``AssertionError`` with the last reading after ``limit`` s."""
    give_up = time.monotonic() + limit
    while not accept(value := read()):
        assert time.monotonic() < give_up, f"after {limit:g} s still {value!r}"
        page.wait_for_timeout(20)  # ms; lets the browser's events in between two readings
    return value


def same_node(locator: Locator) -> Callable[[], bool]:
    """A function that says whether ``locator`` still finds the very DOM node that it finds now."""
    locator.evaluate("node => { node.seenByTest = true }")
    return lambda: locator.count() == 1 and locator.evaluate("node => node.seenByTest === true")
