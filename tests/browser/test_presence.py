"""A run and the connection of its tab: a closed or offline tab pauses it, nothing else does, and a reload finds it."""

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
from tests.browser.training_page import PLOT, START_OVER, Training
from tests.browser.waiting import LIMIT, until, wait_until_idle
from tests.dashboard_server import Server

Ask = Callable[[str], Any]
TAB = "dashboard tab"  # the key in the session storage
# Every update that the page shows, from its first picture on.
RECORD_UPDATES = """window.updates = new Set();
setInterval(() => {
  const name = [...document.querySelectorAll(".readout dl .line dt")].find((name) => name.innerText === "update");
  const said = name?.closest(".line").querySelector("dd").innerText.replace(/\\D/g, "");
  if (said) window.updates.add(Number(said));
}, 5);"""
# Loads the page again before it has come up, three times.
RELOAD_EARLY = """const left = Number(sessionStorage.reloads ?? 3);
window.loaded = !left;
if (left) {
  sessionStorage.reloads = left - 1;
  setTimeout(() => location.reload(), 100 * left);
}"""


@pytest.fixture(scope="module")
def ask(introspection_port: int, server: Server) -> Ask:
    """``ask("runs")``: what the server answers."""

    def ask(what: str) -> Any:
        with urlopen(f"http://127.0.0.1:{introspection_port}/{what}", timeout=LIMIT) as answer:
            return json.load(answer)

    ask(f"patience?seconds={LIMIT}")
    return ask


class Connection:
    """Between a page and the server; it can be cut and restored."""

    def __init__(self, page: Page) -> None:
        self.is_up, self._ends = True, []
        page.route_web_socket(re.compile("_stcore/stream"), self._connect)

    def _connect(self, near: WebSocketRoute) -> None:
        if not self.is_up:
            near.close()
            return
        self._ends.append((near, near.connect_to_server()))

    def cut(self) -> None:
        self.is_up = False
        for near, far in self._ends:
            far.close()
            near.close()
        self._ends.clear()

    def restore(self) -> None:
        self.is_up = True


class TrainingTab(Training):
    """The Training page in a tab, and its run as the server has it."""

    def __init__(self, page: Page, ask: Ask) -> None:
        super().__init__(page)
        self.ask, self.serial = ask, max(run["serial"] for run in ask("runs"))

    def run(self) -> dict:
        return until(self.page, lambda: [run for run in self.ask("runs") if run["serial"] == self.serial], bool)[0]

    def wait_for(self, **state: object) -> dict:
        """Wait until this is so of the run."""
        return until(self.page, self.run, lambda run: state.items() <= run.items())

    def start(self) -> "TrainingTab":
        """Play, and wait until the curve has some points."""
        self.play()
        self.wait_for_updates(50)
        return self

    def expect_found(self, least: int) -> None:
        """The page has come up with this very run, at update ``least`` or later from the first picture on."""
        self.page.wait_for_function("window.updates.size > 0")
        assert min(self.page.evaluate("[...window.updates]")) >= least

        def newest() -> int:
            return max((run["serial"] for run in self.ask("runs") if run["connected"]), default=0)

        until(self.page, newest, lambda serial: serial == self.serial)
        expect(self.page.locator(".page-notice")).to_have_count(0)


@pytest.fixture
def tab(new_page: Callable[..., Page], ask: Ask) -> TrainingTab:
    """A tab whose run trains."""
    page = new_page()
    page.add_init_script(RECORD_UPDATES)
    return TrainingTab(page, ask).start()


def with_storage(page: Page, names: str) -> Page:
    """A tab that has these names in its storage before its first visit."""
    page.add_init_script(f"sessionStorage.length || sessionStorage.setItem({TAB!r}, {names!r})")
    return page


def test_a_closed_tab_pauses_its_run_and_no_other_one(tab: TrainingTab, new_page: Callable[..., Page], ask: Ask):
    other = TrainingTab(new_page(), ask).start()
    tab.page.close()
    run = until(other.page, tab.run, lambda run: run["state"] == "paused" and not run["connected"])
    assert run["reason"] == CLOSED
    other.wait_for_updates()


def test_a_run_goes_on_when_its_connection_is_restored_unless_paused_by_hand(new_page: Callable[..., Page], ask: Ask):
    page = new_page()
    connection = Connection(page)
    tab = TrainingTab(page, ask).start()
    connection.cut()
    left = tab.wait_for(state="paused", connected=False)
    connection.restore()
    until(page, tab.run, lambda run: run["state"] == "training" and run["update"] > left["update"])
    tab.wait_for_updates()
    tab.pause()
    connection.cut()
    tab.wait_for(connected=False)
    connection.restore()
    update = tab.wait_for(connected=True)["update"]
    wait_until_idle(page)
    page.get_by_role("button", name="one update").click()
    tab.wait_for_update(update + 1)


def test_neither_a_busy_server_nor_a_frozen_tab_pauses_a_run(tab: TrainingTab):
    tab.ask("hold?seconds=3")
    assert tab.run()["state"] == "training"
    tab.wait_for_updates()
    devtools = tab.page.context.new_cdp_session(tab.page)
    devtools.send("Page.setWebLifecycleState", {"state": "frozen"})  # no script runs; the connection stays
    update, give_up = tab.run()["update"], time.monotonic() + LIMIT
    while tab.run()["update"] < update + 1000:
        assert time.monotonic() < give_up
    assert tab.run()["state"] == "training"
    devtools.send("Page.setWebLifecycleState", {"state": "active"})
    tab.wait_for_updates()


def test_a_reload_finds_the_run_its_settings_curves_and_own_text(tab: TrainingTab):
    tab.pause()
    tab.train_on("an own text, long enough to be learnt. " * 200)
    until(tab.page, tab.query, lambda query: query.get("corpus") == "own")
    tab.start()
    tab.pause()
    tab.button(START_OVER).click()
    tab.wait_for_traces("earlier run", 1)
    tab.rate_slider().press("ArrowLeft")
    until(tab.page, tab.query, lambda query: "learning_rate" in query)
    tab.serial, rate = max(run["serial"] for run in tab.ask("runs")), tab.rate()
    tab.start()
    update = tab.run()["update"]
    tab.page.reload()
    tab.expect_found(update)
    tab.wait_for_updates()
    run = tab.run()
    assert (run["ghosts"], run["own_text"][:11], run["state"]) == (2, "an own text", "training")
    assert tab.rate() == rate
    tab.wait_for_traces("earlier run", 1)
    tab.pause()
    update = tab.wait_for(state="paused")["update"]
    tab.page.reload()
    tab.expect_found(update)
    assert tab.run()["state"] == "paused"
    tab.wait_for_update(update)


def test_the_run_is_found_without_cookies_after_a_blank_page_back_and_early_reloads(tab: TrainingTab):
    update = tab.wait_for(connected=True)["update"]
    tab.page.context.clear_cookies()
    tab.page.reload()  # the server asks the browser for the tab's name: until then there may be another run
    until(tab.page, tab.update, lambda shown: shown > update)
    update = tab.run()["update"]
    tab.page.evaluate("window.updates.clear(); document.getElementById('root').replaceChildren()")  # as React does on an error
    tab.expect_found(update)
    update = tab.run()["update"]
    tab.page.goto("about:blank")
    tab.wait_for(state="paused")
    tab.page.go_back()
    tab.expect_found(update)
    tab.page.add_init_script(RELOAD_EARLY)
    tab.page.reload(wait_until="commit")
    tab.page.wait_for_function("window.loaded")
    tab.expect_found(update)
    tab.wait_for_updates()


def test_a_duplicated_tab_and_a_guessed_name_have_runs_of_their_own(tab: TrainingTab, new_page: Callable[..., Page], ask: Ask):
    context, names = tab.page.context, tab.page.evaluate(f"sessionStorage.getItem({TAB!r})")
    for page in (context.new_page(), with_storage(context.new_page(), names)):
        page.goto(tab.page.url)
        wait_until_idle(page).locator(f"{PLOT}[data-drawn]").wait_for()
        newest = max(ask("runs"), key=lambda run: run["serial"])
        assert (newest["update"], newest["connected"]) == (0, True)
        assert newest["serial"] > tab.serial
        expect(page.locator(".page-notice")).to_have_count(0)
        page.close()
    tab.wait_for_updates()
    assert tab.run()["connected"]
    guess = with_storage(new_page(), "a" * 43)
    tab.page.close()
    until(guess, tab.run, lambda run: not run["connected"])
    other = TrainingTab(guess, ask)
    assert other.update() == 0
    assert other.serial != tab.serial
    expect(guess.locator(".page-notice")).to_have_text(NOT_KEPT)


def test_a_copy_goes_on_with_the_run_of_an_offline_tab_which_is_told(new_page: Callable[..., Page], ask: Ask):
    page = new_page()
    connection = Connection(page)
    tab = TrainingTab(page, ask).start()
    names, update = page.evaluate(f"sessionStorage.getItem({TAB!r})"), tab.run()["update"]
    connection.cut()
    tab.wait_for(connected=False)
    copy = with_storage(page.context.new_page(), names)
    copy.add_init_script(RECORD_UPDATES)
    copy.goto(page.url)
    copy.wait_for_function("window.updates.size > 0")
    assert min(copy.evaluate("[...window.updates]")) >= update
    connection.restore()
    expect(page.locator(".page-notice")).to_have_text(ELSEWHERE)
    tab.wait_for_update(0)
