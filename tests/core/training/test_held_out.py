import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from core.config.settings import Settings
from core.models.initialisation import init_params
from core.models.loss import cross_entropy
from core.models.ngram import NgramReader, fit, tokens_of
from core.models.rnn import forward
from core.models.sampling import RnnReader, score
from core.text.token_stream import Windows
from core.training.held_out import EARLY_UPDATES, FEWEST_BLOCKS, HeldOut, Judgement
from tests.core.training.runs import SMALL, corpus, lag_text

rng = np.random.default_rng(0)
TEXT = corpus(rng.integers(0, 5, 4000), rng.integers(0, 5, 3001))
SHORT = corpus(rng.integers(0, 5, 300))


@pytest.fixture
def network():
    return init_params(5, 8, gain=1.5, rng=np.random.default_rng(1), dtype=np.float64)


@pytest.mark.parametrize("carry", [True, False])
def test_the_judgement_is_the_mean_loss_of_rows_read_as_in_training(network, carry):
    """Each row is read separately: with a carried state in one pass, otherwise window by window. Losses have that order."""
    settings, T = SMALL.but(carry_state=carry, dtype="float64"), SMALL.num_steps
    held_out, expected = HeldOut(settings, TEXT), []
    width = held_out.tokens // held_out.rows
    for row in range(held_out.rows):
        part = held_out.positions[row * width : (row + 1) * width]
        x, y = (ids[part][:, None] for ids in (TEXT.held_out.inputs, TEXT.held_out.targets))
        step = width if carry else T
        for start in range(0, width, step):
            logits = forward(network, x[start : start + step]).logits
            expected.append(cross_entropy(logits, y[start : start + step]).ravel())
    expected, before = np.concatenate(expected), network.flat.copy()
    assert held_out.judge(network, settings) == pytest.approx(expected.mean(), rel=1e-12)
    assert np.concatenate(list(held_out.losses(network, settings))).T.ravel() == pytest.approx(expected, rel=1e-12)
    np.testing.assert_array_equal(network.flat, before)
    first = held_out.positions[width : width + T]  # the second row starts with a zero state
    nats = score(RnnReader(network), np.append(TEXT.held_out.inputs[first], TEXT.held_out.targets[first[-1]]))
    assert expected[width : width + T] == pytest.approx(nats, rel=1e-12)


@pytest.mark.parametrize(
    "change", [{"num_steps": 35}, {"batch_size": 1, "num_steps": 25}, {"hidden_size": 512}, {"carry_state": False}], ids=str
)
def test_runs_are_judged_on_the_same_tokens_whatever_their_sizes(change):
    settings = Settings(corpus="lag")
    one, other = (HeldOut(each, lag_text(settings)) for each in (settings, settings.but(**change)))
    assert one.tokens == 8192
    np.testing.assert_array_equal(one.positions, other.positions)


@pytest.mark.parametrize("num_steps", [1, 7, 64, 512])
@pytest.mark.parametrize("text", [TEXT, SHORT], ids=["held out", "training text"])
def test_with_reset_the_same_tokens_are_judged_whatever_the_window_and_with_an_error(network, text, num_steps):
    settings = SMALL.but(carry_state=False, batch_size=4)
    held_out, other = (HeldOut(each, text) for each in (settings, settings.but(num_steps=num_steps, carry_state=True)))
    if text is TEXT:
        np.testing.assert_array_equal(held_out.positions, other.positions)
    for each in (held_out, other):
        judgement = each.judgement(network, settings)
        assert math.isfinite(judgement.error)
        assert len(judgement.rows) >= FEWEST_BLOCKS
        assert judgement.nats == pytest.approx(np.concatenate(list(each.losses(network, settings))).mean(), rel=1e-12)


def test_the_judged_rows_are_spread_over_the_held_out_text():
    held_out, length = HeldOut(SMALL, TEXT, max_tokens=1000), len(TEXT.held_out)
    assert not held_out.on_training_text
    assert 900 <= held_out.tokens == len(set(held_out.positions)) <= 1000
    assert held_out.positions.min() == 0
    assert length * 0.9 < held_out.positions.max() < length


@pytest.mark.parametrize("carry", [True, False])
def test_counting_models_are_judged_on_the_same_tokens_after_the_same_context(carry):
    """A counting model reads the same as the network: whole rows, or windows if the state is reset."""
    held_out, model = HeldOut(SMALL.but(carry_state=carry), TEXT, max_tokens=1000), fit(tokens_of(TEXT.train), 5)
    rows = held_out.positions.reshape(held_out.rows, -1)
    if not carry:
        T, width = SMALL.num_steps, rows.shape[1]
        rows = [row[start : start + T] for row in rows for start in range(0, width, T)]
    for order, nats in enumerate(held_out.counted_losses(model, carry)):
        reader = NgramReader(model, order)
        read = [reader.read((), TEXT.held_out.inputs[row], TEXT.held_out.targets[row])[1] for row in rows]
        np.testing.assert_allclose(nats, np.concatenate(read), rtol=1e-12)


def test_without_held_out_text_the_training_text_is_judged_in_the_rows_of_training():
    held_out, windows = HeldOut(SMALL, SHORT), Windows(SHORT.train, SMALL.batch_size, SMALL.num_steps)
    assert held_out.on_training_text
    assert held_out.tokens > 250
    rows = held_out.positions.reshape(held_out.rows, -1)[:, : SMALL.num_steps]
    np.testing.assert_array_equal(SHORT.train.inputs[rows].T, next(windows)[0])


@pytest.mark.parametrize("length", [2, 3, 9, 41])
def test_a_held_out_text_may_be_shorter_than_a_window(network, length):
    held_out = HeldOut(SMALL, corpus([0] * 100, rng.integers(0, 5, length)))
    assert held_out.tokens >= min(length - 1, 5)
    assert math.isfinite(held_out.judge(network, SMALL))


def schedule(held_out, until):
    steps = [0]
    while (step := held_out.next_update(steps[-1])) <= until:
        steps.append(step)
    return steps


SIZES = st.tuples(st.integers(1, 128), st.integers(1, 512))


@given(SIZES)
def test_after_the_first_updates_far_more_tokens_are_trained_on_than_judged(sizes):
    N, T = sizes
    held_out = HeldOut(SMALL.but(batch_size=N, num_steps=T), TEXT)
    after = [step for step in schedule(held_out, until=20_000) if step > EARLY_UPDATES]
    assert len(after) * 4 * held_out.tokens <= 20_000 * N * T
    assert schedule(held_out, until=EARLY_UPDATES)[-1] == EARLY_UPDATES


@given(SIZES)
def test_gaps_between_judgements_grow(sizes):
    held_out = HeldOut(SMALL.but(batch_size=sizes[0], num_steps=sizes[1]), TEXT)
    gaps = np.diff(schedule(held_out, until=20_000))
    assert (gaps >= 1).all()
    assert (gaps[1:] >= gaps[:-1]).all()
    assert held_out.next_update(10_000_000) - 10_000_000 >= 10_000_000 // 256


def test_the_standard_error_is_that_of_independent_rows_and_needs_enough_of_them():
    rows = np.random.default_rng(0).normal(3, 0.5, 400)
    assert Judgement(rows, 10).error == pytest.approx(0.5 / 20, rel=0.1)
    assert Judgement(rows, 10).nats == pytest.approx(rows.mean(), rel=1e-12)
    assert math.isnan(Judgement(rows[:3], 10).error)


def test_runs_are_within_noise_by_their_paired_rows():
    rows, other = np.random.default_rng(0).normal(3, 0.5, (2, 40))
    run = Judgement(rows, 10)
    assert run.within_noise(Judgement(other, 10))
    assert not run.within_noise(Judgement(rows + 0.01, 10))  # a difference below the standard error, but the same in every row
    for other_tokens in (Judgement(rows, 11), Judgement(rows[:-1], 10)):
        assert not run.within_noise(other_tokens)
