"""A run and its tab's connection: a closed or offline tab pauses the run, nothing else does, and a reload finds it; a copy of the
tab, or a tab with a guessed name, gets a new run.
"""

import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from pages.app.connection.connections import CLOSED
from pages.app.connection.tab_identity import NOT_KEPT
from pages.app.navigation.url_state import ELSEWHERE
from tests.browser.training_page import PAUSE, PLAY, PLOT
from tests.browser.training_tab import RECORD_UPDATES, Ask, Connection, TrainingTab
from tests.browser.waiting import LIMIT, javascript, until, wait_until_idle


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


def test_a_lost_connection_is_visible_and_what_is_pressed_meanwhile_is_done_once(new_page: Callable[..., Page], ask: Ask):
    page = new_page()
    connection = Connection(page)
    tab = TrainingTab(page, ask).start()
    tab.pause()
    update = tab.wait_for(state="paused")["update"]
    connection.cut()
    line = page.locator(".connection-lost")
    expect(line).to_be_visible(timeout=2000)  # ms
    page.get_by_role("button", name="one update").click()
    expect(line).to_contain_text("done then: 1")
    page.get_by_role("button", name="one update").click()
    expect(line).to_contain_text("done then: 2")
    connection.restore()
    expect(line).to_have_count(0)
    tab.wait_for_update(update + 2)
    wait_until_idle(page)
    assert tab.run()["update"] == update + 2


def test_a_press_that_was_handled_but_not_acknowledged_before_a_cut_is_done_once(new_page: Callable[..., Page], ask: Ask):
    page = new_page()
    connection = Connection(page)
    tab = TrainingTab(page, ask).start()
    tab.pause()
    update = tab.wait_for(state="paused")["update"]
    connection.mute()
    page.get_by_role("button", name="one update").click()
    tab.wait_for(update=update + 1)
    connection.cut()
    expect(page.locator(".connection-lost")).to_be_visible()
    connection.restore()
    expect(page.locator(".connection-lost")).to_have_count(0)
    tab.wait_for_update(update + 1)
    page.get_by_role("button", name="one update").click()  # sent after the answer to the one before
    tab.wait_for_update(update + 2)
    assert tab.run()["update"] == update + 2


def test_what_is_pressed_when_the_connection_is_back_comes_last(new_page: Callable[..., Page], ask: Ask):
    page = new_page()
    connection = Connection(page)
    tab = TrainingTab(page, ask).start()
    connection.cut()
    line = page.locator(".connection-lost")
    expect(line).to_be_visible()
    tab.button(PAUSE).click()
    tab.wait_for(state="paused")  # as the tab has gone
    connection.restore()
    tab.button(PLAY).click()
    expect(line).to_have_count(0)
    tab.wait_for_updates(20)
    assert tab.run()["state"] in ("training", "waiting")


def test_neither_a_busy_server_nor_a_frozen_tab_pauses_a_run(tab: TrainingTab):
    tab.ask("hold?seconds=3")
    assert tab.run()["state"] == "training"
    tab.wait_for_updates()
    devtools = tab.page.context.new_cdp_session(tab.page)
    devtools.send("Page.setWebLifecycleState", {"state": "frozen"})  # no script runs; the connection stays open
    update, give_up = tab.run()["update"], time.monotonic() + LIMIT
    while tab.run()["update"] < update + 1000:
        assert time.monotonic() < give_up
    assert tab.run()["state"] == "training"
    devtools.send("Page.setWebLifecycleState", {"state": "active"})
    tab.wait_for_updates()


def test_a_reload_finds_the_run_and_its_settings(tab: TrainingTab):
    tab.rate_slider().press("ArrowLeft")
    until(tab.page, tab.query, lambda query: "learning_rate" in query)
    update, rate = tab.run()["update"], tab.rate()
    tab.page.reload()
    tab.expect_found(update)
    tab.wait_for_updates()
    assert (tab.run()["state"], tab.rate()) == ("training", rate)
    tab.pause()
    update = tab.wait_for(state="paused")["update"]
    tab.page.reload()
    tab.expect_found(update)
    assert tab.run()["state"] == "paused"
    tab.wait_for_update(update)


TAB = "dashboard tab"  # the key in the session storage
RELOAD_EARLY = javascript("reload_early")


def with_storage(page: Page, names: str) -> Page:
    """A tab with these names in its session storage before its first visit."""
    page.add_init_script(f"sessionStorage.length || sessionStorage.setItem({TAB!r}, {names!r})")
    return page


@pytest.mark.slow
def test_the_run_is_found_without_cookies_after_a_blank_page_back_and_early_reloads(tab: TrainingTab):
    update = tab.wait_for(connected=True)["update"]
    tab.page.context.clear_cookies()
    tab.page.reload()  # the server asks the browser for the tab's name: until it arrives, another run may be shown
    until(tab.page, tab.update, lambda shown: shown > update)
    update = tab.run()["update"]
    tab.page.evaluate("window.updates.clear(); document.getElementById('root').replaceChildren()")  # like React after an error
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


@pytest.mark.slow
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


@pytest.mark.slow
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
