"""The run of a session, without a page: changes that start a new run, changes to the run, and refused changes without effect."""

import math
import tracemalloc

import numpy as np
import pytest

from core.config.settings import KNOBS, Settings
from core.models.initialisation import init_params, own_scales
from core.models.ngram import baselines, fit, tokens_of
from core.text.corpus import is_available
from core.text.randomness import Purpose, generator
from core.training.experiments.sweep import default_values
from pages.app.panels.commands import command
from pages.app.panels.settings_controls import choose, control, type_in
from pages.app.session.session import Session
from pages.app.widgets.control_widgets import Knob
from pages.content.lessons import LESSONS
from pages.figures.parts import words
from pages.training.presets import load
from tests.pages.app_session import HOSTILE, LIMIT, SMALL, state_fingerprint

OWN = "the cat sat on the mat. " * 100


def shown_value(stage: Session, name: str) -> str:
    """The text of the value that a setting's control shows."""
    shown = control(stage, name)
    return shown.says if isinstance(shown, Knob) else dict(shown.options)[shown.value]


@pytest.mark.parametrize("name", [name for name, knob in KNOBS.items() if knob.kind == "restart"])
def test_a_restart_setting_starts_a_new_run_and_leaves_a_ghost(stage, name):
    old, before = stage.run, stage.settings
    other = [value for value in default_values(before, name) if value != getattr(before, name)]
    value = next(value for value in other if name != "corpus" or is_available(value))
    choose(stage, name, value)
    assert not stage.problem
    assert stage.run is not old
    scales = {"input_scale": None, "output_scale": None} if name == "init" else {}
    assert stage.settings == before.but(**{name: value}, **scales)
    assert stage.monitored.step == 0
    (ghost,) = stage.ghosts
    assert ghost.settings == before
    assert 0 < ghost.points[-1].update <= 3
    assert shown_value(stage, name) == words.value(name, value)


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_a_preset_loads_over_a_run_and_leaves_the_view_settings(stage, lesson):
    stage.change_view(across="tokens")
    load(stage, lesson.name)
    assert not stage.problem
    assert stage.settings == lesson.settings.but(across="tokens")
    assert len(stage.ghosts) == 1
    for name, knob in KNOBS.items():
        value = getattr(lesson.settings, name)
        if knob.kind == "restart" and value is not None:
            assert shown_value(stage, name) == words.value(name, value), name
    loaded = stage.run
    load(stage, lesson.name)
    assert stage.run is loaded


@pytest.mark.parametrize("init", KNOBS["init"].choices)
def test_choosing_an_initialisation_sets_both_scales_to_its_own(stage, init):
    choose(stage, "input_scale", 0.5)
    choose(stage, "init", "xavier" if init != "xavier" else "identity")
    choose(stage, "init", init)
    settings, params = stage.settings, stage.monitored.trainer.params
    assert (settings.init, settings.input_scale, settings.output_scale) == (init, None, None)
    V, H = params.W_xh.shape
    own = init_params(V, H, init=init, rng=generator(0, Purpose.INIT))
    assert params.flat.tobytes() == own.flat.tobytes()
    for name, std in zip(("input_scale", "output_scale"), own_scales(init, V, H), strict=True):
        assert shown_value(stage, name).startswith(f"{std:.3g}")
    choose(stage, "input_scale", 0.5)
    assert (stage.settings.input_scale, stage.settings.output_scale) == (0.5, None)


@pytest.mark.parametrize(("name", "text", "value"), [
    ("learning_rate", "0.0042", 0.0042), ("learning_rate", " 4.2e-3 ", 0.0042), ("learning_rate", "1e6", 1e6),
    ("clip_norm", "off", 0.0), ("clip_norm", "1e-8", 1e-8), ("clip_norm", "1.0", 1.0), ("truncation", "1", 1),
    ("truncation", "7", 7), ("truncation", "whole window", None), ("hidden_size", "17", 17), ("embedding_size", "one-hot", 0),
    ("max_tokens", "12\u2009345", 12_345), 
    ("max_tokens", "12\u202f345", 12_345), ("output_scale", "by init", None), ("seed", "2147483647", 2147483647),
])  # fmt: skip
def test_a_value_between_the_stops_of_a_slider_can_be_typed(stage, name, text, value):
    type_in(stage, name, text)
    assert getattr(stage.settings, name) == value
    shown = control(stage, name)
    assert 0 <= shown.at < len(shown.words)
    assert value is None or shown.says == words.value(name, value)
    assert shown.error == ""


@pytest.mark.parametrize("name", ["learning_rate", "hidden_size"])
def test_nonsense_that_is_typed_is_refused_beside_its_control_and_changes_nothing(stage, name):
    before = state_fingerprint(stage)
    for text in ("", "abc", "-1", "1e400", "nan", "1 2 x", *HOSTILE):
        type_in(stage, name, text)
        assert state_fingerprint(stage) == before
        assert control(stage, name).error.startswith(KNOBS[name].label)
    stage.move(learning_rate=0.5)
    assert not control(stage, name).error


def test_a_live_value_out_of_range_is_refused(stage):
    before = state_fingerprint(stage)
    rates = {"learning_rate": -1.0}, {"learning_rate": math.nan}
    for knobs in (*rates, {"truncation": 0}, {"hidden_size": 9}, {"temperature": 0.7}):
        stage.move(clip_norm=0.1, **knobs)
        assert stage.problem
        assert state_fingerprint(stage) == before
        stage.move(learning_rate=stage.settings.learning_rate)
        assert not stage.problem


def test_an_own_text_is_asked_for_and_one_that_cannot_be_learnt_is_refused(stage):
    before = state_fingerprint(stage)
    choose(stage, "corpus", "own")
    assert state_fingerprint(stage) == before
    assert stage.pending.name == control(stage, "corpus").value == "own"
    for text in ("", " \n\t ", "a", "abcabc", "a" * 5000):
        stage.start(stage.settings.but(corpus="own"), text)
        assert stage.problem
        assert state_fingerprint(stage) == before


def test_an_own_text_stays_through_other_changes_and_refused_texts(stage):
    own = stage.settings.but(corpus="own")
    stage.start(own, OWN)
    choose(stage, "hidden_size", 16)
    assert (stage.settings.corpus, stage.settings.hidden_size) == ("own", 16)
    choose(stage, "corpus", "lag")
    choose(stage, "corpus", "own")
    assert (stage.settings.corpus, stage.own_text) == ("own", OWN)
    stage.start(own, "")
    choose(stage, "seed", 3)
    assert not stage.problem
    assert (stage.settings.seed, stage.own_text) == (3, OWN)


@pytest.mark.parametrize("changed", [{}, {"hidden_size": 512}, {"hidden_size": 4, "embedding_size": 64}], ids=str)
def test_n_gram_lines_are_judged_on_the_tokens_of_the_curve(stage, changed):
    """This holds for any number of judged tokens, which depends on the cost of reading them."""
    stage.start(stage.settings.but(max_tokens=200_000, **changed))
    counted = fit(tokens_of(stage.corpus.train), stage.corpus.tokenizer.size)
    for carry in (True, False):
        stage.run.change(carry_state=carry)
        assert stage.baselines == baselines(counted, stage.monitored.held_out.counted_losses(counted, carry))
    assert stage.lines[True][5].perplexity < stage.lines[False][5].perplexity


def test_an_untrained_run_leaves_no_ghost_and_the_last_eight_stay():
    stage = Session(Settings(**SMALL), [])
    choose(stage, "hidden_size", 16)
    assert stage.ghosts == []
    for seed in range(1, 11):
        stage.run.step()
        choose(stage, "seed", seed)
    assert [ghost.settings.seed for ghost in stage.ghosts] == list(range(2, 10))


def test_a_playing_run_is_followed_by_a_playing_run(stage):
    old = stage.run
    old.play()
    choose(stage, "hidden_size", 16)
    assert stage.run.playing
    assert old.join(LIMIT)
    assert not old.playing


def test_two_sessions_begin_with_one_network_and_each_trains_its_own():
    one, other = (Session(Settings(**SMALL), []) for _ in range(2))
    assert one.monitored.held_out is other.monitored.held_out
    assert one.monitored.history.moments.first is other.monitored.history.moments.first
    before = other.snapshot()
    one.run.step(3)
    assert other.snapshot() == before
    other.run.step(3)
    np.testing.assert_array_equal(one.params().flat, other.params().flat)


def test_run_to_an_epoch_stops_at_its_last_update():
    stage = Session(Settings(**SMALL | {"max_tokens": 1000}), [])
    command(stage, "run_to_epoch", 2)
    assert stage.run.join(LIMIT)
    assert stage.monitored.step == 2 * stage.monitored.trainer.updates_per_epoch
    assert stage.run.snapshot().reason == "Epoch 2 is reached."
    command(stage, "run_to_epoch", 2)
    assert stage.problem
    command(stage, "step", None)
    assert not stage.problem


def test_an_update_that_is_behind_is_refused(stage):
    for update in (-5, 0, 3):
        command(stage, "run_to", update)
        assert stage.problem
        assert not stage.run.playing
        assert stage.monitored.step == 3
    for value in (None, "5", math.nan):
        for what in ("run_to", "run_to_epoch"):
            command(stage, what, value)
            assert not stage.run.playing


def test_a_run_beyond_the_limit_is_refused_before_its_arrays_are_made(stage):
    before = state_fingerprint(stage)
    tracemalloc.start()
    stage.start(stage.settings.but(hidden_size=4096))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert "memory" in stage.problem
    assert peak < 2**20 < 4096**2
    assert state_fingerprint(stage) == before
