"""A run goes on as long as its tab is connected: nothing else pauses it, and a tab that is back finds it."""

import json
import re
import time
from collections.abc import Callable
from typing import Any
from urllib.request import urlopen

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from pages.ui.address import ELSEWHERE
from pages.ui.presence import CLOSED
from pages.ui.tab import NOT_KEPT
from tests.browser.test_training import PLOT, Training, bring
from tests.browser.waiting import LIMIT, settled, until
from tests.dashboard_server import Server

Ask = Callable[[str], Any]
UPDATES = """window.updates = new Set();
setInterval(() => {
  const name = [...document.querySelectorAll(".readout dl .line dt")].find((name) => name.innerText === "update");
  const said = name?.closest(".line").querySelector("dd").innerText.replace(/\\D/g, "");
  if (said) window.updates.add(Number(said));
}, 5);"""

IMPATIENCE = """const left = Number(sessionStorage.impatience ?? 3);
window.patient = !left;
if (left) {
  sessionStorage.impatience = left - 1;
  setTimeout(() => location.reload(), 100 * left);
}"""  # loads the page again before it has come up, three times


@pytest.fixture(scope="module")
def server(looked_into: Server, ask: Ask) -> Server:
    ask(f"patience?seconds={LIMIT}")
    return looked_into


@pytest.fixture(scope="module")
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


class Visit(Training):
    """A visitor of the Training page, whose run the server tells about."""

    def __init__(self, page: Page, ask: Ask, **settings: object) -> None:
        super().__init__(page, **settings)
        self.ask, self.serial = ask, max(run["serial"] for run in ask("runs"))

    def run(self) -> dict:
        """This visitor's run, as the server has it."""
        return until(self.page, lambda: [run for run in self.ask("runs") if run["serial"] == self.serial], bool)[0]

    def waits_for(self, **known: object) -> dict:
        """Until this is so of the run."""
        return until(self.page, self.run, lambda run: known.items() <= run.items())

    def newest(self) -> int:
        """The number of the newest run that a connected tab has."""
        return max((run["serial"] for run in self.ask("runs") if run["connected"]), default=0)

    def trains(self) -> "Visit":
        """Play, and wait until the curve has some points."""
        self.play()
        self.trained(50)
        return self

    def finds_it(self, least: int) -> None:
        """The page has come up: with this very run, which was at update ``least`` or later from the first picture on."""
        self.page.wait_for_function("window.updates.size > 0")
        assert min(self.page.evaluate("[...window.updates]")) >= least
        until(self.page, self.newest, lambda serial: serial == self.serial)


@pytest.fixture
def one(new_page: Callable[..., Page], ask: Ask) -> Visit:
    """A visitor whose run trains."""
    page = new_page()
    page.add_init_script(UPDATES)
    return Visit(page, ask).trains()


def names(page: Page) -> str | None:
    """What the tab has in its storage."""
    return page.evaluate("sessionStorage.getItem('dashboard tab')")


def opened_with(page: Page, names: str) -> Page:
    """A tab that has these names in its storage before it is here for the first time."""
    page.add_init_script(f"sessionStorage.length || sessionStorage.setItem('dashboard tab', {names!r})")
    return page


def test_a_closed_tab_pauses_its_run(one, new_page, ask):
    stays = Visit(new_page(), ask)
    one.page.close()
    left = until(stays.page, one.run, lambda run: run["state"] == "paused" and not run["connected"])
    assert left["reason"] == CLOSED


def test_a_run_goes_on_by_itself_when_a_cut_connection_is_back(new_page, ask):
    page = new_page()
    wire = Wire(page)
    one = Visit(page, ask).trains()
    wire.cut()
    left = one.waits_for(state="paused", connected=False)
    wire.mend()
    until(page, one.run, lambda run: run["state"] == "training" and run["update"] > left["update"])
    one.trained()
    one.pause()
    wire.cut()
    one.waits_for(connected=False)
    wire.mend()
    rested = one.waits_for(connected=True)["update"]
    settled(page)  # the page has heard of it, too
    page.get_by_role("button", name="one update").click()
    until(page, one.update, lambda update: update == rested + 1)


def test_a_busy_server_pauses_nothing(one):
    one.ask("hold?seconds=3")
    assert one.run()["state"] == "training"
    one.trained()


def test_a_hidden_tab_pauses_nothing(one):
    """Frozen: none of its scripts runs, only its connection is there."""
    life = one.page.context.new_cdp_session(one.page)
    life.send("Page.setWebLifecycleState", {"state": "frozen"})
    update = one.run()["update"]
    deadline = time.monotonic() + LIMIT
    while one.run()["update"] < update + 1000:
        assert time.monotonic() < deadline
    assert one.run()["state"] == "training"
    life.send("Page.setWebLifecycleState", {"state": "active"})
    one.trained()


def test_a_reload_finds_the_run_its_curve_its_ghosts_and_the_own_text(one):
    one.pause()
    bring(one, "an own text, long enough to be learnt. " * 200)
    until(one.page, one.query, lambda query: query.get("corpus") == "own")
    one.trains()
    one.pause()
    one.button("Start over: the same settings, untrained").click()
    until(one.page, lambda: one.traces("earlier run"), lambda ghosts: ghosts == 1)
    one.serial = max(run["serial"] for run in one.ask("runs"))
    one.trains()
    least = one.run()["update"]
    one.page.reload()
    one.finds_it(least)
    one.trained()
    now = one.run()
    assert (now["ghosts"], now["own_text"][:11], now["state"]) == (2, "an own text", "training")
    until(one.page, lambda: one.traces("earlier run"), lambda ghosts: ghosts == 1)
    expect(one.page.locator(".page-notice")).to_have_count(0)


def test_where_a_browser_keeps_no_cookies_the_run_is_found_a_moment_later(one):
    update = one.waits_for(connected=True)["update"]
    one.page.context.clear_cookies()
    one.page.reload()
    until(one.page, one.newest, lambda serial: serial == one.serial)
    until(one.page, one.update, lambda shown: shown > update)
    expect(one.page.locator(".page-notice")).to_have_count(0)


def test_a_page_that_goes_white_is_loaded_again_and_finds_the_run(one):
    """As when Streamlit's tree of the page throws: React takes all of it away."""
    least = one.run()["update"]
    one.page.evaluate("window.updates.clear(); document.getElementById('root').replaceChildren()")
    one.finds_it(least)
    one.trained()


def test_what_the_reader_paused_is_found_paused(one):
    one.pause()
    update = one.waits_for(state="paused")["update"]
    one.page.reload()
    one.finds_it(update)
    assert one.run()["state"] == "paused"
    until(one.page, one.update, lambda shown: shown == update)


def test_back_finds_the_run_again_and_so_does_an_impatient_hand(one):
    update = one.run()["update"]
    one.page.goto("about:blank")
    one.waits_for(state="paused")
    one.page.go_back()
    one.finds_it(update)
    one.page.add_init_script(IMPATIENCE)
    one.page.reload(wait_until="commit")
    one.page.wait_for_function("window.patient")
    one.finds_it(update)
    one.trained()


def test_an_address_edited_by_hand_is_right(one):
    one.page.goto(one.page.url.replace("hidden_size=16", "hidden_size=8"))
    one.plot.and_(one.page.locator("[data-drawn]")).wait_for()
    assert one.query()["hidden_size"] == "8"
    until(one.page, lambda: one.traces("earlier run"), lambda ghosts: ghosts == 1)
    one.trained()


def test_a_copy_of_the_tab_has_a_run_of_its_own(one, ask):
    context = one.page.context
    for page in (context.new_page(), opened_with(context.new_page(), names(one.page))):
        page.goto(one.page.url)
        other = settled(page).locator(PLOT)
        other.and_(page.locator("[data-drawn]")).wait_for()
        newest = max(ask("runs"), key=lambda run: run["serial"])
        assert (newest["update"], newest["connected"]) == (0, True)
        assert newest["serial"] > one.serial
        expect(page.locator(".page-notice")).to_have_count(0)
        page.close()
    one.trained()
    assert one.run()["connected"]


def test_a_guessed_name_leads_to_nothing(one, new_page, ask):
    guesses = opened_with(new_page(), "a" * 43)
    one.page.close()
    until(guesses, one.run, lambda run: not run["connected"])
    other = Visit(guesses, ask)
    assert other.update() == 0
    assert other.serial != one.serial
    expect(other.page.locator(".page-notice")).to_have_text(NOT_KEPT)


def test_a_run_that_is_no_longer_kept_is_told(one):
    one.page.goto("about:blank")
    one.waits_for(connected=False)
    one.ask("forget")
    one.page.go_back()
    expect(one.page.locator(".page-notice")).to_have_text(NOT_KEPT)
    until(one.page, one.update, lambda update: update == 0)
    assert one.query()["hidden_size"] == "16"


def test_while_a_tab_was_cut_off_its_copy_may_go_on_with_the_run(new_page, ask):
    page = new_page()
    wire = Wire(page)
    one = Visit(page, ask).trains()
    name, update = names(page), one.run()["update"]
    wire.cut()
    one.waits_for(connected=False)
    copy = opened_with(page.context.new_page(), name)  # as a copy is: of the same browser, which was here before
    copy.add_init_script(UPDATES)
    copy.goto(page.url)
    copy.wait_for_function("window.updates.size > 0")
    assert min(copy.evaluate("[...window.updates]")) >= update
    wire.mend()
    expect(page.locator(".page-notice")).to_have_text(ELSEWHERE)
    until(page, one.update, lambda update: update == 0)
