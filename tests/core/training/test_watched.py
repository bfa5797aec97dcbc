"""A run that is looked at trains as one that nobody sees; its history tells what happened, and nothing else."""

import math
from itertools import islice, pairwise

import numpy as np
import pytest

from core.models.spectral_radius import spectral_radius
from core.settings import Settings
from core.text.corpus import load_corpus
from core.training import early as module_of_early
from core.training import history as module_of_history
from core.training.divergence import Diverged
from core.training.early import EARLY
from core.training.held_out import next_step
from core.training.tbptt import Trainer
from core.training.watched import Watched

TEXT = "the cat sat on the mat and the dog sat on the log, said the cat to the dog. " * 60
SMALL = Settings(corpus="own", hidden_size=8, batch_size=4, num_steps=5, cosine_until=0)
WILD = SMALL.but(activation="relu", gain=1.0, num_steps=20, optimizer="sgd", learning_rate=1e6, clip_norm=0.0)  # too far at once
VARIED = {
    "by character": SMALL,
    "by word": SMALL.but(unit="word", embedding_size=6),
    "nothing held out": SMALL.but(validation_share=0.0, carry_state=False),
    "lag language": SMALL.but(corpus="lag", max_tokens=3000, truncation=3),
    "echo task": SMALL.but(corpus="echo", max_tokens=3000, carry_state=False),
    "double precision": SMALL.but(dtype="float64", activation="sigmoid", optimizer="adagrad"),
}


def trainer(settings=SMALL):
    return Trainer(settings, load_corpus(settings, TEXT))


def watched(settings=SMALL):
    return Watched(trainer(settings), load_corpus(settings, TEXT))


def trained(settings=SMALL, updates=20):
    run = watched(settings)
    advance(run, updates)
    return run


def advance(run, updates):
    for _ in islice(run, updates):
        pass


def run_until_diverged(run):
    with pytest.raises(Diverged) as stopped:
        advance(run, 1000)
    return stopped.value


def test_there_are_enough_updates_as_soon_as_the_rate_is_zero_and_as_long_as_it_is():
    run = watched(SMALL.but(cosine_until=20))
    while not run.enough:
        advance(run, 1)
    assert run.step == 20
    run.change(learning_rate=0.5)
    assert run.enough
    run.change(cosine_until=40)
    assert not run.enough
    before = run.trainer.params.flat.copy()
    advance(run, 1)
    assert (run.trainer.params.flat != before).any()


def test_who_looks_at_single_updates_has_each_of_them_judged():
    run = watched()
    advance(run, 3)
    run.settle()
    assert run.history.judged[-1].update == 3
    points = len(run.history.judged)
    run.settle()
    assert len(run.history.judged) == points


@pytest.mark.parametrize("settings", VARIED.values(), ids=VARIED)
def test_a_run_that_is_told_its_beginning_is_the_run_that_finds_it(settings):
    one = watched(settings)
    other = Watched(trainer(settings), one.corpus, beginning=one.beginning)
    assert vars(other.look()) == vars(one.look())  # before an update norms are nan, which from Python 3.13 on no dataclass equals
    assert other.settled
    for run in (one, other):
        advance(run, 40)
        run.settle()
    assert [point._replace(seconds=0.0) for point in other.history.judged] == [
        point._replace(seconds=0.0) for point in one.history.judged
    ]
    np.testing.assert_array_equal(other.trainer.params.flat, one.trainer.params.flat)
    assert [moment.update for moment in other.history.moments.kept] == [moment.update for moment in one.history.moments.kept]
    assert [moment.sample for moment in other.history.moments.kept] == [moment.sample for moment in one.history.moments.kept]


@pytest.mark.parametrize("settings", VARIED.values(), ids=VARIED)
def test_looking_never_moves_training(settings):
    unseen, seen = trainer(settings), watched(settings)
    advance(unseen, 120)
    for update in islice(seen, 120):
        if update.step % 10 == 3:
            seen.refresh()
            seen.settle()
        seen.look()
        seen.ghost()
    np.testing.assert_array_equal(seen.trainer.params.flat, unseen.params.flat)
    np.testing.assert_array_equal(seen.trainer.h, unseen.h)


@pytest.mark.parametrize("settings", VARIED.values(), ids=VARIED)
def test_there_is_something_to_see_before_the_first_update(settings):
    run = watched(settings)
    view, V = run.look(), run.corpus.tokenizer.size
    assert view.point.update == view.judged.update == view.sample_update == 0
    assert view.perplexity == pytest.approx(V, rel=0.25)
    assert bool(view.sample) == run.corpus.is_text
    assert set(run.corpus.tokenizer.encode(view.sample)) <= set(range(V))


@pytest.mark.parametrize("settings", VARIED.values(), ids=VARIED)
def test_after_training_the_view_is_of_now(settings):
    run = trained(settings, 150)
    run.refresh()
    view = run.look()
    assert view.point.update == view.sample_update == run.step == 150
    assert view.point.tokens == run.trainer.tokens
    assert 0 < view.clipped_norm <= view.grad_norm
    assert view.perplexity < run.history.judged[0].perplexity
    assert run.held_out.on_training_text == (settings.validation_share == 0)


def test_moments_are_kept_at_powers_of_ten():
    run = trained(updates=100)
    assert [moment.update for moment in run.history.moments.milestones] == [0, 10, 100]
    now = run.trainer.params.flat.copy()
    np.testing.assert_array_equal(run.history.moments.milestones[-1].params.flat, now)
    advance(run, 1)
    np.testing.assert_array_equal(run.history.moments.milestones[-1].params.flat, now)  # a copy, that training leaves alone
    assert not run.history.moments.milestones[-1].params.flat.flags.writeable
    assert [moment.update for moment in run.history.moments.milestones] == [0, 10, 100]


@pytest.mark.parametrize("settings", VARIED.values(), ids=VARIED)
def test_what_a_milestone_s_network_writes_waits_until_something_is_written_anyway(settings):
    run, wrote = watched(settings), []
    for update in (0, 10, 100):
        advance(run, update - run.step)
        wrote.append(run.branch(run.now()).look().sample)
    assert [moment.sample for moment in run.history.moments.milestones] == [wrote[0], None, None]
    run.refresh()
    assert [moment.sample for moment in run.history.moments.milestones] == wrote
    assert run.look().sample_update == 100
    assert not run.history.moments.unwritten


def test_a_run_that_goes_on_from_a_moment_has_written_all_that_is_shown():
    run = trained(updates=30)
    branch = run.branch(run.history.moments.at(10))
    assert branch.look().sample == branch.history.moments.at(10).sample != ""
    assert branch.look().sample_update == branch.step == 10


def test_judged_when_due_and_then_truly_of_that_network():
    run = watched()
    judged = []
    for update in islice(run, 500):
        if run.history.judged[-1].update == update.step:
            fresh = run.held_out.judge(run.trainer.params, run.settings)
            judged.append((update.step, fresh))
    assert set(judged) <= {(point.update, point.nats) for point in run.history.judged}
    assert 2 < len(judged) < 500


def judged_one_by_one(settings, updates):
    """What the held-out text says of the network after each of the first updates."""
    run = watched(settings)
    nats = [run.history.judged[0].nats]
    for _ in islice(run, updates):
        nats.append(run.held_out.judge(run.trainer.params, run.settings))
    return nats


@pytest.mark.parametrize("stops_at", [EARLY, 3 * EARLY, 3000])
def test_every_one_of_the_first_updates_is_judged_as_it_was_then(stops_at):
    run = trained(updates=stops_at)
    run.settle()
    while run.catch_up():
        pass
    early = [point for point in run.history.judged if point.update <= EARLY]
    assert [point.update for point in early] == list(range(EARLY + 1))
    assert [point.nats for point in early] == judged_one_by_one(SMALL, EARLY)
    tokens = run.trainer.tokens // run.step
    assert [point.tokens for point in early] == [tokens * point.update for point in early]


def test_judging_the_first_updates_takes_nothing_from_training():
    """As many judgements as the schedule allows, whoever is judged."""
    run, steps = trained(updates=2000), [0]
    while steps[-1] <= 2000:
        steps.append(next_step(steps[-1], run.held_out.cost))
    assert len(run.history.judged) == len(steps) - 1
    assert sum(point.update <= EARLY for point in run.history.judged) > sum(step <= EARLY for step in steps)


def test_of_large_networks_only_as_many_wait_as_there_is_room_for(monkeypatch):
    run = watched()
    monkeypatch.setattr(module_of_early, "NUMBERS", 3 * run.trainer.params.flat.size)
    advance(run, 20)
    run.settle()
    judged = len(run.history.judged)
    while run.catch_up():
        pass
    assert len(run.history.judged) == judged + 3


def test_time_and_tokens_only_grow():
    run = trained(updates=50)
    for points in (run.history.training.points, run.history.judged):
        for before, after in pairwise(points):
            assert before.update < after.update
            assert before.tokens < after.tokens
            assert before.seconds <= after.seconds


def test_an_epoch_s_mean_is_what_the_second_source_prints():
    """Deep Learning from Scratch 2, 5.5: the losses of an epoch's windows, averaged, and the exponential of that."""
    alone, run = trainer(), trained(updates=3 * trainer().updates_per_epoch)
    losses = np.array([next(alone).loss for _ in range(run.step)]).reshape(3, -1)
    assert [point.epoch for point in run.history.epochs.points] == [1, 2, 3]
    assert [point.perplexity for point in run.history.epochs.points] == pytest.approx(np.exp(losses.mean(axis=1)))


def test_a_live_knob_acts_at_the_next_update_and_leaves_a_flag():
    run = trained()
    run.change(learning_rate=0.5)
    assert next(run).learning_rate == 0.5
    (flag,) = run.history.flags
    assert (flag.name, flag.old, flag.new) == ("learning_rate", SMALL.learning_rate, 0.5)
    assert flag.point.update == 20


@pytest.fixture
def one_move(monkeypatch):
    """However slow this machine is, moves of one knob are one move."""
    monkeypatch.setattr(module_of_history, "SAME_MOVE", math.inf)


def test_a_drag_is_one_flag_from_where_it_began(one_move):
    run = trained()
    for rate in (0.005, 0.0065, 0.007):
        run.change(learning_rate=rate)
        advance(run, 2)
    (flag,) = run.history.flags
    assert (flag.old, flag.new, flag.point.update) == (SMALL.learning_rate, 0.007, 20)


def test_a_drag_back_to_where_it_began_leaves_no_flag(one_move):
    run = trained()
    run.change(learning_rate=0.5)
    run.change(learning_rate=SMALL.learning_rate)
    assert run.history.flags == []


def test_a_later_move_of_the_same_knob_is_another_flag(monkeypatch):
    monkeypatch.setattr(module_of_history, "SAME_MOVE", 0.0)
    run = trained()
    run.change(learning_rate=0.5)
    run.change(learning_rate=0.25)
    assert [(flag.old, flag.new) for flag in run.history.flags] == [(SMALL.learning_rate, 0.5), (0.5, 0.25)]


def test_two_knobs_are_two_flags():
    run = trained()
    run.change(learning_rate=0.5)
    run.change(clip_norm=0.1)
    run.change(learning_rate=0.6)
    assert [flag.name for flag in run.history.flags] == ["learning_rate", "clip_norm", "learning_rate"]


def test_undo_puts_the_last_knob_back():
    run = trained()
    run.undo()  # nothing to undo
    assert run.settings == SMALL
    run.change(clip_norm=0.1)
    run.change(learning_rate=0.5)
    run.undo()
    assert run.settings == SMALL.but(clip_norm=0.1)
    assert len(run.history.flags) == 3  # it is a move like another, so the curve tells it
    run.undo()
    assert run.settings == SMALL
    run.undo()  # nothing more to undo
    assert len(run.history.flags) == 4


def test_a_move_right_after_an_undo_is_a_move_of_its_own(one_move):
    run = trained()
    run.change(learning_rate=0.5)
    run.undo()
    run.change(learning_rate=0.25)
    run.undo()
    assert run.settings.learning_rate == SMALL.learning_rate


@pytest.mark.parametrize("knobs", [{"hidden_size": 9}, {"learning_rate": -1.0}, {"truncation": 0}, {"temperature": 0.7}])
def test_a_knob_that_is_not_live_or_not_valid_changes_nothing(knobs):
    run = trained()
    with pytest.raises(ValueError):
        run.change(**knobs)
    assert run.settings == SMALL
    assert run.history.flags == []


def test_a_ghost_is_the_judged_curve_in_few_points(monkeypatch):
    monkeypatch.setattr(module_of_history, "GHOST_POINTS", 4)
    run = trained(updates=200)
    ghost = run.ghost()
    assert len(ghost.points) < len(run.history.judged)
    assert len(ghost.points) <= 5  # and the last
    assert ghost.points[0] == run.history.judged[0]
    assert ghost.points[-1] == run.history.judged[-1]
    assert ghost.settings == run.settings


def test_a_ghost_keeps_its_network_as_it_was():
    run = trained(SMALL.but(dtype="float64"))
    ghost, at_the_end = run.ghost(), run.trainer.params.copy()
    advance(run, 3)
    assert ghost.params.dtype == np.float32
    np.testing.assert_array_equal(ghost.params.flat, at_the_end.flat.astype(np.float32))
    assert not ghost.params.flat.flags.writeable
    assert ghost.tokenizer is run.corpus.tokenizer


def test_a_network_too_large_to_keep_leaves_its_curve(monkeypatch):
    run = trained()
    monkeypatch.setattr(module_of_history, "GHOST_NUMBERS", run.trainer.params.flat.size - 1)
    assert run.ghost().params is None
    assert run.ghost().points


def test_a_diverged_run_stands_at_the_last_finite_update():
    run = watched(WILD)
    stopped = run_until_diverged(run)
    assert run.step == stopped.last_finite_step < stopped.step
    assert np.isfinite(run.trainer.params.flat).all()
    seen = [*run.history.training.points, *run.history.judged, *run.history.moments.kept]
    assert max(point.update for point in seen) <= run.step  # what was undone did not happen
    assert math.isfinite(run.look().judged.nats)
    assert run.look().sample


def test_a_diverged_run_goes_on_with_a_smaller_rate():
    run = watched(WILD)
    run_until_diverged(run)
    run.change(learning_rate=1e-3)
    advance(run, 50)
    updates = [point.update for point in run.history.training.points]
    assert updates == sorted(set(updates))
    assert math.isfinite(run.look().perplexity)
    assert run.look().judged.update > 0


def test_a_knob_moved_at_an_update_that_is_undone_holds_from_where_the_run_went_back():
    stopped = run_until_diverged(watched(WILD))
    run = watched(WILD)
    advance(run, stopped.step - 1)
    run.change(learning_rate=1e-3)
    run_until_diverged(run)
    (flag,) = run.history.flags
    assert flag.point.update == run.step < stopped.step - 1
    assert flag.point.tokens == run.trainer.tokens
    assert run.history.moves == [flag]
    advance(run, 5)
    assert run.history.until(run.step).flags == [flag]


def test_a_network_that_cannot_write_keeps_its_last_sample():
    run = trained()
    run.refresh()
    before = run.look()
    run.trainer.params.flat[:] = np.nan
    run.refresh()
    assert (run.look().sample, run.look().sample_update) == (before.sample, before.sample_update)


def test_a_network_that_cannot_be_judged_says_so_and_can_be_looked_at():
    run = watched(SMALL.but(activation="relu", gain=5.0, input_scale=3.0, num_steps=20))  # its carried state explodes
    assert math.isnan(run.look().perplexity)
    advance(run, 1)
    assert run.look().point.update == 1


def test_a_perplexity_beyond_all_numbers_is_infinite():
    run = watched(SMALL.but(learning_rate=1e6, clip_norm=0.0))
    advance(run, 3)
    run.settle()
    assert run.look().perplexity == math.inf
    assert math.isfinite(run.look().judged.nats)


def test_weights_that_explode_while_writing_can_still_be_opened():
    run = watched(SMALL.but(activation="relu", init="identity", gain=5.0, input_scale=1.0, output_scale=None))
    assert run.look().sample == ""
    assert run.look().point.update == 0


def test_the_spectral_radius_can_be_set_between_two_updates_and_put_back(one_move):
    run = trained()
    natural = spectral_radius(run.trainer.params.W_hh)
    others = run.trainer.params.W_hq.copy()
    run.scale_to_radius(2.0)
    (flag,) = run.history.flags
    assert (flag.old, flag.new) == (pytest.approx(natural, rel=1e-3), 2.0)
    assert spectral_radius(run.trainer.params.W_hh) == pytest.approx(2.0, rel=1e-5)
    assert np.array_equal(run.trainer.params.W_hq, others)
    advance(run, 3)
    run.undo()
    assert spectral_radius(run.trainer.params.W_hh) == pytest.approx(natural, rel=1e-3)


@pytest.mark.parametrize("change", [{"spectral_radius": 2.0}, {"carry_state": False}], ids=str)
def test_a_network_changed_by_hand_is_judged_anew_though_no_update_was_done(change):
    run = trained()
    run.settle()
    before, progress = run.look().judged, run.progress
    run.change(learning_rate=0.5)
    assert run.settled
    assert run.progress == progress  # the same network, reading in the same way
    if "spectral_radius" in change:
        run.scale_to_radius(change["spectral_radius"])
    else:
        run.change(**change)
    assert not run.settled
    assert run.progress != progress
    run.settle()
    judged = run.look().judged
    assert judged.update == before.update
    assert judged.nats == run.held_out.judge(run.trainer.params, run.settings) != before.nats


def test_a_network_without_a_spectral_radius_is_left_alone():
    run = watched()
    run.trainer.params.W_hh[...] = 0
    run.scale_to_radius(2.0)
    assert run.history.flags == []


def test_a_radius_that_ends_the_run_is_taken_back_with_its_flag():
    run = trained(WILD.but(learning_rate=1e-3))
    before = run.trainer.params.W_hh.copy()
    run.scale_to_radius(1e30)
    run_until_diverged(run)
    assert run.history.flags == []
    assert np.allclose(run.trainer.params.W_hh, before, atol=0.1)


def test_a_run_is_kept_at_updates_evenly_apart_and_before_knobs_are_moved():
    run = trained(updates=300)
    updates = [moment.update for moment in run.history.moments.kept]
    assert updates[:9] == list(range(9))
    assert all(1 < later / earlier <= 1.2 for earlier, later in pairwise(updates[10:]))
    advance(run, 2)
    run.change(learning_rate=0.5)
    assert run.history.moments.kept[-1].update == 302
    assert run.history.moments.kept[-1].settings == SMALL
    run.change(learning_rate=0.6)  # the same move
    run.change(learning_rate=0.6)  # no move
    assert [moment.update for moment in run.history.moments.kept if moment.before_move] == [302]


def test_a_drag_while_it_trains_is_one_moment_to_come_back_to(one_move):
    run = trained(updates=20)
    for rate in (0.1, 0.2, 0.3):
        run.change(learning_rate=rate)
        advance(run, 1)
    assert [moment.update for moment in run.history.moments.kept if moment.before_move] == [20]
    assert run.before_last_move().update == 20


def test_a_network_that_had_overflowed_can_be_looked_back_at():
    run = trained(updates=5)
    run.trainer.params.flat[:] = np.inf
    with np.errstate(all="ignore"):
        moment = run.now()
        back = run.look_back(moment)
    assert back.sample == ""
    assert not math.isfinite(back.perplexity)


@pytest.mark.parametrize("settings", VARIED.values(), ids=VARIED)
def test_a_branch_goes_on_bit_for_bit_as_the_run_did(settings):
    run = trained(settings, 60)
    moment = run.history.moments.nearest(40)
    branch = run.branch(moment)
    assert branch.step == moment.update < 60
    assert branch.look().perplexity == run.look_back(moment).perplexity
    advance(branch, 60 - branch.step)
    np.testing.assert_array_equal(branch.trainer.params.flat, run.trainer.params.flat)
    np.testing.assert_array_equal(branch.trainer.h, run.trainer.h)
    assert [p[:2] for p in branch.history.training.points] == [p[:2] for p in run.history.training.points]
    assert [p.nats for p in branch.history.training.points] == [p.nats for p in run.history.training.points]
    assert branch.history.moments.first is run.history.moments.first


def test_a_branch_leaves_the_run_as_it_was():
    run = trained(updates=60)
    now, curve, kept = run.trainer.params.flat.copy(), run.history.training.points[:], run.history.moments.kept
    branch = run.branch(run.history.moments.nearest(20))
    branch.change(learning_rate=0.5)
    advance(branch, 10)
    np.testing.assert_array_equal(run.trainer.params.flat, now)
    assert run.history.training.points == curve
    assert run.history.moments.kept == kept
    assert not run.history.flags
    assert branch.serial != run.serial


def test_looking_back_shows_the_network_as_it_was():
    run = trained(updates=10)
    run.settle()
    run.refresh()
    then = run.look()
    moment = run.history.moments.at(10)
    advance(run, 30)
    back = run.look_back(moment)
    assert back.perplexity == then.perplexity
    assert back.sample == then.sample
    assert back.grad_norm == then.grad_norm
    assert back.point == moment.point
    assert back.settings == SMALL


def test_a_branch_remembers_the_knobs_moved_before_it_and_no_others():
    run = trained(updates=20)
    run.change(learning_rate=0.5)
    advance(run, 20)
    run.change(clip_norm=0.1)
    before = run.history.moments.at(40)
    advance(run, 20)
    assert run.before_last_move() is before
    branch = run.branch(before)
    assert [flag.name for flag in branch.history.flags] == ["learning_rate"]
    assert branch.settings.clip_norm == SMALL.clip_norm
    assert branch.before_last_move().update == 20


def test_nothing_is_gone_back_to_where_nothing_was_learnt_since():
    run = trained(updates=20)
    assert run.before_last_move() is None
    run.change(learning_rate=0.5)
    assert run.before_last_move() is None


def test_a_run_that_diverged_can_be_walked_back_further():
    calm = WILD.but(learning_rate=1e-3)
    run = trained(calm, 30)
    run.change(learning_rate=WILD.learning_rate)
    run_until_diverged(run)
    earlier = run.history.moments.nearest(20)
    assert earlier.update < run.step
    branch = run.branch(earlier)
    advance(branch, 20)
    assert branch.settings == calm
    assert np.isfinite(branch.trainer.params.flat).all()
