"""Effects on a session's run when its tab is closed, disconnected or reloaded."""

import gc
import os
import sys
import threading
import weakref

import pytest
import streamlit as st
from streamlit.runtime.caching.cache_resource_api import clear_session_cache
from streamlit.util import calc_hash

from core.config.link import PAGE_PATHS, to_query
from core.training.run.scheduler import compute
from pages.app.connection import tab_identity
from pages.app.connection.connections import CLOSED, Connection, in_use
from pages.app.connection.tab_identity import NOT_KEPT
from pages.app.navigation.url_state import ELSEWHERE
from pages.app.panels.commands import command
from pages.app.server import free_memory
from pages.app.session import session_run
from pages.app.session.session import Session
from pages.content.scenes import SCENES
from tests.core.training.waiting import until
from tests.pages.app_session import LIMIT, SMALL, START, AppSession, close_tab, expire_stored_sessions, one_server

OWN = "an own text, long enough to be learnt. " * 99


def test_the_same_tab_finds_its_run_and_it_trains_on(training, reload):
    training.stage.run.play()
    name = close_tab(training)
    assert training.stage.run.join(LIMIT)
    assert training.stage.run.snapshot().reason == CLOSED
    found = reload(name, **SMALL)
    assert found.stage is training.stage
    assert found.stage.run.playing
    assert found.notices == []
    assert found.stage.name != name


def test_an_untouched_run_is_found_again_as_it_was(training, reload):
    stage = training.stage
    stage.run.step(2)
    stage.restart("hidden_size", hidden_size=4)
    run, serial = stage.run, stage.monitored.serial
    found = reload(close_tab(training), **SMALL | {"hidden_size": 4}).stage
    assert found is stage
    assert found.notices == []
    assert (found.run, found.monitored.serial, len(found.ghosts), found.run.playing) == (run, serial, 1, False)
    found.run.step(2)
    assert found.monitored.step == 2


def test_a_notice_goes_with_the_next_address_or_action(training, reload):
    refused = reload(close_tab(training), **SMALL | {"seed": -1})
    (first,) = refused.notices
    found = reload(close_tab(refused), **SMALL | {"foo": 1})
    (second,) = found.notices
    assert first != second
    command(found.stage, "pause", None)
    assert found.run().notices == []
    assert reload(close_tab(found), **SMALL | {"foo": 1}).switch_page("perplexity").notices == []


def test_a_paused_run_is_restored_paused_and_once(training, reload):
    training.stage.run.step(3)
    name = close_tab(training)
    found = reload("no such name", name, **SMALL)
    assert found.stage is training.stage
    assert found.stage.monitored.step == 3
    assert not found.stage.run.playing
    assert reload(name, **SMALL).stage is not training.stage


def test_the_address_of_a_scene_opens_its_page_in_a_tab_that_was_at_another_one(visit, reload):
    session = visit("truncation", **SMALL)
    again = reload(close_tab(session), page="", scene="vanishing")
    assert (again.stage.navigation.next_page or again.stage.navigation.page) == "gradient_flow"
    assert again.stage.scenes.key == "vanishing"


def test_a_run_that_another_connected_tab_uses_is_not_found(training, reload):
    connection = Connection()
    connection.attach(training.stage)
    assert in_use(training.stage.name)
    copy = reload(training.stage.name, **SMALL)
    assert copy.stage is not training.stage
    assert copy.notices == []
    connection.detach()
    assert not in_use(training.stage.name)


def test_a_run_that_is_no_longer_stored_is_reported(training, reload):
    name = close_tab(training)
    expire_stored_sessions()
    new = reload(name, **SMALL).run()  # no session is stored, so the server did not wait for the name
    assert new.stage is not training.stage
    assert new.stage.settings == training.stage.settings
    assert new.notices == [NOT_KEPT]


def test_the_own_text_is_restored_and_dropped_with_its_run(training, reload):
    training.stage.start(training.stage.settings.but(corpus="own"), OWN)
    address = SMALL | {"corpus": "own"}
    found = reload(close_tab(training), **address)
    assert found.stage.own_text == OWN
    assert found.stage.settings.corpus == "own"
    name = close_tab(found)
    expire_stored_sessions()
    assert reload(name, **address).stage.own_text == ""


def test_an_update_in_the_address_trains_anew_unless_the_tab_shows_that_network(training, reload):
    shown = reload(close_tab(training), **SMALL, update=3).wait().run()
    run = shown.stage.run
    again = reload(close_tab(shown), **shown.url)
    assert again.stage.run is run
    again.train(1)
    address = again.url
    assert "update" not in address
    anew = reload(close_tab(again), **address, update=3).wait()
    assert anew.stage.run is not run
    assert anew.stage.monitored.step == 3
    assert anew.run().url == shown.url


def test_an_edited_address_starts_a_new_run_and_leaves_the_old_one_as_a_ghost(training, reload):
    training.stage.run.step(2)
    found = reload(close_tab(training), **SMALL | {"hidden_size": 16, "temperature": 0.5, "speed": 20.0})
    assert found.stage is training.stage
    assert found.stage.settings.hidden_size == 16
    assert found.stage.settings.temperature == 0.5
    assert found.stage.settings.speed == found.stage.run.speed == 20.0
    assert (found.stage.monitored.step, len(found.stage.ghosts)) == (0, 1)


def test_an_address_without_settings_shows_the_run_and_an_edited_one_trains_nothing(training, reload):
    training.stage.run.play()
    found = reload(close_tab(training), page="recurrent_step", section="products")
    assert (found.stage, found.stage.navigation.page) == (training.stage, "recurrent_step")
    assert found.stage.settings.hidden_size == SMALL["hidden_size"]
    assert found.stage.run.playing
    edited = reload(close_tab(found), page="recurrent_step", **SMALL | {"hidden_size": 16})
    assert not edited.stage.run.playing
    assert edited.stage.monitored.step == 0


def test_a_scene_opened_by_its_address_is_not_done_because_another_one_was(training, reload):
    training.open_scene("mirror").stage.scenes.mark_done("mirror")
    again = reload(close_tab(training), page="gradient_flow", scene="mirror", **to_query(SCENES["mirror"].settings))
    assert (again.stage.scenes.key, again.stage.scenes.done) == ("mirror", True)
    other = reload(close_tab(again), page="", scene="reach")
    assert (other.stage.scenes.key, other.stage.scenes.done) == ("reach", False)


def test_an_address_that_is_older_than_the_run_does_not_change_it(training, reload):
    """A setting was changed, and the page closed before the URL was updated."""
    training.stage.run.step(2)
    name = close_tab(training)
    training.stage.move(learning_rate=0.5)
    found = reload(name, **SMALL)
    assert found.stage.monitored.step == 2
    assert found.stage.settings.learning_rate == 0.5
    assert found.url["learning_rate"] == "0.5"


def test_a_tab_whose_copy_has_taken_its_run_has_a_new_one_and_a_notice(training, reload):
    stage = training.stage
    assert reload(close_tab(training), **SMALL).stage is stage
    training.run()
    assert training.stage is not stage
    assert training.notices == [ELSEWHERE]


@pytest.mark.parametrize("cookies", [{}, {tab_identity.COOKIE: "1"}], ids=["new", "was here before"])
def test_only_a_browser_that_was_here_before_is_waited_for_and_not_for_ever(training, visit, monkeypatch, cookies):
    close_tab(training)
    asked = []
    monkeypatch.setattr(type(st.context), "cookies", cookies)
    monkeypatch.setattr(tab_identity, "PATIENCE", 0.0)
    monkeypatch.setattr(tab_identity, "register_tab", lambda one, *, waits=False: asked.append(waits))
    session = visit(**SMALL)
    assert (session.stage.monitored.step, session.notices) == (0, [])
    assert (True in asked) == bool(cookies)


def test_a_name_received_late_still_restores_the_run(training, visit):
    other = visit(**SMALL)
    name, opened = close_tab(training), other.run().stage
    opened.run.play()
    other.app.session_state["this_tab"].set_names(name)
    other.run()
    assert other.stage is training.stage
    assert opened.run.join(LIMIT)


def test_stored_runs_are_paused_and_closed_tabs_restore_none(training):
    name = close_tab(training)
    training.stage.run.play()  # pressed while the tab was being closed
    assert training.stage.run.join(LIMIT)
    assert training.stage.monitored.step == 0
    late = Connection()
    late.detach()
    late.attach(training.stage)
    assert late.session is None
    assert late.restore(name) is None
    assert Connection().restore(name) is training.stage


@pytest.mark.parametrize("busy", ["computing", "stepping", "replacing its run", "restoring"])
def test_a_tab_that_goes_waits_for_nothing(training, monkeypatch, busy):
    """``detach`` is called on the server's event loop."""
    stage, connection, begun, go_on = training.stage, Connection(), threading.Event(), threading.Event()
    connection.attach(stage)

    def slow(*_: object) -> None:
        begun.set()
        assert go_on.wait(LIMIT)

    def restore() -> None:
        Connection().restore("no such name")
        compute(slow)

    def refuse(*_: object) -> None:
        slow()
        raise ValueError("This text is too short.")

    def replace() -> None:
        stage.start(stage.settings)

    if busy == "stepping":
        monkeypatch.setattr(stage.run, "_advance", slow)
    if busy == "replacing its run":
        monkeypatch.setattr(session_run, "text_of", refuse)
    acts = {"computing": lambda: compute(slow), "stepping": stage.run.step, "restoring": restore, "replacing its run": replace}
    other = threading.Thread(target=acts[busy], daemon=True)
    other.start()
    assert begun.wait(LIMIT)
    try:
        leaving = threading.Thread(target=connection.detach, daemon=True)
        leaving.start()
        leaving.join(LIMIT / 2)
        assert not leaving.is_alive()
        assert Connection().restore(stage.name) is stage  # found at once, though not measured yet
    finally:
        go_on.set()
        other.join(LIMIT)


def test_a_run_that_begins_as_its_tab_goes_waits_for_the_tab(training, monkeypatch):
    stage, connection, untrained = training.stage, Connection(), session_run._untrained
    connection.attach(stage)
    stage.run.play()

    def left_meanwhile(*given):
        connection.detach()
        return untrained(*given)

    monkeypatch.setattr(session_run, "_untrained", left_meanwhile)
    stage.restart("hidden_size", hidden_size=4)
    assert not stage.run.playing
    Connection().restore(stage.name)
    assert stage.run.playing
    stage.run.pause()


def test_whether_a_name_is_in_use_can_be_asked_while_other_tabs_connect():
    interval, done = sys.getswitchinterval(), threading.Event()

    def connect() -> None:
        while not done.is_set():
            Connection()

    connected, threads = [Connection() for _ in range(200)], [threading.Thread(target=connect) for _ in range(2)]
    sys.setswitchinterval(1e-5)  # seconds: threads switch during the iteration over all tabs
    try:
        for thread in threads:
            thread.start()
        assert not any(in_use("of no tab") for _ in range(5 * len(connected)))
    finally:
        done.set()
        for thread in threads:
            thread.join()
        sys.setswitchinterval(interval)


def test_what_was_dropped_is_freed_though_it_refers_to_itself(monkeypatch):
    class Dropped:
        def __init__(self) -> None:
            self.itself = self

    monkeypatch.setattr(free_memory, "AFTER", 0.0)
    gone = weakref.ref(Dropped())
    free_memory.free_memory()
    free_memory._job.result()
    assert gone() is None


@pytest.mark.skipif("RNN_CHECK_SHAPES" in os.environ, reason="an argument is of a class that was imported before")
def test_a_session_goes_on_with_modules_that_were_imported_anew(training, monkeypatch):
    """As during development: once a file has changed, Streamlit imports all modules of the project again."""
    run = training.train().stage.run
    for name in [name for name in sys.modules if name.split(".")[0] in ("core", "pages")]:
        monkeypatch.delitem(sys.modules, name)
    training.run()
    assert sys.modules[Session.__module__].Session is not Session
    assert training.train().stage.run is run
    assert training.switch_page("perplexity").choose("hidden_size", 16).stage.monitored.step == 0


def references(page: str) -> list[weakref.ref]:
    """Weak references to the objects of a session that opened a page, trained and was closed."""
    session = AppSession(calc_hash(page), SMALL)
    stage = session.stage
    session.train(30)
    clear_session_cache("test session id")
    return [weakref.ref(one) for one in (stage, stage.monitored, stage.run, stage.monitored.trainer)]


@pytest.mark.slow
def test_closed_sessions_are_released():
    with one_server():
        found = [reference for page in (START, *PAGE_PATHS) for reference in references(page)]
    assert any(reference() for reference in found)  # stored for returning tabs
    expire_stored_sessions()

    def are_gone() -> bool:
        gc.collect()
        return not any(reference() for reference in found)

    until(are_gone)  # what is still computed beside a page holds its session until it ends
