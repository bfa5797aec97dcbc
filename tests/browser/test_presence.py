"""A run goes on as long as its tab is connected: nothing else pauses it, and a tab that is back finds it."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any
from urllib.request import urlopen

import pytest
from playwright.sync_api import Page, WebSocketRoute

from pages.ui.presence import CLOSED
from tests.browser.conftest import Server, free_port, serving
from tests.browser.looking import SMALL_NETWORK
from tests.browser.waiting import LIMIT, until, visit

Ask = Callable[[str], Any]


@pytest.fixture(scope="module")
def window() -> int:
    return free_port()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, window: int) -> Iterator[Server]:
    """The dashboard with a window into its runs."""
    with serving(tmp_path_factory.mktemp("presence"), "tests.browser.inside", str(window)) as server:
        yield server


@pytest.fixture
def ask(window: int) -> Ask:
    """``ask("runs")``: what the server knows."""

    def ask(what: str) -> Any:
        with urlopen(f"http://127.0.0.1:{window}/{what}", timeout=LIMIT) as answer:
            return json.load(answer)

    return ask


class Wire:
    """Between the page and the server; it can be cut and mended."""

    def __init__(self, page: Page) -> None:
        self.whole, self._ends = True, []
        page.route_web_socket(re.compile("_stcore/stream"), self._connect)

    def _connect(self, near: WebSocketRoute) -> None:
        if not self.whole:
            near.close()
            return
        self._ends.append((near, near.connect_to_server()))

    def cut(self) -> None:
        self.whole = False
        for near, far in self._ends:
            far.close()
            near.close()
        self._ends.clear()

    def mend(self) -> None:
        self.whole = True


def update(page: Page) -> int:
    """The update that the chart's readout names."""
    row = page.locator(".readout dl .line").filter(has=page.get_by_text("update", exact=True))
    return int(re.sub(r"\D", "", row.locator("dd").inner_text()) or -1)


def trained(page: Page, more: int = 20) -> int:
    """Wait until the page shows that the run has done so many updates more; the last."""
    goal = update(page) + more
    return until(page, lambda: update(page), lambda now: now >= goal)


def plays(page: Page, **settings: object) -> Page:
    """A visitor whose run trains."""
    visit(page, **SMALL_NETWORK | settings)
    page.get_by_role("button", name="Play: train the network").click()
    trained(page)
    return page


def the(ask: Ask, **known: object) -> dict:
    """The run of which this is known."""
    (found,) = [run for run in ask("runs") if known.items() <= run.items()]
    return found


def test_a_closed_tab_pauses_its_run(new_page, ask):
    other, page = new_page(), plays(new_page())
    serial = the(ask, connected=True)["serial"]
    page.close()
    left = until(other, lambda: the(ask, serial=serial), lambda run: run["state"] == "paused")
    assert left["reason"] == CLOSED


def test_a_run_goes_on_by_itself_when_a_cut_connection_is_back(page, ask):
    wire = Wire(page)
    plays(page)
    serial = the(ask, connected=True)["serial"]
    wire.cut()
    left = until(page, lambda: the(ask, serial=serial), lambda run: run["state"] == "paused")
    assert not left["connected"]
    wire.mend()
    until(page, lambda: the(ask, serial=serial), lambda run: run["state"] == "training" and run["update"] > left["update"])
    trained(page)


def test_a_busy_server_pauses_nothing(page, ask):
    plays(page)
    run = the(ask, connected=True)
    ask("hold?seconds=3")
    assert the(ask, connected=True)["state"] == "training"
    assert the(ask, connected=True)["serial"] == run["serial"]
    trained(page)
