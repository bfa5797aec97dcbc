"""A tab that is closed, cut off or loaded again: what happens to its stage."""

import gc
import weakref

import numpy as np
import pytest
import streamlit as st
from streamlit.runtime.caching.cache_resource_api import clear_session_cache

from pages.ui import tab
from pages.ui.address import ELSEWHERE
from pages.ui.presence import CLOSED, Seat, in_use, shelf
from pages.ui.tab import NOT_KEPT

LIMIT = 60.0
SMALL = {"max_tokens": 10_000, "hidden_size": 8, "batch_size": 4, "num_steps": 8, "cosine_until": 0}


def seat_of(visitor):
    """Of a tab of its own: all visitors without a browser share a session."""
    seat = Seat()
    seat.look_at(visitor.stage)
    return seat


def closed(visitor):
    """The tab of a visitor is closed; the name that it has in its storage."""
    visitor.run()  # the last one that looked, from the seat that all visitors share
    clear_session_cache("test session id")
    return visitor.stage.name


def loaded_again(visit, *names, monkeypatch, **query):
    """A visitor whose browser tells these names when it is asked."""
    monkeypatch.setattr(tab, "greet", lambda one, **_: one.hear(" ".join(names)) if one.told is None else None)
    monkeypatch.setattr(tab, "PATIENCE", 0.0)
    monkeypatch.setattr(tab, "was_here", lambda: True)
    return visit(**query)


@pytest.fixture
def again(visit, monkeypatch):
    return lambda *names, **query: loaded_again(visit, *names, monkeypatch=monkeypatch, **query)


def test_the_same_tab_finds_its_stage_and_it_trains_on(visit, again):
    one = visit(**SMALL)
    one.stage.run.play()
    name = closed(one)
    assert one.stage.run.join(LIMIT)
    assert one.stage.run.snapshot().reason == CLOSED
    found = again(name, **SMALL)
    assert found.stage is one.stage
    assert found.stage.run.playing
    assert found.notices == []
    assert found.stage.name != name


def test_a_run_that_nothing_was_done_with_is_not_kept_and_begins_again_as_it_was(visit, again):
    one = visit(**SMALL)
    stage, left = one.stage, one.stage.watched
    left_settings, left_params = stage.settings, left.trainer.params.flat.copy()
    let_go = weakref.ref(stage.run)
    name = closed(one)
    del left
    gc.collect()
    assert let_go() is None
    found = again(name, **SMALL)
    assert found.notices == []
    assert found.stage is stage
    assert found.stage.settings == left_settings
    assert np.array_equal(found.stage.watched.trainer.params.flat, left_params)
    assert not found.stage.run.playing
    found.stage.run.step(2)
    assert found.stage.watched.step == 2


@pytest.mark.parametrize(
    "touch",
    [
        lambda stage: stage.run.step(),
        lambda stage: stage.move(learning_rate=0.5),
        lambda stage: stage.scale_to_radius(0.5),
        lambda stage: stage.start(stage.settings.but(corpus="own"), "an own text, long enough to be learnt. " * 99),
        lambda stage: stage.branch(stage.watched.history.moments.first),
    ],
    ids=["learnt", "a knob moved", "changed by hand", "own text", "branched"],
)
def test_a_run_that_something_was_done_with_is_kept(visit, touch):
    one = visit(**SMALL)
    touch(one.stage)
    run = one.stage.run
    closed(one)
    assert one.stage.runs == (run,)


def test_what_belongs_to_a_run_that_begins_again_is_found_with_it(visit, again):
    one = visit(**SMALL)
    one.stage.run.step(2)
    one.stage.restart("hidden_size", hidden_size=4)
    serial = one.stage.watched.serial
    name = closed(one)
    assert one.stage.runs == ()
    found = again(name, **SMALL | {"hidden_size": 4})
    assert len(found.stage.ghosts) == 1
    assert found.stage.settings.hidden_size == 4
    assert found.stage.watched.serial == serial


def test_what_is_folded_leaves_the_shelf_without_being_begun_again(visit):
    one = visit(**SMALL)
    closed(one)
    shelf().clear()
    assert one.stage.runs == ()


def test_what_the_reader_had_paused_is_found_paused(visit, again):
    one = visit(**SMALL)
    one.stage.run.step(3)
    found = again(closed(one), **SMALL)
    assert found.stage.watched.step == 3
    assert not found.stage.run.playing


def test_a_name_is_used_once(visit, again):
    one = visit(**SMALL)
    name = closed(one)
    assert again(name, **SMALL).stage is one.stage
    assert again(name, **SMALL).stage is not one.stage


def test_an_older_name_leads_there_where_the_newest_came_to_nothing(visit, again):
    one = visit(**SMALL)
    assert again("never heard of", closed(one), **SMALL).stage is one.stage


def test_while_a_connected_tab_looks_at_it_nobody_else_finds_it(visit, again):
    one = visit(**SMALL)
    seat = seat_of(one)
    assert in_use(one.stage.name)
    copy = again(one.stage.name, **SMALL)
    assert copy.stage is not one.stage
    assert copy.notices == []
    seat.leave()
    assert not in_use(one.stage.name)


def test_a_stage_that_is_no_longer_kept_is_told(visit, again):
    one = visit(**SMALL)
    name = closed(one)
    shelf().clear()
    new = again(name, **SMALL).run()  # nothing was kept for anybody: it was not waited for, and tells late
    assert new.stage is not one.stage
    assert new.stage.settings == one.stage.settings
    assert new.notices == [NOT_KEPT]


def test_the_readers_own_text_lives_and_dies_with_the_stage(visit, again):
    one = visit(**SMALL)
    one.stage.start(one.stage.settings.but(corpus="own"), "an own text, long enough to be learnt. " * 99)
    address = SMALL | {"corpus": "own"}
    found = again(closed(one), **address)
    assert found.stage.own_text.startswith("an own text")
    assert found.stage.settings.corpus == "own"
    name = closed(found)
    shelf().clear()
    assert again(name, **address).stage.own_text == ""


def test_an_edited_address_starts_a_new_run_and_leaves_the_old_one_as_a_ghost(visit, again):
    one = visit(**SMALL)
    one.stage.run.step(2)
    found = again(closed(one), **SMALL | {"hidden_size": 16, "temperature": 0.5})
    assert found.stage is one.stage
    assert found.stage.settings.hidden_size == 16
    assert found.stage.settings.temperature == 0.5
    assert (found.stage.watched.step, len(found.stage.ghosts)) == (0, 1)


def test_an_address_that_came_late_is_not_one_that_was_edited(visit, again):
    """A knob was moved and the page closed before the address said so."""
    one = visit(**SMALL)
    one.stage.run.step(2)
    name = closed(one)
    one.stage.move(learning_rate=0.5)
    found = again(name, **SMALL)
    assert found.stage.watched.step == 2
    assert found.stage.settings.learning_rate == 0.5
    assert found.url["learning_rate"] == "0.5"


def test_an_address_that_names_another_section_opens_it(visit, again):
    one = visit(**SMALL)
    found = again(closed(one), speed=20.0, **SMALL)
    assert found.stage.settings.speed == 20.0
    assert found.stage.run.speed == 20.0


def test_a_tab_whose_copy_went_on_with_its_run_has_another_and_is_told(visit, again):
    one = visit(**SMALL)
    stage = one.stage
    copy = again(closed(one), **SMALL)
    assert copy.stage is stage
    one.run()
    assert one.stage is not stage
    assert one.notices == [ELSEWHERE]


def test_a_browser_that_tells_nothing_is_not_waited_for_for_ever(visit, monkeypatch):
    closed(visit(**SMALL))
    monkeypatch.setattr(tab, "PATIENCE", 0.0)
    monkeypatch.setattr(tab, "was_here", lambda: True)
    other = visit(**SMALL)
    assert other.stage.watched.step == 0
    assert other.notices == []


@pytest.mark.parametrize("cookies", [{}, {tab.COOKIE: "1"}], ids=["new", "was here before"])
def test_of_browsers_only_one_that_was_here_before_is_asked_what_it_left(visit, monkeypatch, cookies):
    closed(visit(**SMALL))
    asked = []
    monkeypatch.setattr(type(st.context), "cookies", cookies)
    monkeypatch.setattr(tab, "PATIENCE", 0.0)
    monkeypatch.setattr(tab, "greet", lambda one, *, waits=False: asked.append(waits))
    assert visit(**SMALL).stage.watched.step == 0
    assert (True in asked) == bool(cookies)


def test_what_is_told_late_is_found_all_the_same(visit, again):
    one, other = visit(**SMALL), visit(**SMALL)
    name, opened = closed(one), other.run().stage
    opened.run.play()
    other.app.session_state["this_tab"].hear(name)
    other.run()
    assert other.stage is one.stage
    assert opened.run.join(LIMIT)


def test_what_is_on_the_shelf_holds_no_run_that_trains(visit):
    one = visit(**SMALL)
    closed(one)
    one.stage.run.play()  # pressed as the tab was closed
    assert one.stage.run.join(LIMIT)
    assert one.stage.watched.step == 0


def test_a_seat_that_is_gone_looks_at_nothing(visit):
    one = visit(**SMALL)
    name = closed(one)
    late = Seat()
    late.leave()
    late.look_at(one.stage)
    assert late.stage is None
    assert late.find(name) is None
    assert Seat().find(name) is one.stage
