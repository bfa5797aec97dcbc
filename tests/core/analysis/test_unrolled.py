"""The forward pass in parts: the parts sum to what the core computes; any text can be read or is refused with a sentence."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.unrolled import (
    MOST,
    exponentials,
    highest_first,
    liveliest,
    most_probable,
    pre_activations,
    read_text,
    read_window,
    suggested_units,
    unroll,
)
from core.models.activations import ACTIVATIONS
from core.models.initialisation import init_params
from core.models.loss import cross_entropy, perplexity
from core.models.rnn import forward
from core.text.corpus import Stream
from core.text.tokenizer import UNK, Tokenizer
from tests.core.gradients import problem

LETTERS = Tokenizer(tuple("machine ."))
WITH_UNKNOWN = Tokenizer((*"machine .", UNK))
WORDS = Tokenizer(("you", "say", "goodbye", "and", "i", "hello", "."), "word")


def network(V=9, H=12, D=0, seed=0, dtype=np.float32):
    params = init_params(V, H, embedding_size=D, gain=1.5, rng=np.random.default_rng(seed), dtype=dtype)
    params.b_h[...] = 0.1
    return params


def text(T=7, V=9, seed=1):
    ids = np.random.default_rng(seed).integers(0, V, T + 1)
    return ids[:-1], ids[1:]


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("D", [0, 4], ids=["one-hot", "embedding"])
def test_states_scores_and_losses_are_the_core_s_in_float64(activation, D):
    params, (tokens, targets) = network(D=D), text()
    u = unroll(params, tokens, targets, activation=activation)
    trace = forward(params.copy(np.float64), tokens[:, None], activation=activation)
    assert np.array_equal(u.h, trace.h[:, 0])
    assert np.array_equal(u.logits, trace.logits[:, 0])
    assert np.array_equal(u.losses, cross_entropy(trace.logits, targets[:, None])[:, 0])
    assert np.allclose(u.p[np.arange(7), targets], np.exp(-u.losses), rtol=1e-12)
    assert np.allclose(u.p.sum(axis=1), 1)


@pytest.mark.parametrize("D", [0, 4], ids=["one-hot", "embedding"])
def test_input_memory_and_bias_sum_to_the_pre_activation(D):
    tokens, targets = text()
    u = unroll(network(D=D), tokens, targets)
    assert np.allclose(u.from_input + u.from_memory + u.bias, u.a, rtol=0, atol=1e-12)
    assert np.allclose(np.tanh(u.a), u.h[1:], rtol=0, atol=1e-12)
    assert np.allclose(u.shares.sum(axis=1), 1)
    assert not u.from_memory[0].any()  # nothing is remembered yet


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize(("H", "N"), [(6, 3), (6, 1), (136, 64)])
def test_pre_activations_are_those_that_made_the_states(activation, H, N):
    trace = problem(activation, H=H, N=N).trace
    a = pre_activations(trace)
    np.testing.assert_allclose(ACTIVATIONS[activation].value(a, a), trace.h[1:], rtol=1e-12, atol=1e-13)


def test_running_perplexity_ends_at_the_perplexity_of_the_text():
    u = unroll(network(), *text())
    assert u.running_perplexity[-1] == pytest.approx(perplexity(u.losses))
    assert np.allclose(np.exp(u.mean_losses), u.running_perplexity)


def test_an_exploded_network_is_read_all_the_same():
    params = network()
    params.W_hh[...] = 1e30
    u = unroll(params, *text(), activation="relu")
    assert u.h.shape == (8, 12)
    assert len(liveliest(u.h[1:], 5)) == 5


def test_the_liveliest_units_vary_most_and_the_highest_comes_first():
    h = np.array([[0.0, 0.0, 0.0], [0.1, 0.9, -0.4], [0.2, -0.9, -0.4]])
    assert liveliest(h, 2).tolist() == [1, 2]
    assert highest_first(h, 2).tolist() == [1, 2]
    assert highest_first(-h, 3).tolist() == [2, 1, 0]


def test_a_text_becomes_pairs():
    reading = read_text("machine", LETTERS)
    assert "".join(LETTERS.symbols(reading.tokens)) == "machin"
    assert "".join(LETTERS.symbols(reading.targets)) == "achine"
    assert reading.notices == ()
    assert len(read_text("you say goodbye and i say hello .", WORDS).tokens) == 7


def test_a_long_text_is_cut_and_it_is_said():
    reading = read_text("machine " * 1250, LETTERS)
    assert len(reading.tokens) == len(reading.targets) == MOST
    assert any(str(MOST) in notice and "10,000" in notice for notice in reading.notices)
    assert read_text("m" * (MOST + 1), LETTERS).notices == ()


def test_unknown_symbols_become_unk_or_are_left_out_and_it_is_said():
    kept = read_text("ma!chin?e", WITH_UNKNOWN)
    assert WITH_UNKNOWN.symbols(kept.tokens) == ["m", "a", UNK, "c", "h", "i", "n", UNK]
    assert "<unk>" in kept.notices[0]
    dropped = read_text("ma!chin?e", LETTERS)
    assert LETTERS.symbols(dropped.tokens) == list("machin")
    assert "left out" in dropped.notices[0]
    assert "!" not in dropped.notices[0]
    assert WORDS.symbols(read_text("you shall say\nhello", WORDS).tokens) == ["you", "say"]


@pytest.mark.parametrize("nothing", ["", "m", "!!!", "👩‍👩‍👧", "שלום", "<b>"])
def test_what_leaves_nothing_to_predict_is_refused_with_a_sentence(nothing):
    with pytest.raises(ValueError, match=r"at least two"):
        read_text(nothing, LETTERS)


@given(
    st.text(st.sampled_from("machine .<>&\"'\n\t\u202eא👩\u0301\x00\ud800"), max_size=120),
    st.sampled_from([LETTERS, WITH_UNKNOWN, WORDS]),
)
def test_any_text_is_read_in_order_or_refused(typed, tokenizer):
    try:
        reading = read_text(typed, tokenizer)
    except ValueError:
        return
    assert 1 <= len(reading.tokens) == len(reading.targets) <= MOST
    assert reading.tokens[1:].tolist() == reading.targets[:-1].tolist()
    assert 0 <= min(reading.tokens) <= max(reading.tokens) < tokenizer.size


def test_suggested_units_do_what_is_said_of_them():
    params = network()
    tokens = np.array([1, 2, 0, 3, 0, 4, 5, 0])
    u = unroll(params, tokens, tokens)
    h = u.h[1:]
    h[...] = 0.01 * np.random.default_rng(0).standard_normal(h.shape)
    h[:, 3] = np.linspace(-0.5, 0.5, 8)
    h[:, 5] = np.where(tokens == 0, 0.9, -0.9)
    found = dict(suggested_units(u))
    assert found["varies most"] == 5
    assert 3 in found.values()
    assert len(set(found.values())) == len(found)


def test_units_are_suggested_for_any_network():
    params = network()
    params.flat[...] = 0
    assert suggested_units(unroll(params, *text()))
    assert suggested_units(unroll(network(H=1), *text(T=1)))
    params.W_hh[...] = 1e30
    assert suggested_units(unroll(params, *text(), activation="relu"))


@given(st.lists(st.sampled_from([0.0, 0.1, 0.2, 0.3]), min_size=1, max_size=20), st.integers(1, 22))
def test_the_most_probable_come_first_and_equals_in_order(p, count):
    p = np.array(p)
    found = most_probable(p, count)
    assert len(found) == min(count, len(p))
    assert p[found].tolist() == sorted(p, reverse=True)[:count]
    assert all(a < b for a, b in pairwise(found) if p[a] == p[b])


@given(st.integers(1, 60), st.integers(1, 25), st.integers(0, 100))
def test_windows_follow_each_other_and_come_round(length, T, number):
    ids = np.arange(length, dtype=np.int32) % 7
    stream = Stream(ids, ids + 1)
    T, windows = min(T, length), length // min(T, length)
    one, next_one = read_window(stream, T, number), read_window(stream, T, number + 1)
    assert len(one.tokens) == T
    assert np.array_equal(one.targets, one.tokens + 1)
    assert np.array_equal(read_window(stream, T, number + windows).tokens, one.tokens)
    if windows > 1:
        text = [(ids[i * T : (i + 1) * T].tolist(), ids[(i + 1) % windows * T :][:T].tolist()) for i in range(windows)]
        assert (one.tokens.tolist(), next_one.tokens.tolist()) in text


def test_the_first_window_is_a_varied_one():
    ids = np.array([0, 0, 0, 0, 1, 2, 1, 1, 3, 4, 5, 6, 0, 1, 0, 1], np.int32)
    assert read_window(Stream(ids, ids), 4).tokens.tolist() == [3, 4, 5, 6]


@pytest.mark.parametrize("highest", [2.0, 40.0, -40.0, 1e300, np.inf, np.nan])
def test_exponentials_can_always_be_read(highest):
    exps, shifted = exponentials(np.array([highest, highest - 1, highest - 2]))
    assert shifted == (highest != 2)
    if np.isfinite(highest):
        assert exps.max() == pytest.approx(1.0 if shifted else np.exp(2))
