"""Waiting in a browser: for a state, never for a fixed time. ``LIMIT`` is only a timeout."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar
from urllib.parse import parse_qsl, urlencode, urlsplit

from playwright.sync_api import Locator, Page, expect

LIMIT = 30.0  # seconds
IDLE = '[data-testid="stApp"][data-test-script-state="notRunning"][data-test-connection-state="CONNECTED"]'
Value = TypeVar("Value")


def javascript(name: str) -> str:
    """The source of the JavaScript file ``name`` in this folder, to be run in the browser."""
    return Path(__file__).with_name(f"{name}.js").read_text(encoding="utf-8")


def visit(page: Page, path: str = "training", **query: object) -> Page:
    """Open a page of the dashboard with these URL parameters, and wait until its script has run."""
    page.goto(f"/{path}" + (f"?{urlencode(query)}" if query else ""))
    return wait_until_idle(page)


def wait_until_idle(page: Page) -> Page:
    """Wait until no script runs and nothing is loading; fail if the page shows an exception.

    After a click the script starts with a delay: wait for the state that the click changes instead.
    """
    page.locator(IDLE).wait_for()
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0)
    shown = page.get_by_test_id("stException").all_inner_texts()
    assert not shown, "the page shows an exception:\n" + "\n".join(shown)
    return page


def query_params(page: Page) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(page.url).query))


def until(page: Page, read: Callable[[], Value], accept: Callable[[Value], object], limit: float = LIMIT) -> Value:
    """Read until ``accept`` is true of the value, and return it; ``AssertionError`` with the last value after ``limit`` s."""
    give_up = time.monotonic() + limit
    while not accept(value := read()):
        assert time.monotonic() < give_up, f"after {limit:g} s still {value!r}"
        page.wait_for_timeout(20)  # ms; lets the browser handle events between two readings
    return value


def same_node(locator: Locator) -> Callable[[], bool]:
    """A function that returns whether ``locator`` still finds the DOM node that it finds now."""
    locator.evaluate("node => { node.seenByTest = true }")
    return lambda: locator.count() == 1 and locator.evaluate("node => node.seenByTest === true")
