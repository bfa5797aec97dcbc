"""The diagnosis of a run, on small runs of which something is wrong, and on runs that only learn slowly or well."""

from contextlib import suppress

import numpy as np
import pytest

from core.config.settings import Settings
from core.text.corpus import load_corpus
from core.training.checkpoint.checkpoint import load, save
from core.training.checkpoint.conversion import from_checkpoint, to_checkpoint
from core.training.run.monitored_trainer import MonitoredTrainer
from core.training.tbptt import Diverged, Trainer, remedy
from tests.core.training.runs import ON_TEXT, TEXT, advance, lag_text, monitored

PROSE = load_corpus(Settings())  # to cut a short text from
SHORT = PROSE.tokenizer.decode(PROSE.train.inputs[20_000:21_200])
MEMORISED = Settings(corpus="own", cleaning="letters", batch_size=4, num_steps=16, cosine_until=0)
WILD = ON_TEXT.but(activation="relu", gain=1.0, num_steps=20, optimizer="sgd", learning_rate=1e6, clip_norm=0.0)


def diagnosed(run, updates):
    advance(run, updates).evaluate()
    return run.view().diagnosis


@pytest.fixture(scope="module")
def memorised():
    run = advance(monitored(MEMORISED, SHORT), 700)
    run.evaluate()
    return run


def test_a_text_learnt_by_heart_is_overfitting_since_the_lowest_held_out_loss(memorised):
    judged, diagnosis = memorised.history.judged, memorised.view().diagnosis
    assert diagnosis.kind == "overfitting"
    assert diagnosis.since == min(judged, key=lambda point: point.nats).update < 700
    back = memorised.branch(memorised.history.moments.at(diagnosis.back))
    assert back.view().diagnosis.kind == ""
    assert back.view().perplexity < memorised.view().perplexity / 2


def test_weight_decay_helps_against_overfitting(memorised):
    other, decayed = (memorised.branch(memorised.now()) for _ in range(2))
    decayed.change(**remedy(decayed.settings, "decay"))
    for run in (other, decayed):
        advance(run, 300).evaluate()
    assert decayed.view().perplexity < other.view().perplexity


def test_an_opened_run_is_diagnosed_as_before(memorised):
    opened = from_checkpoint(load(save(to_checkpoint(memorised, SHORT))), memorised.corpus)
    assert opened.view().diagnosis.kind == "overfitting"


@pytest.mark.parametrize("rate", [1e-8, 1e-4, 3e-3])
@pytest.mark.parametrize("sizes", [{}, {"batch_size": 1, "num_steps": 25}], ids=str)
def test_a_run_that_learns_or_has_not_begun_to_has_no_diagnosis(rate, sizes):
    settings = Settings(learning_rate=rate, hidden_size=32, **sizes)
    run = MonitoredTrainer(Trainer(settings, PROSE), PROSE)
    for _ in range(6):
        assert diagnosed(run, 50).kind == ""


def test_a_run_that_learns_well_is_never_said_to_overfit():
    run = MonitoredTrainer(Trainer(Settings(hidden_size=64), PROSE), PROSE)
    assert {diagnosed(run, 10).kind for _ in range(150)} == {""}


def test_a_lag_that_is_not_found_yet_is_no_diagnosis():
    settings = Settings(corpus="lag", lag=12, num_steps=8, hidden_size=16)
    corpus = lag_text(settings)
    assert diagnosed(MonitoredTrainer(Trainer(settings, corpus), corpus), 400).kind == ""


@pytest.mark.parametrize("rate", [0.3, 3.0])
def test_windows_that_stay_worse_than_the_unigram_show_too_large_a_rate(rate):
    settings = Settings(learning_rate=rate, hidden_size=32)
    run = MonitoredTrainer(Trainer(settings, PROSE), PROSE)
    found = [diagnosed(run, 100).kind for _ in range(6)]
    assert set(found) <= {"", "too_fast"}
    assert "too_fast" in found


def test_windows_that_get_worse_after_a_move_show_too_large_a_rate():
    settings = Settings(hidden_size=32)
    run = MonitoredTrainer(Trainer(settings, PROSE), PROSE)
    assert diagnosed(run, 300).kind == ""
    run.change(learning_rate=1.0)
    assert diagnosed(run, 60).kind == "too_fast"
    run.history.end_move()
    run.change(learning_rate=settings.learning_rate)
    assert run.view().diagnosis.kind == ""


@pytest.fixture
def overflowing():
    """A run opened from a file that was saved where the next update overflows."""
    run = advance(monitored(WILD), 1)
    assert run.trainer.overflows()
    return from_checkpoint(load(save(to_checkpoint(run, TEXT))), run.corpus)


def test_an_opened_run_whose_next_update_overflows_says_so_and_where_to_go_back(overflowing):
    assert overflowing.view().diagnosis[:3] == ("overflows", 1, 0)
    overflowing.change(learning_rate=1e-8)
    with pytest.raises(Diverged) as stopped:
        next(overflowing)
    assert stopped.value.again
    assert overflowing.view().diagnosis.kind == "overflows"
    back = overflowing.branch(overflowing.history.moments.at(0))
    back.change(learning_rate=1e-4)
    assert diagnosed(back, 20).kind == ""


def test_a_branch_that_overflows_says_so_too(overflowing):
    assert overflowing.branch(overflowing.now()).view().diagnosis.kind == "overflows"


def test_looking_whether_the_next_window_overflows_changes_nothing():
    one, other = monitored(), monitored()
    for _ in range(30):
        one.trainer.overflows()
        assert next(one) == next(other)
    np.testing.assert_array_equal(one.trainer.h, other.trainer.h)


@pytest.mark.parametrize("updates", [0, 20])
def test_after_a_divergence_the_last_update_is_the_one_of_the_restored_state(updates):
    run, seen = monitored(WILD.but(learning_rate=1e-3)), {0: None}
    for _ in range(updates):
        update = next(run)
        seen[update.step] = update
    run.change(learning_rate=1e6)
    with suppress(Diverged):
        for update in run:
            seen[update.step] = update
    assert run.step < max(seen)
    last, view, moment = seen[run.step], run.view(), run.now()
    assert moment.last == last
    assert view.point.update == moment.update == view.judged.update == run.step
    assert view.judged.nats == run.judgement.nats == run.held_out.judge(run.trainer.params, run.settings)
    norms = [last.loss, last.grad_norm, last.clipped_norm] if last else [np.nan] * 3
    np.testing.assert_array_equal([view.point.nats, view.grad_norm, view.clipped_norm], norms)
