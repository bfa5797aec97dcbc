"""A run continues from its file as it was saved."""

import numpy as np
import pytest

from core.config.settings import KNOBS
from core.text.corpus import load_corpus
from core.training.checkpoint.checkpoint import load, save
from core.training.checkpoint.conversion import from_checkpoint, to_checkpoint
from tests.core.training.runs import ON_TEXT, TEXT, VARIED, advance, monitored, varied

MOVES = {"learning_rate": 0.01, "clip_norm": 0.0, "truncation": 2, "carry_state": None, "cosine_until": 90, "weight_decay": 0.1}


def trained(settings=ON_TEXT, updates=40):
    """A run after several changes of live settings, with its milestones' samples written."""
    run = monitored(settings)
    for name, value in MOVES.items():
        advance(run, updates // len(MOVES))
        run.change(**{name: not settings.carry_state if name == "carry_state" else value})
    run.scale_to_radius(1.5)
    run.resample()
    return run


def reopened(run, text=TEXT):
    """The run restored from its file alone."""
    checkpoint = load(save(to_checkpoint(run, text)))
    return from_checkpoint(checkpoint, load_corpus(checkpoint.begun_with, checkpoint.own_text))


def _bytes(state):
    return {name: np.asarray(part).tobytes() for name, part in state.items()}


def everything(run, seconds=True):
    """All values of a run in charts, cards and tables. ``seconds``: including measured times."""
    history, view = run.history, run.view()

    def timed(points):
        return [point if seconds else point._replace(seconds=0.0) for point in points]

    return {
        "settings": run.settings,
        "step": run.step,
        "state": _bytes(run.trainer.state()),
        "judged": timed(history.judged[:-1]) + timed([history.judged[-1]._replace(seconds=0.0)]),  # the last one is repeated
        "training": timed(history.training.points),
        "smooth": history.training.smooth,
        "filling": history.training.filling,
        "epochs": timed(history.epochs.points),
        "flags": [(*timed([flag.point]), flag.name, flag.old, flag.new) for flag in history.flags],
        "moves": [history.flags.index(move) for move in history.moves],
        "moments": [
            (moment.update, _bytes(moment.state), moment.settings, moment.last, moment.sample or "", moment.before_move)
            for moment in history.moments.kept
        ],
        "moments' points": timed(moment.point for moment in history.moments.kept[1:]),  # before the first update its loss is nan
        "view": (view.grad_norm, view.clipped_norm, view.perplexity),
    }


def assert_same(one, other, seconds=False):
    one, other = everything(one, seconds), everything(other, seconds)
    assert [name for name in one if one[name] != other[name]] == []


@varied
def test_a_saved_run_goes_on_as_one_that_was_never_saved(settings):
    run, never_saved = trained(settings), trained(settings)
    other = reopened(run)
    assert_same(other, run, seconds=True)
    for one in (run, other, never_saved):
        advance(one, 20)
    assert_same(other, run)
    assert _bytes(run.trainer.state()) == _bytes(never_saved.trainer.state())


def test_a_reopened_run_is_evaluated_on_its_original_tokens_whatever_was_moved():
    run = advance(monitored(), 10)
    run.change(carry_state=False)
    for other in (reopened(run), monitored(run.settings)):
        np.testing.assert_array_equal(other.held_out.positions, run.held_out.positions)


def test_after_reopening_a_branch_undo_and_the_sample_are_as_before():
    run = monitored()  # a run that has not begun
    assert_same(advance(reopened(run), 20), advance(run, 20))
    run = trained()
    other = reopened(run)
    assert other.view().sample == run.view().sample != ""
    moment, same = (one.history.moments.nearest(30) for one in (run, other))
    assert_same(advance(other.branch(same), 10), advance(run.branch(moment), 10))
    run.undo(), other.undo()
    assert_same(other, run)


def test_the_text_is_in_the_file_only_where_it_is_the_readers_own():
    lag = save(to_checkpoint(monitored(VARIED["lag"]), TEXT))
    assert load(lag).own_text == ""
    assert TEXT.encode() not in lag
    hostile = TEXT + "\ud800 \U0001f600 <b>é</b> \x00"
    run = monitored(ON_TEXT, hostile)
    assert load(save(to_checkpoint(run, hostile))).own_text == hostile
    assert_same(advance(reopened(run, hostile), 20), advance(run, 20))


def test_which_flags_can_be_put_back_is_found_in_one_pass_over_the_moves():
    passes = []

    class Moves(list):
        def __iter__(self):
            passes.append(1)
            return super().__iter__()

    run = trained()
    run.history.moves = Moves(run.history.moves)
    assert len(to_checkpoint(run, TEXT).document["moves"]) == len(run.history.moves) > 1
    assert len(passes) == 1


MANUAL = ON_TEXT.but(corpus="python_manual", max_tokens=4000)


@pytest.mark.parametrize("settings", [MANUAL, VARIED["lag"], ON_TEXT], ids=lambda settings: settings.corpus)
def test_another_text_is_refused(settings):
    checkpoint = load(save(to_checkpoint(advance(monitored(settings), 3), TEXT)))
    elsewhere = load_corpus(settings.but(seed=1, lag=5, max_tokens=3999), TEXT)
    with pytest.raises(ValueError, match="text") as refused:
        from_checkpoint(checkpoint, elsewhere)
    assert ("Python" in str(refused.value)) == (settings.corpus == "python_manual")


def test_a_file_holds_every_setting_that_training_depends_on():
    changed = {"learning_rate": 0.1, "gain": 0.5, "seed": 3, "input_scale": None, "init": "xavier"}
    checkpoint = load(save(to_checkpoint(monitored(ON_TEXT.but(speed=3.0, **changed)), TEXT)))
    assert checkpoint.settings.differing(ON_TEXT.but(**changed)) == []
    assert {KNOBS[name].kind for name in checkpoint.settings.differing(ON_TEXT.but(speed=3.0, **changed))} == {"view"}
