"""A session has one run: what comes of the one before, and what is refused and changes nothing."""

import math

import numpy as np
import pytest

from core.figures.parts import words
from core.settings import DEFAULTS, Settings
from pages.ui.stage import Stage
from tests.pages.test_training import LIMIT, SMALL, everything, ran, says


def test_notices_go_when_a_new_run_starts(visit):
    visitor = visit(no_such_setting=1, **SMALL)
    visitor.choose("hidden_size", 16)
    assert visitor.notices == []


def test_an_untrained_run_leaves_no_ghost(visit):
    visitor = visit(**SMALL).choose("hidden_size", 16)
    assert visitor.stage.ghosts == []


def test_a_playing_run_is_followed_by_a_playing_run(visit):
    visitor = visit(**SMALL)
    old = visitor.stage.run
    old.play()
    visitor.choose("hidden_size", 16)
    assert visitor.stage.run.playing
    assert old.join(LIMIT)
    assert not old.playing


def test_only_the_last_eight_runs_stay_as_ghosts(visit):
    visitor = visit(**SMALL)
    for seed in range(1, 11):
        ran(visitor, 1)
        visitor.choose("seed", seed)
    assert [ghost.settings.seed for ghost in visitor.stage.ghosts] == list(range(2, 10))


def test_two_visitors_have_two_runs(visit):
    one, other = visit(**SMALL), visit(**SMALL)
    ran(one)
    assert (one.stage.watched.step, other.stage.watched.step) == (3, 0)
    one.choose("seed", 5)
    assert other.run().stage.settings.seed == 0


@pytest.mark.parametrize(
    ("name", "value", "start"),
    [
        ("hidden_size", 4096, {"num_steps": 1000, "hidden_size": 4}),
        ("max_tokens", 1000, {"batch_size": 128, "num_steps": 20, "hidden_size": 8}),
    ],
    ids=["too much memory", "too short a text"],
)
def test_what_cannot_be_trained_is_refused_and_changes_nothing(visit, name, value, start):
    visitor = ran(visit(**start), 2)
    before, url = everything(visitor.stage), visitor.url
    visitor.stage.start(visitor.stage.settings.but(**{name: value}))
    visitor.run()
    assert len(visitor.notices) == 1
    assert everything(visitor.stage) == before
    assert visitor.url == url
    assert says(visitor, name) == words.value(name, start.get(name, getattr(DEFAULTS, name)))
    ran(visitor, 1)
    assert visitor.stage.watched.step == 3


@pytest.mark.parametrize("knobs", [{"learning_rate": -1.0}, {"learning_rate": math.nan}, {"truncation": 0}, {"hidden_size": 9}])
def test_a_knob_moved_too_far_is_a_sentence(visit, knobs):
    visitor = ran(visit(**SMALL))
    before = everything(visitor.stage)
    visitor.stage.move(**knobs)
    visitor.run()
    assert len(visitor.notices) == 1
    assert everything(visitor.stage) == before
    visitor.stage.move(learning_rate=0.5)
    assert visitor.run().notices == []


def test_two_visitors_begin_with_one_network_and_each_trains_its_own():
    one, other = (Stage(Settings(**SMALL), []) for _ in range(2))
    assert one.watched.held_out is other.watched.held_out
    assert one.watched.history.moments.first is other.watched.history.moments.first
    before = other.snapshot()
    one.run.step(3)
    assert other.snapshot() == before
    other.run.step(3)
    np.testing.assert_array_equal(one.params().flat, other.params().flat)
    one.branch(one.watched.history.moments.first)
    one.run.step(3)
    np.testing.assert_array_equal(one.params().flat, other.params().flat)
