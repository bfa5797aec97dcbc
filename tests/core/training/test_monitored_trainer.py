import math
import threading
from itertools import islice

import numpy as np
import pytest

from core.models.initialisation import spectral_radius
from core.models.loss import perplexity_of
from core.text.corpus import load_corpus
from core.training import history
from core.training.held_out import EARLY_UPDATES
from core.training.run import monitored_trainer
from core.training.run.monitored_run import MonitoredRun
from core.training.run.monitored_trainer import MonitoredTrainer
from core.training.tbptt import Diverged, Trainer
from tests.core.training.runs import ON_TEXT, TEXT, advance, monitored, varied
from tests.core.training.waiting import LIMIT

WILD = ON_TEXT.but(activation="relu", gain=1.0, num_steps=20, optimizer="sgd", learning_rate=1e6, clip_norm=0.0)  # diverges


def trainer(settings):
    return Trainer(settings, load_corpus(settings, TEXT))


def trained(settings=ON_TEXT, updates=20):
    return advance(monitored(settings), updates)


def run_until_diverged(run):
    with pytest.raises(Diverged) as stopped:
        advance(run, 1000)
    return stopped.value


@pytest.fixture
def one_move(monkeypatch):
    """Consecutive changes of one setting count as one change, however slow the machine is."""
    monkeypatch.setattr(history, "SAME_MOVE", math.inf)


@varied
def test_judging_and_sampling_never_change_training(settings):
    unseen, seen = advance(trainer(settings), 120), monitored(settings)
    for update in islice(seen, 120):
        if update.step % 10 == 3:
            seen.resample()
            seen.evaluate()
        seen.view()
        seen.ghost()
    np.testing.assert_array_equal(seen.trainer.params.flat, unseen.params.flat)
    np.testing.assert_array_equal(seen.trainer.h, unseen.h)


@varied
def test_the_view_is_of_the_untrained_network_and_then_of_the_trained_one(settings):
    run = monitored(settings)
    V, view = run.corpus.tokenizer.size, run.view()
    assert view.point.update == view.judged.update == view.sample_update == 0
    assert view.perplexity == pytest.approx(V, rel=0.25)
    assert bool(view.sample) == run.corpus.is_text
    advance(run, 150).resample()
    view, moment = run.view(), run.now()
    assert view.point.update == view.sample_update == run.step == 150
    assert view.point.tokens == run.trainer.tokens
    assert 0 < view.clipped_norm <= view.grad_norm
    assert view.perplexity < run.history.judged[0].perplexity
    assert run.held_out.on_training_text == (settings.validation_share == 0)
    run.evaluate()
    view, back = run.view(), advance(run, 30).view_of(moment)
    assert (back.perplexity, back.sample, back.grad_norm) == (view.perplexity, view.sample, view.grad_norm)
    assert (back.point, back.settings) == (moment.point, settings)


@varied
def test_a_run_given_the_beginning_of_another_is_the_same_run(settings):
    one = monitored(settings)
    other = MonitoredTrainer(trainer(settings), one.corpus, beginning=one.beginning)
    assert vars(other.view()) == vars(one.view())  # norms are nan before an update: unequal dataclasses from Python 3.13 on
    assert other.is_evaluated
    for run in (one, other):
        advance(run, 40).evaluate()
    judged, again = ([point._replace(seconds=0.0) for point in run.history.judged] for run in (one, other))
    assert judged == again
    np.testing.assert_array_equal(other.trainer.params.flat, one.trainer.params.flat)
    moments, again = ([(moment.update, moment.sample) for moment in run.history.moments.kept] for run in (one, other))
    assert moments == again


def test_judgements_are_made_in_the_order_of_updates():
    run, alone = trained(updates=1000), monitored()
    run.evaluate()
    updates = [point.update for point in run.history.judged]
    assert updates == sorted(set(updates))
    assert updates[:26] == [*range(20), *range(20, EARLY_UPDATES + 1, 2)]
    for point in run.history.judged:
        advance(alone, point.update - alone.step)
        assert point.tokens == alone.trainer.tokens
        assert point.nats == alone.held_out.judge(alone.trainer.params, alone.settings)


def test_between_two_pieces_of_an_update_the_newest_judgement_keeps_its_own_update():
    run = trained(updates=5)
    for update in run.pieces():
        view = run.view()
        if view.judged.update < update.step:
            assert view.judged == run.history.judged[5]
            assert (view.judged.update, view.point.update) == (5, 6)
    assert run.view().judged.update == 6


def test_a_run_stops_when_the_cosine_schedule_reaches_zero():
    run = monitored(ON_TEXT.but(cosine_until=20))
    while not run.stop_reason:
        advance(run, 1)
    assert run.step == 20
    run.change(learning_rate=0.5)
    assert run.stop_reason
    run.change(cosine_until=40)
    assert not run.stop_reason
    before = run.trainer.params.flat.copy()
    assert not np.array_equal(advance(run, 1).trainer.params.flat, before)


def test_a_drag_is_one_flag_and_one_moment_from_where_it_began(one_move):
    run = trained()
    for rate in (0.005, 0.0065, 0.007):
        run.change(learning_rate=rate)
        advance(run, 2)
    (flag,) = run.history.flags
    assert (flag.old, flag.new, flag.point.update) == (ON_TEXT.learning_rate, 0.007, 20)
    assert [(one.update, one.settings) for one in run.history.moments.kept if one.before_move] == [(20, ON_TEXT)]
    assert run.before_last_move().update == 20
    run.change(learning_rate=ON_TEXT.learning_rate)
    assert run.history.moves == []  # nothing to undo
    (flag,) = run.history.flags  # but updates were done with the values on the way
    assert flag.by_update == {20: 0.005, 22: 0.0065, 24: 0.007, 26: ON_TEXT.learning_rate}
    run.change(learning_rate=0.005)
    assert [move.new for move in run.history.moves] == [0.005]


def test_a_drag_that_begins_before_the_first_update_and_goes_on_was_a_move_of_the_run(one_move):
    run = monitored(ON_TEXT)
    run.change(learning_rate=0.005)
    assert run.history.moved_before() == []  # as if it had begun with it
    advance(run, 3)
    run.change(learning_rate=0.006)
    assert run.history.moved_before() == ["learning_rate"]
    assert run.history.moved_before(3) == []


def test_a_run_stops_at_each_line_until_that_is_left_behind():
    run, line = monitored(ON_TEXT), perplexity_of(monitored(ON_TEXT).history.judged[-1].nats) * 0.99
    live = MonitoredRun(run)
    run.hold_at({"a line": line, "above": 2 * line})
    for until in (None, 400):  # play, then "run to update"
        live.play(until)
        assert live.join(LIMIT)
        if until is None:
            held = run.step
            assert (live.snapshot().reason, held > 0) == ("a line", True)
    assert run.step == 400


def test_a_knob_moved_there_and_back_between_two_updates_was_not_moved(one_move):
    run = trained()
    run.change(learning_rate=0.005)
    run.change(learning_rate=ON_TEXT.learning_rate)
    assert run.history.flags == run.history.moves == []


def test_later_moves_and_moves_of_other_knobs_are_flags_of_their_own(one_move, monkeypatch):
    run = trained()
    for moves in ({"learning_rate": 0.5}, {"clip_norm": 0.1}, {"learning_rate": 0.6}):
        run.change(**moves)
    monkeypatch.setattr(history, "SAME_MOVE", 0.0)
    run.change(learning_rate=0.25)
    with pytest.raises(ValueError):
        run.change(clip_norm=0.2, hidden_size=9)  # hidden_size is not live: neither changes
    flags = [(flag.name, flag.old, flag.new) for flag in run.history.flags]
    rates = [("learning_rate", ON_TEXT.learning_rate, 0.5), ("learning_rate", 0.5, 0.6), ("learning_rate", 0.6, 0.25)]
    assert flags == [rates[0], ("clip_norm", ON_TEXT.clip_norm, 0.1), *rates[1:]]


def test_undo_puts_the_last_knob_back_and_is_a_move_of_its_own(one_move):
    run = trained()
    run.change(clip_norm=0.1)
    run.change(learning_rate=0.5)
    run.undo()
    assert run.settings == ON_TEXT.but(clip_norm=0.1)
    assert len(run.history.flags) == 3
    run.change(learning_rate=0.25)
    for undone in (ON_TEXT.but(clip_norm=0.1), ON_TEXT, ON_TEXT):  # the last undo has nothing to undo
        run.undo()
        assert run.settings == undone


def test_the_spectral_radius_can_be_set_between_two_updates_and_put_back(one_move):
    run = trained()
    params = run.trainer.params
    natural, others = spectral_radius(params.W_hh), params.W_hq.copy()
    run.scale_to_radius(2.0)
    (flag,) = run.history.flags
    assert (flag.old, flag.new) == (pytest.approx(natural, rel=1e-3), 2.0)
    assert spectral_radius(params.W_hh) == pytest.approx(2.0, rel=1e-5)
    assert np.array_equal(params.W_hq, others)
    advance(run, 3).undo()
    assert spectral_radius(params.W_hh) == pytest.approx(natural, rel=1e-3)
    params.W_hh[...] = 0  # has no spectral radius
    flags = run.history.flags[:]
    run.scale_to_radius(2.0)
    assert run.history.flags == flags


@pytest.mark.parametrize("change", [lambda run: run.scale_to_radius(2.0), lambda run: run.change(carry_state=False)])
def test_a_network_changed_between_updates_is_judged_anew_and_once(change):
    run = trained()
    run.evaluate()
    before, version = run.view().judged, run.network_version
    run.change(learning_rate=0.5)
    assert (run.is_evaluated, run.network_version) == (True, version)  # the same network, reading in the same way
    change(run)
    assert not run.is_evaluated
    assert run.network_version != version
    run.evaluate()
    judged, points = run.view().judged, run.history.judged[:]
    run.evaluate()
    assert run.history.judged == points
    assert judged.nats == run.held_out.judge(run.trainer.params, run.settings) != before.nats


@varied
def test_milestones_are_powers_of_ten_and_are_written_with_the_next_sample(settings):
    run, wrote, params = monitored(settings), [], []
    for update in (0, 10, 100):
        advance(run, update - run.step)
        wrote.append(run.branch(run.now()).view().sample)
        params.append(run.trainer.params.flat.copy())
    assert [moment.sample for moment in run.history.moments.milestones] == [wrote[0], None, None]
    run.resample()
    assert run.view().sample_update == 100
    advance(run, 1)
    for moment, update, sample, flat in zip(run.history.moments.milestones, (0, 10, 100), wrote, params, strict=True):
        assert (moment.update, moment.sample) == (update, sample)
        np.testing.assert_array_equal(moment.params.flat, flat)
        assert not moment.params.flat.flags.writeable
    assert None not in [moment.sample for moment in run.history.moments.milestones]


@varied
def test_a_branch_goes_on_bit_for_bit_as_the_run_did_and_does_not_change_it(settings):
    run = trained(settings, 60)
    now, curve, moments = run.trainer.params.flat.copy(), run.history.training.points[:], run.history.moments.kept
    moment = run.history.moments.nearest(40)
    branch, other = run.branch(moment), run.branch(moment)
    assert branch.step == branch.view().sample_update == moment.update < 60
    assert bool(branch.view().sample) == run.corpus.is_text
    assert branch.view().perplexity == run.view_of(moment).perplexity
    other.change(learning_rate=0.5)
    advance(other, 10)
    assert len({branch.serial, other.serial, run.serial}) == 3
    np.testing.assert_array_equal(run.trainer.params.flat, now)
    assert (run.history.training.points, run.history.moments.kept, run.history.flags) == (curve, moments, [])
    advance(branch, 60 - branch.step)
    np.testing.assert_array_equal(branch.trainer.params.flat, run.trainer.params.flat)
    np.testing.assert_array_equal(branch.trainer.h, run.trainer.h)
    points, again = ([point._replace(seconds=0.0) for point in one.history.training.points] for one in (run, branch))
    assert points == again
    assert branch.history.moments.first is run.history.moments.first


def test_a_branch_has_the_flags_before_it_and_no_others():
    run = trained(updates=20)
    assert run.before_last_move() is None
    run.change(learning_rate=0.5)
    assert run.before_last_move() is None  # no update since the first change
    advance(run, 20).change(clip_norm=0.1)
    before = run.history.moments.at(40)
    assert advance(run, 20).before_last_move() is before
    branch = run.branch(before)
    assert [flag.name for flag in branch.history.flags] == branch.settings.differing(ON_TEXT) == ["learning_rate"]


def test_the_ghost_of_a_run_is_its_curve_in_few_points_and_a_copy_of_its_network(monkeypatch):
    monkeypatch.setattr(monitored_trainer, "GHOST_POINTS", 4)
    run = trained(ON_TEXT.but(dtype="float64"), updates=200)
    ghost, at_the_end = run.ghost(), run.trainer.params.copy()
    assert len(ghost.points) <= min(5, len(run.history.judged) - 1)
    assert (ghost.points[0], ghost.points[-1]) == (run.history.judged[0], run.history.judged[-1])
    assert (ghost.settings, ghost.tokenizer) == (run.settings, run.corpus.tokenizer)
    advance(run, 3)
    assert ghost.params.dtype == np.float32
    np.testing.assert_array_equal(ghost.params.flat, at_the_end.flat.astype(np.float32))
    assert not ghost.params.flat.flags.writeable
    run.trainer.params.flat[0] = 1e300
    assert np.isinf(run.ghost().params.flat[0])
    monkeypatch.setattr(monitored_trainer, "GHOST_NUMBERS", run.trainer.params.flat.size - 1)
    assert run.ghost().params is None


def test_a_diverged_run_is_at_the_last_finite_update_and_can_go_on():
    run = monitored(WILD)
    stopped = run_until_diverged(run)
    assert run.step == stopped.last_finite_step < stopped.step
    assert np.isfinite(run.trainer.params.flat).all()
    assert max(one.update for one in [*run.history.training.points, *run.history.judged, *run.history.moments.kept]) <= run.step
    assert math.isfinite(run.view().judged.nats)
    assert run.view().sample
    run.change(learning_rate=1e-3)
    advance(run, 50)
    updates = [point.update for point in run.history.training.points]
    assert updates == sorted(set(updates))
    assert math.isfinite(run.view().perplexity)


def test_a_knob_moved_at_an_update_that_is_undone_holds_from_the_restored_one():
    stopped = run_until_diverged(monitored(WILD))
    run = advance(monitored(WILD), stopped.step - 1)
    run.change(learning_rate=1e-3)
    run_until_diverged(run)
    (flag,) = run.history.flags
    assert flag.point.update == run.step < stopped.step - 1
    assert flag.point.tokens == run.trainer.tokens
    assert run.history.moves == [flag]
    advance(run, 5)
    assert run.history.until(run.step).flags == [flag]


def test_a_radius_that_diverges_is_undone_with_its_flag():
    run = trained(WILD.but(learning_rate=1e-3))
    before = run.trainer.params.W_hh.copy()
    run.scale_to_radius(1e30)
    run_until_diverged(run)
    assert run.history.flags == []
    assert np.allclose(run.trainer.params.W_hh, before, atol=0.1)


def test_a_network_that_cannot_write_has_its_last_sample():
    run = trained()
    run.resample()
    before = run.view()
    run.trainer.params.flat[:] = np.nan
    run.resample()
    assert (run.view().sample, run.view().sample_update) == (before.sample, before.sample_update)
    with np.errstate(all="ignore"):
        back = run.view_of(run.now())
    assert back.sample == ""
    assert not math.isfinite(back.perplexity)


def test_an_untrained_network_that_overflows_has_a_view():
    run = monitored(ON_TEXT.but(activation="relu", gain=5.0, input_scale=3.0, num_steps=20))  # its carried state explodes
    assert math.isnan(run.view().perplexity)
    assert advance(run, 1).view().point.update == 1
    run = monitored(ON_TEXT.but(activation="relu", init="identity", gain=5.0, input_scale=1.0, output_scale=None))
    assert run.view().sample == ""


def test_a_move_counts_from_when_it_was_made_also_while_it_is_being_done(monkeypatch):
    run = MonitoredRun(monitored())
    begun, done, move = threading.Event(), threading.Event(), run.source.trainer.move

    def slow_move(**knobs):
        begun.set()
        assert done.wait(LIMIT)
        move(**knobs)

    monkeypatch.setattr(run.source.trainer, "move", slow_move)
    mover = threading.Thread(target=run.change, kwargs={"learning_rate": 0.123}, daemon=True)
    mover.start()
    assert begun.wait(LIMIT)
    assert run.settings.learning_rate == 0.123
    done.set()
    mover.join(LIMIT)
    assert run.settings.learning_rate == run.source.settings.learning_rate == 0.123
