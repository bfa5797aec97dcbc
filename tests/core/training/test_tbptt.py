import math
from itertools import islice

import numpy as np
import pytest
from hypothesis import given, strategies as st

from core.models.rnn import backward
from core.training import tbptt
from core.training.optimizers import OPTIMIZERS
from core.training.tbptt import Diverged, Trainer
from tests.core.training.runs import SMALL, advance, lag_text


def run(settings=SMALL, updates=20, **changes):
    """A trainer after some updates, and their losses; ``changes`` are made after ten."""
    trainer, losses = Trainer(settings, lag_text()), []
    for _ in range(updates):
        if trainer.step == 10:
            trainer.move(**changes)
        losses.append(next(trainer).loss)
    return trainer, losses


def assert_same_state(trainer, state):
    for name, value in trainer.state().items():
        np.testing.assert_array_equal(value, state[name], err_msg=name)


def test_updates_count_tokens_and_epochs():
    trainer, text = Trainer(SMALL, lag_text()), lag_text()
    first, *_, last = islice(trainer, 7)
    assert (first.step, last.step, trainer.step) == (1, 7, 7)
    assert (first.tokens, last.tokens, trainer.tokens) == (20, 140, 140)
    assert trainer.updates_per_epoch == len(text.train) // 20
    assert last.epoch == pytest.approx(7 / trainer.updates_per_epoch)
    assert first.perplexity == pytest.approx(math.exp(first.loss))
    assert first.perplexity == pytest.approx(2, rel=0.05)
    assert last.learning_rate == SMALL.learning_rate


def updated(name, p, gradients, rates, decay):
    """The parameters ``p`` after these gradients: the published rules, one line each, with decoupled weight decay, which never
    passes through an optimiser's memory."""
    m, v, squares = 0.0, 0.0, 0.0
    for t, (g, rate) in enumerate(zip(gradients, rates, strict=True), 1):
        m, v, squares = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g**2, squares + g**2
        adam = (m / (1 - 0.9**t)) / (np.sqrt(v / (1 - 0.999**t)) + 1e-8)
        p = p - rate * {"sgd": g, "adagrad": g / (np.sqrt(squares) + 1e-7), "adam": adam}[name] - min(rate * decay, 1) * p
    return p


WIDE = SMALL.but(dtype="float64", clip_norm=0.0)
decays, schedules = st.just(0.0) | st.floats(1e-6, 1000.0), st.just(0) | st.integers(1, 20) | st.integers(21, 10**7)


@given(st.sampled_from(list(OPTIMIZERS)), st.floats(1e-4, 0.3), decays, schedules)
def test_optimiser_decay_and_schedule_are_the_published_ones(optimizer, rate, decay, until):
    """All parameters shrink by rate in force times decay, biases too."""
    settings = WIDE.but(optimizer=optimizer, learning_rate=rate, weight_decay=decay, cosine_until=until)
    trainer, gradients = Trainer(settings, lag_text()), []

    def recorded(*given, **how):
        found = backward(*given, **how)
        gradients.append(found.params.flat.copy())
        return found

    start = trainer.params.flat.copy()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tbptt, "backward", recorded)
        updates = list(islice(trainer, 12))
    rates = [rate * (1 + math.cos(math.pi * min(i / until, 1))) / 2 if until else rate for i in range(12)]
    assert [update.learning_rate for update in updates] == pytest.approx(rates, abs=0)
    expected = updated(optimizer, start, gradients, rates, decay)
    np.testing.assert_allclose(trainer.params.flat, expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_frozen_weights_stay_out_of_the_norm_and_all_others_learn(optimizer):
    settings = SMALL.but(optimizer=optimizer, weight_decay=0.5, clip_norm=0.0)
    free, frozen = Trainer(settings, lag_text()), Trainer(settings, lag_text(), frozen=("W_hh",))
    began = frozen.params.W_hh.copy()
    next(free), next(frozen)
    for name, array in frozen.params.named().items():
        np.testing.assert_array_equal(array, began if name == "W_hh" else getattr(free.params, name))
    np.testing.assert_array_equal(advance(frozen, 20).params.W_hh, began)
    free, frozen = (next(Trainer(SMALL.but(clip_norm=1e-3), lag_text(), frozen)) for frozen in ((), ("W_hh", "W_hq")))
    assert frozen.clipped_norm == 1e-3 < frozen.grad_norm < free.grad_norm


LIVE = {"learning_rate": 0.1, "clip_norm": 1e-3, "truncation": 1, "carry_state": False, "cosine_until": 15, "weight_decay": 0.1}


@pytest.mark.parametrize("field", LIVE)
def test_live_settings_act_at_the_next_update(field):
    plain, losses = run(updates=11)
    moved, other = run(updates=11, **{field: LIVE[field]})
    assert losses[:10] == other[:10]
    assert not np.array_equal(plain.params.flat, moved.params.flat)


def test_a_state_of_another_network_is_refused():
    trainer, _ = run(updates=2)
    before = trainer.params.flat.copy()
    larger, sgd = (Trainer(SMALL.but(**other), lag_text()).state() for other in ({"hidden_size": 9}, {"optimizer": "sgd"}))
    for wrong in (larger, sgd, {name: value for name, value in trainer.state().items() if name != "position"}):
        with pytest.raises(ValueError):
            trainer.restore(wrong)
    np.testing.assert_array_equal(trainer.params.flat, before)


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
@pytest.mark.parametrize("embedding_size", [0, 3])
def test_a_trainer_given_a_first_state_or_broken_before_it_began_is_the_same_run(optimizer, embedding_size):
    settings = SMALL.but(optimizer=optimizer, embedding_size=embedding_size)
    trainer = Trainer(settings, lag_text())
    first = trainer.state()
    for array in first.values():
        if isinstance(array, np.ndarray):
            array.flags.writeable = False
    expected = list(islice(trainer, 5))
    for shared in (first, None):
        other, broken = (Trainer(settings, lag_text(), first=shared) for _ in range(2))
        broken.params.flat[0] = np.nan
        with pytest.raises(Diverged) as caught:
            next(broken)
        assert (caught.value.step, caught.value.last_finite_step, broken.step) == (1, 0, 0)
        for one in (other, broken):
            assert list(islice(one, 5)) == expected
            assert_same_state(one, trainer.state())
    assert_same_state(Trainer(settings, lag_text()), first)


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
@pytest.mark.parametrize("field", ["params", "h"])
def test_after_a_nan_the_state_before_the_previous_update_is_restored(optimizer, field):
    trainer, _ = run(SMALL.but(optimizer=optimizer), 4)
    good = trainer.state()
    next(trainer)
    (trainer.params.flat if field == "params" else trainer.h)[0] = np.nan
    with pytest.raises(Diverged) as caught:
        next(trainer)
    assert (caught.value.step, caught.value.last_finite_step) == (6, 4)
    assert_same_state(trainer, good)


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_after_divergence_the_memory_of_the_optimiser_is_finite(optimizer):
    """A gradient that is finite, but whose squares are not, is as bad as an infinite one."""
    trainer = Trainer(SMALL.but(activation="relu", gain=3.0, num_steps=35, optimizer=optimizer, clip_norm=0.0), lag_text())
    with pytest.raises(Diverged):
        advance(trainer, 200)
    for name, array in trainer.state().items():
        assert np.isfinite(array).all(), name
