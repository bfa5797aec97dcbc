import math
from itertools import islice

import numpy as np
import pytest

from core.lessons import lesson
from core.models.loss import perplexity_of
from core.models.rnn import backward, forward
from core.text.batches import Windows
from core.text.corpus import load_corpus
from core.training.divergence import Diverged
from core.training.held_out import HeldOut
from core.training.optimizers import OPTIMIZERS
from core.training.tbptt import Trainer
from tests.core.training.corpora import SMALL, corpus, lag_text

LAG = lesson("Memory has an exact value").settings


def run(settings=SMALL, updates=20, changes=None):
    """Parameters and losses after some updates; ``changes``: update -> fields."""
    trainer, losses = Trainer(settings, lag_text()), []
    for _ in range(updates):
        if changes and trainer.step in changes:
            trainer.move(**changes[trainer.step])
        losses.append(next(trainer).loss)
    return trainer, losses


def test_updates_say_where_training_stands():
    trainer, text = Trainer(SMALL, lag_text()), lag_text()
    first, *_, last = islice(trainer, 7)
    per_epoch = len(text.train) // 20
    assert (first.step, last.step, trainer.step) == (1, 7, 7)
    assert (first.tokens, last.tokens, trainer.tokens) == (20, 140, 140)
    assert last.epoch == pytest.approx(7 / per_epoch)
    assert trainer.updates_per_epoch == per_epoch
    assert first.perplexity == pytest.approx(math.exp(first.loss))
    assert first.perplexity == pytest.approx(2, rel=0.05)
    assert last.learning_rate == SMALL.learning_rate


def test_an_update_is_the_equations_and_nothing_else():
    settings = SMALL.but(optimizer="sgd", learning_rate=0.5, clip_norm=0.1, dtype="float64", truncation=2)
    trainer = Trainer(settings, lag_text())
    params, windows, h = trainer.params.copy(), Windows(lag_text().train, 4, 5), None
    for _ in range(5):
        inputs, targets = next(windows)
        trace = forward(params, inputs, h)
        g = backward(params, trace, targets, truncation=2)
        length = np.linalg.norm(g.params.flat)
        params.flat[:] -= 0.5 * g.params.flat * min(1, 0.1 / length)
        h = trace.h[-1]
        update = next(trainer)
        assert update.grad_norm == pytest.approx(length)
        assert update.clipped_norm == pytest.approx(min(length, 0.1))
        np.testing.assert_allclose(trainer.params.flat, params.flat, rtol=1e-12, atol=1e-15)
        np.testing.assert_allclose(trainer.h, h, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_the_same_seed_is_the_same_run(optimizer):
    one, losses = run(SMALL.but(optimizer=optimizer))
    two, again = run(SMALL.but(optimizer=optimizer))
    other, _ = run(SMALL.but(optimizer=optimizer, seed=1))
    assert losses == again
    np.testing.assert_array_equal(one.params.flat, two.params.flat)
    assert not np.array_equal(one.params.flat, other.params.flat)


@pytest.mark.parametrize("embedding_size", [0, 6])
@pytest.mark.parametrize("activation", ["tanh", "relu", "sigmoid"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_every_kind_of_network_trains(activation, embedding_size, dtype):
    trainer, losses = run(SMALL.but(activation=activation, embedding_size=embedding_size, dtype=dtype), 5)
    assert trainer.params.flat.dtype == dtype
    assert np.isfinite(losses).all()


def test_live_fields_act_at_the_next_update():
    for field, value in (("learning_rate", 0.1), ("clip_norm", 1e-3), ("truncation", 1), ("carry_state", False)):
        plain, losses = run()
        moved, bent = run(changes={10: {field: value}})
        assert losses[:10] == bent[:10]
        assert not np.array_equal(plain.params.flat, moved.params.flat), field


@pytest.mark.parametrize("change", [{"hidden_size": 9}, {"seed": 2}, {"optimizer": "sgd"}, {"num_steps": 6}, {"speed": 7.0}])
def test_fields_that_are_not_live_are_refused(change):
    trainer, _ = run(updates=1)
    with pytest.raises(ValueError, match=next(iter(change))):
        trainer.move(**change, learning_rate=0.5)
    assert trainer.settings == SMALL


def test_a_state_is_carried_or_reset():
    carried, _ = run(updates=3)
    before = carried.h.copy()
    assert before.any()
    windows = Windows(lag_text().train, 4, 5)
    windows.position = 15
    for carry in (True, False):
        trainer, _ = run(updates=3)
        params = trainer.params.copy()
        trainer.move(carry_state=carry)
        windows.position = 15
        inputs, targets = next(windows)
        expected = backward(params, forward(params, inputs, before if carry else None), targets).losses.mean()
        assert next(trainer).loss == pytest.approx(float(expected), rel=1e-6)


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_a_state_can_be_gone_back_to_bit_for_bit(optimizer):
    settings = SMALL.but(optimizer=optimizer)
    trainer, _ = run(settings, 7)
    state = trainer.state()
    ahead = [next(trainer) for _ in range(5)]
    other = Trainer(settings.but(seed=SMALL.seed), lag_text())
    for one in (trainer, other):
        one.restore(state)
        assert one.step == 7
        assert [next(one) for _ in range(5)] == ahead


def test_a_state_of_another_network_is_refused():
    trainer, _ = run(updates=2)
    before = trainer.params.flat.copy()
    for wrong in (
        Trainer(SMALL.but(hidden_size=9), lag_text()).state(),
        Trainer(SMALL.but(optimizer="sgd"), lag_text()).state(),
        {k: v for k, v in trainer.state().items() if k != "position"},
    ):
        with pytest.raises(ValueError):
            trainer.restore(wrong)
    np.testing.assert_array_equal(trainer.params.flat, before)


EXPLOSIVE = SMALL.but(activation="relu", init="identity", gain=3.0, learning_rate=1e-3)  # a carried state triples each step


def go_until_it_fails(trainer):
    """The states after every update from now on, and the error at the end."""
    states = [trainer.state()]
    for _ in range(200):
        try:
            next(trainer)
        except Diverged as error:
            return states, error
        states.append(trainer.state())
    raise AssertionError("it did not diverge")


def assert_same_state(trainer, state):
    for name, value in trainer.state().items():
        np.testing.assert_array_equal(value, state[name], err_msg=name)


def test_an_explosion_goes_back_to_the_last_state_known_to_be_finite():
    trainer = Trainer(EXPLOSIVE, lag_text())
    (*_, good, bad), error = go_until_it_fails(trainer)
    assert error.step == bad["step"] + 1
    assert error.last_finite_step == good["step"] == trainer.step
    assert_same_state(trainer, good)


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
@pytest.mark.parametrize("field", ["params", "h"])
def test_the_state_before_the_previous_update_is_the_one_gone_back_to(optimizer, field):
    trainer, _ = run(SMALL.but(optimizer=optimizer), 4)
    good = trainer.state()
    next(trainer)
    (trainer.params.flat if field == "params" else trainer.h)[0] = np.nan
    with pytest.raises(Diverged) as caught:
        next(trainer)
    assert (caught.value.step, caught.value.last_finite_step) == (6, 4)
    assert_same_state(trainer, good)


def test_after_an_explosion_training_can_go_on_with_other_settings():
    trainer = Trainer(EXPLOSIVE, lag_text())
    go_until_it_fails(trainer)
    step = trainer.step
    go_until_it_fails(trainer)
    assert trainer.step == step
    trainer.move(carry_state=False, learning_rate=1e-4)
    assert all(math.isfinite(update.loss) for update in islice(trainer, 50))


def test_a_network_that_begins_broken_fails_at_update_one_and_is_mended():
    trainer = Trainer(SMALL, lag_text())
    begin = trainer.state()
    trainer.params.flat[0] = np.nan
    with pytest.raises(Diverged) as caught:
        next(trainer)
    assert (caught.value.step, caught.value.last_finite_step, trainer.step) == (1, 0, 0)
    assert_same_state(trainer, begin)


def test_a_perplexity_too_large_for_a_number_is_infinite():
    trainer = Trainer(SMALL.but(optimizer="sgd", learning_rate=1e6, clip_norm=0.0), lag_text())  # tanh saturates: no divergence
    losses = {update.perplexity: update.loss for update in islice(trainer, 10)}
    assert losses[math.inf] > 709
    assert math.isfinite(losses[math.inf])


def test_a_text_shorter_than_one_window_is_refused():
    with pytest.raises(ValueError):
        Trainer(SMALL, corpus([0, 1, 0, 1]))


def test_one_symbol_only_trains_and_stays_at_perplexity_one():
    trainer = Trainer(SMALL.but(batch_size=2), corpus([0] * 60, V=1))
    assert all(update.perplexity == pytest.approx(1, abs=1e-6) for update in islice(trainer, 5))


@pytest.mark.parametrize("optimizer", ["sgd", "adagrad", "adam"])
def test_what_it_goes_back_to_is_finite_down_to_the_optimisers_memory(optimizer):
    """A gradient that is finite, but whose squares are not, is as bad as an infinite one."""
    trainer = Trainer(SMALL.but(activation="relu", gain=3.0, num_steps=35, optimizer=optimizer, clip_norm=0.0), lag_text())
    with pytest.raises(Diverged):
        for _ in islice(trainer, 200):
            pass
    assert all(np.isfinite(array).all() for array in trainer.state().values())


def test_the_lag_language_is_learnt_to_its_entropy():
    text = load_corpus(LAG)
    trainer, held_out = Trainer(LAG, text), HeldOut(LAG, text, max_tokens=50_000)
    for _ in range(600_000 // 512):
        next(trainer)
    reached = perplexity_of(held_out.judge(trainer.params, trainer.settings))
    assert reached == pytest.approx(1.2196, rel=0.03)
