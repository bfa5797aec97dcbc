"""A run that was saved and opened again goes on bit for bit, and shows what the run showed that never stopped."""

from itertools import islice

import numpy as np
import pytest

from core.settings import KNOBS, Settings
from core.text.corpus import load_corpus
from core.training.checkpoint import load, save
from core.training.keep import kept
from core.training.resume import resumed
from core.training.tbptt import Trainer
from core.training.watched import Watched

TEXT = "the cat sat on the mat and the dog sat on the log, said the cat to the dog. " * 60
SMALL = Settings(corpus="own", hidden_size=8, batch_size=4, num_steps=5)
VARIED = {
    "adam": SMALL,
    "sgd": SMALL.but(optimizer="sgd", learning_rate=0.5),
    "adagrad, double precision": SMALL.but(optimizer="adagrad", dtype="float64"),
    "embedding": SMALL.but(embedding_size=6, dtype="float64"),
    "words": SMALL.but(unit="word", embedding_size=6, vocab_cap=9),
    "decay and schedule": SMALL.but(weight_decay=0.3, cosine_until=50),  # zero before the end
    "reset": SMALL.but(carry_state=False),
    "reset, nothing held out": SMALL.but(carry_state=False, validation_share=0.0),
    "lag": SMALL.but(corpus="lag", max_tokens=3000, truncation=3),
    "echo": SMALL.but(corpus="echo", max_tokens=3000, carry_state=False, activation="relu"),
    "short text, many epochs": SMALL.but(max_tokens=200, validation_share=0.2),
}
KNOBS_MOVED = {
    "learning_rate": 0.01,
    "clip_norm": 0.0,
    "truncation": 2,
    "carry_state": None,
    "cosine_until": 90,
    "weight_decay": 0.1,
}


def begun(settings):
    corpus = load_corpus(settings, TEXT)
    return Watched(Trainer(settings, corpus), corpus)


def advance(run, updates):
    for _ in islice(run, updates):
        pass
    return run


def trained(settings=SMALL, updates=40):
    """A run whose knobs were moved on the way, all of it judged, and its milestones written."""
    run = begun(settings)
    for name, value in KNOBS_MOVED.items():
        advance(run, updates // len(KNOBS_MOVED))
        run.change(**{name: not settings.carry_state if name == "carry_state" else value})
    run.scale_to_radius(1.5)
    while run.catch_up():
        pass
    run.refresh()
    return run


def reopened(run, text=TEXT):
    """The run from its file, with nothing of it but the file."""
    checkpoint = load(save(kept(run, text)))
    return resumed(checkpoint, load_corpus(checkpoint.begun_with, checkpoint.own_text))


def everything(run):
    """All that a chart, a card or a table shows of a run; without the seconds, which a clock gives."""
    history, timeless = run.history, lambda points: [point._replace(seconds=0.0) for point in points]
    return {
        "settings": run.settings,
        "step": run.step,
        "state": _bytes(run.trainer.state()),
        "judged": timeless(history.judged),
        "training": timeless(history.training.points),
        "smooth": history.training.smooth,
        "filling": history.training.filling,
        "epochs": timeless(history.epochs.points),
        "flags": [(flag.point.update, flag.name, flag.old, flag.new) for flag in history.flags],
        "moves": [history.flags.index(move) for move in history.moves],
        "moments": [
            (*moment.point[:2], _bytes(moment.state), moment.settings, moment.last, moment.sample or "", moment.before_move)
            for moment in history.moments.kept
        ],
        "norms": (run.look().grad_norm, run.look().clipped_norm),
        "perplexity": run.look().perplexity,
    }


def _bytes(state):
    return {name: np.asarray(part).tobytes() for name, part in state.items()}


def assert_same(one, other):
    one, other = everything(one), everything(other)
    assert [name for name in one if one[name] != other[name]] == []


@pytest.mark.parametrize("settings", VARIED.values(), ids=VARIED)
def test_a_run_that_was_opened_goes_on_as_the_one_that_never_stopped(settings):
    run = trained(settings)
    other = reopened(run)
    assert_same(other, run)
    assert_same(advance(other, 20), advance(run, 20))


@pytest.mark.parametrize("settings", VARIED.values(), ids=VARIED)
def test_saving_never_moves_training(settings):
    saved, unseen = trained(settings), trained(settings)
    save(kept(saved, TEXT))
    assert _bytes(advance(saved, 20).trainer.state()) == _bytes(advance(unseen, 20).trainer.state())


def test_what_was_seen_is_the_same_to_the_second():
    run = trained()
    other = reopened(run)
    assert other.history.training.points == run.history.training.points
    assert other.history.epochs.points == run.history.epochs.points
    assert other.history.flags == run.history.flags
    assert [moment.point for moment in other.history.moments.kept] == [moment.point for moment in run.history.moments.kept]
    assert other.now().point == run.now().point


@pytest.mark.parametrize("overflow", [np.nan, np.inf])
def test_a_network_that_has_overflowed_is_not_saved(overflow):
    run = advance(begun(SMALL), 3)
    run.trainer.params.W_hh[0, 0] = overflow
    with pytest.raises(ValueError, match="overflowed"):
        kept(run, TEXT)


def test_a_run_that_has_not_begun_can_be_saved():
    run = begun(SMALL)
    assert_same(advance(reopened(run), 20), advance(run, 20))


def test_it_is_judged_on_the_tokens_that_it_began_with():
    run = advance(begun(SMALL), 10)
    run.change(carry_state=False)  # from its start on it would be judged on other tokens
    np.testing.assert_array_equal(reopened(run).held_out.positions, run.held_out.positions)
    fresh = begun(run.settings)
    assert not np.array_equal(fresh.held_out.positions, run.held_out.positions)


def test_it_can_be_walked_back_and_undone_as_before():
    run = trained()
    other = reopened(run)
    moment, same = (one.history.moments.nearest(30) for one in (run, other))
    assert_same(advance(other.branch(same), 10), advance(run.branch(moment), 10))
    run.undo(), other.undo()
    assert_same(other, run)


def test_what_is_written_is_the_same():
    run = trained()
    assert reopened(run).look().sample == run.look().sample != ""


def test_the_text_is_in_the_file_only_where_it_is_the_readers_own():
    lag = trained(VARIED["lag"])
    assert load(save(kept(lag, TEXT))).own_text == ""
    assert TEXT.encode() not in save(kept(lag, TEXT))
    hostile = TEXT + "\ud800 \U0001f600 <b>é</b> \x00"
    run = begun_with_text(hostile)
    checkpoint = load(save(kept(run, hostile)))
    assert checkpoint.own_text == hostile
    assert_same(advance(reopened(run, hostile), 20), advance(run, 20))


def begun_with_text(text):
    corpus = load_corpus(SMALL, text)
    return Watched(Trainer(SMALL, corpus), corpus)


MANUAL = SMALL.but(corpus="python_manual", max_tokens=4000)


@pytest.mark.parametrize("other", [MANUAL, VARIED["lag"], SMALL], ids=lambda settings: settings.corpus)
def test_another_text_is_refused(other):
    checkpoint = load(save(kept(advance(begun(other), 3), TEXT)))
    elsewhere = load_corpus(other.but(seed=1, lag=5, max_tokens=3999), TEXT)
    with pytest.raises(ValueError, match="text") as refused:
        resumed(checkpoint, elsewhere)
    assert ("Python" in str(refused.value)) == (other.corpus == "python_manual")


def test_a_file_holds_every_setting_that_training_depends_on():
    changed = {"learning_rate": 0.1, "gain": 0.5, "seed": 3, "input_scale": None, "init": "xavier"}
    checkpoint = load(save(kept(begun(SMALL.but(speed=3.0, **changed)), TEXT)))
    assert checkpoint.settings.differing(SMALL.but(**changed)) == []
    assert {KNOBS[name].kind for name in checkpoint.settings.differing(SMALL.but(speed=3.0, **changed))} == {"view"}
