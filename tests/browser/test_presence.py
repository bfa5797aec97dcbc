"""A run and the connection of its tab: a closed or offline tab pauses it, nothing else does, and a reload finds it."""

import time
from collections.abc import Callable

from playwright.sync_api import Page

from pages.app.connection.connections import CLOSED
from tests.browser.training_tab import Ask, Connection, TrainingTab
from tests.browser.waiting import LIMIT, until, wait_until_idle


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
