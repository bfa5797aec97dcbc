import numpy as np
import pytest

from core.text.corpus import load_corpus
from core.text.languages import echo_floor_with_reset, lag_floor, lag_floor_with_reset
from core.training.experiments import comparisons
from core.training.held_out import HeldOut
from core.training.tbptt import Trainer
from tests.core.training.runs import SMALL, advance, lag_text

FAST = SMALL.but(learning_rate=0.1)


@pytest.fixture
def comparison():
    trainers = {"a": Trainer(SMALL, lag_text()), "b": Trainer(FAST, lag_text())}
    return comparisons.OrderComparison(trainers, HeldOut(SMALL, lag_text()))


def test_every_trainer_does_the_updates_that_it_would_do_alone_and_is_judged(comparison):
    alone = advance(Trainer(FAST, lag_text()), 60)
    assert set(next(comparison)) == {"a", "b"}
    assert advance(comparison, 59).step == 60
    np.testing.assert_array_equal(comparison.trainers["b"].params.flat, alone.params.flat)
    a, b = comparison.judged.values()
    assert [point.update for point in a] == [point.update for point in b]
    assert a[0].update == 0
    assert len(a) > 5
    assert a[-1].nats == pytest.approx(comparison.held_out.judge(comparison.trainers["a"].params, SMALL), rel=0.2)


def test_in_the_race_of_orders_both_begin_equal_and_read_the_same_windows():
    settings = comparisons.order_settings(SMALL.but(hidden_size=2 * comparisons.ORDER_UNITS, num_steps=8, truncation=2))
    trainers = comparisons.order_comparison(settings, load_corpus(settings)).trainers
    assert settings.hidden_size == comparisons.ORDER_UNITS
    assert settings.truncation is None
    a, b = trainers["in order"], trainers["shuffled"]
    np.testing.assert_array_equal(a.params.flat, b.params.flat)
    read = [one._windows for one in (a, b)]
    rows = [np.concatenate([next(one)[0].T for _ in range(one.updates_per_epoch)]) for one in read]  # of an epoch: (rows, T)
    assert not np.array_equal(*rows)
    np.testing.assert_array_equal(*(np.array(sorted(read.tolist())) for read in rows))


@pytest.mark.parametrize("k", [2, 4, 6, 8])
@pytest.mark.parametrize("task", ["lag", "echo"])
def test_truncations_are_around_the_least_that_can_be_learnt_from(task, k):
    taus = comparisons.lengths(task, k)
    assert {comparisons.needed(task, k) - 1, comparisons.needed(task, k), 2 * comparisons.needed(task, k)} <= set(taus)
    assert len(taus) == len(set(taus)) <= 8
    assert min(taus) >= 1


def test_in_the_race_of_truncations_only_the_cut_differs_or_the_window_with_it():
    for blocks in (False, True):
        plans = comparisons.sweep_settings(comparisons.TASK_RECIPE, (2, 5), 2, blocks=blocks)
        fields = {name for plan in plans for name in plans[0].differing(plan)}
        assert fields == {"truncation", "seed", *(["num_steps"] if blocks else [])}


def test_the_expected_perplexity_is_the_bound_with_reset_and_otherwise_2_or_the_best():
    taus = (3, 4, 5)
    assert comparisons.expected("echo", 4, taus, blocks=True, carried=False) == [echo_floor_with_reset(4, tau) for tau in taus]
    assert comparisons.expected("lag", 4, taus, blocks=True, carried=False) == [lag_floor_with_reset(4, tau) for tau in taus]
    assert comparisons.expected("lag", 4, taus, blocks=False, carried=True) == [2.0, lag_floor(), lag_floor()]
    assert comparisons.expected("lag", 4, taus, blocks=False, carried=False)[1] == lag_floor_with_reset(4, 32)
    assert comparisons.expected("text", 4, taus, blocks=True, carried=True) == []
