import math
from itertools import islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.lessons import lesson
from core.models.loss import perplexity_of
from core.models.rnn import backward, forward
from core.text.batches import Windows
from core.text.corpus import load_corpus
from core.training.divergence import Diverged
from core.training.held_out import HeldOut
from core.training.optimizers import OPTIMIZERS, clip_by_global_norm, make_optimizer, rate_at
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
        g = backward(trace, targets, truncation=2)
        length = np.linalg.norm(g.params.flat)
        params.flat[:] -= 0.5 * g.params.flat * min(1, 0.1 / length)
        h = trace.h[-1]
        update = next(trainer)
        assert update.grad_norm == pytest.approx(length)
        assert update.clipped_norm == pytest.approx(min(length, 0.1))
        np.testing.assert_allclose(trainer.params.flat, params.flat, rtol=1e-12, atol=1e-15)
        np.testing.assert_allclose(trainer.h, h, rtol=1e-12, atol=1e-15)


def by_hand(name, p, gradients, rates, decay):
    """The published rules with decoupled weight decay, one line each: the decay never passes through an optimiser's memory."""
    m, v, squares = 0.0, 0.0, 0.0
    for t, (g, rate) in enumerate(zip(gradients, rates, strict=True), 1):
        m, v, squares = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g**2, squares + g**2
        adam = (m / (1 - 0.9**t)) / (np.sqrt(v / (1 - 0.999**t)) + 1e-8)
        p = p - rate * {"sgd": g, "adagrad": g / (np.sqrt(squares) + 1e-7), "adam": adam}[name] - rate * decay * p
    return p


class Reported(Trainer):
    """A trainer that keeps the gradients it made, as they were before clipping."""

    def _gradients(self):
        gradients = super()._gradients()
        self.seen = [*getattr(self, "seen", []), gradients.params.flat.copy()]
        return gradients


@given(
    st.sampled_from(list(OPTIMIZERS)),
    st.floats(1e-4, 0.3),
    st.just(0.0) | st.floats(1e-6, 3.0),
    st.just(0) | st.integers(1, 20),
)
def test_decay_and_schedule_are_their_equations(optimizer, rate, decay, until):
    """All parameters shrink by rate in force times decay, biases too; the gradients are those of a run without decay."""
    settings = SMALL.but(
        optimizer=optimizer, learning_rate=rate, weight_decay=decay, cosine_until=until, dtype="float64", clip_norm=0.0
    )
    trainer = Reported(settings, lag_text())
    start, updates = trainer.params.flat.copy(), list(islice(trainer, 12))
    rates = [rate * (1 + math.cos(math.pi * min(i / until, 1))) / 2 if until else rate for i in range(12)]
    assert [update.learning_rate for update in updates] == pytest.approx(rates, abs=0)
    expected = by_hand(optimizer, start, trainer.seen, rates, decay)
    np.testing.assert_allclose(trainer.params.flat, expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_decay_moves_weights_and_no_gradient(optimizer):
    """Of one and the same network the gradient is the same, however it decays."""
    plain, decayed = (Reported(SMALL.but(optimizer=optimizer, weight_decay=decay), lag_text()) for decay in (0.0, 0.5))
    for _ in range(5):
        np.testing.assert_array_equal(*(next(one) and one.seen[-1] for one in (plain, decayed)))
        np.testing.assert_allclose(
            decayed.params.flat, plain.params.flat, atol=1.1 * SMALL.learning_rate * 0.5 * np.abs(plain.params.flat).max()
        )
        assert not np.array_equal(decayed.params.flat, plain.params.flat)
        decayed.restore(plain.state())


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_what_is_frozen_stays_and_all_else_learns_by_its_own_derivative(optimizer):
    settings = SMALL.but(optimizer=optimizer, weight_decay=0.5, clip_norm=0.0)
    free, frozen = Trainer(settings, lag_text()), Trainer(settings, lag_text(), frozen=("W_hh",))
    began = frozen.params.W_hh.copy()
    next(free), next(frozen)
    for name, array in frozen.params.named().items():
        np.testing.assert_array_equal(array, began if name == "W_hh" else getattr(free.params, name))
    for _ in islice(frozen, 20):
        pass
    np.testing.assert_array_equal(frozen.params.W_hh, began)


def test_what_is_frozen_does_not_count_where_a_gradient_is_clipped():
    settings = SMALL.but(clip_norm=1e-3)
    free, frozen = next(Trainer(settings, lag_text())), next(Trainer(settings, lag_text(), frozen=("W_hh", "W_hq")))
    assert settings.clip_norm < frozen.grad_norm < free.grad_norm
    assert frozen.clipped_norm == settings.clip_norm


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_without_decay_and_schedule_an_update_is_the_optimisers_alone_bit_for_bit(optimizer):
    trainer = Reported(SMALL.but(optimizer=optimizer, weight_decay=0.0, cosine_until=0), lag_text())
    params, alone = trainer.params.flat.copy(), make_optimizer(optimizer, trainer.params.flat.size)
    for _ in range(20):
        next(trainer)
        clip_by_global_norm(trainer.seen[-1], SMALL.clip_norm)
        alone.step(params, trainer.seen[-1], SMALL.learning_rate)
        np.testing.assert_array_equal(trainer.params.flat, params)


@given(st.integers(1, 10**7), st.floats(1e-8, 1e6))
def test_the_schedule_falls_from_the_rate_to_exactly_zero(until, rate):
    settings = SMALL.but(learning_rate=rate, cosine_until=until)
    assert rate_at(settings, 0) == rate
    assert rate_at(settings, until) == rate_at(settings, until + 1) == rate_at(settings, 10 * until) == 0
    assert rate_at(settings, until // 2) >= rate / 2 > 0
    falling = [rate_at(settings, until * i // 20) for i in range(21)]
    assert falling == sorted(falling, reverse=True)
    assert rate_at(settings.but(cosine_until=0), until) == rate


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_at_rate_zero_training_rests(optimizer):
    trainer, _ = run(SMALL.but(optimizer=optimizer, cosine_until=6, weight_decay=0.5), 6)
    before, h = trainer.params.flat.copy(), trainer.h.copy()
    assert [update.learning_rate for update in islice(trainer, 5)] == [0] * 5
    np.testing.assert_array_equal(trainer.params.flat, before)
    assert not np.array_equal(trainer.h, h)  # it reads on
    trainer.move(cosine_until=0)
    assert next(trainer).learning_rate == SMALL.learning_rate
    assert not np.array_equal(trainer.params.flat, before)


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
    fields = {"learning_rate": 0.1, "clip_norm": 1e-3, "truncation": 1, "carry_state": False}
    for field, value in (fields | {"cosine_until": 15, "weight_decay": 0.1}).items():
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
        expected = backward(forward(params, inputs, before if carry else None), targets).losses.mean()
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


def read_only(state):
    for array in state.values():
        if isinstance(array, np.ndarray):
            array.flags.writeable = False
    return state


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
@pytest.mark.parametrize("embedding_size", [0, 3])
def test_who_begins_as_another_did_goes_on_bit_for_bit(optimizer, embedding_size):
    settings = SMALL.but(optimizer=optimizer, embedding_size=embedding_size)
    trainer = Trainer(settings, lag_text())
    first = read_only(trainer.state())
    other = Trainer(settings, lag_text(), first=first)
    assert list(islice(other, 5)) == list(islice(trainer, 5))
    assert_same_state(other, trainer.state())
    assert_same_state(Trainer(settings, lag_text()), first)


def test_who_begins_as_another_did_is_mended_at_update_one_as_well():
    first = read_only(Trainer(SMALL, lag_text()).state())
    trainer = Trainer(SMALL, lag_text(), first=first)
    trainer.params.flat[0] = np.nan
    with pytest.raises(Diverged):
        next(trainer)
    assert_same_state(trainer, first)
    assert list(islice(trainer, 3)) == list(islice(Trainer(SMALL, lag_text()), 3))


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
