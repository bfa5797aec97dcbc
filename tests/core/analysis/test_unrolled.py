from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, strategies as st

from core.analysis import unrolled as module
from core.analysis.displayed_text import MOST_STEPS, read_text, read_window
from core.analysis.unrolled import dependence, highest_first, most_probable, suggested_units, top_variance_units, unroll
from core.models.layers import ACTIVATIONS
from core.models.loss import cross_entropy, perplexity
from core.models.rnn import forward
from core.text.tokenizer import UNK, Tokenizer
from tests.core.gradients import problem
from tests.core.networks import network, places, stream, window

LETTERS = Tokenizer(tuple("machine ."))
WITH_UNKNOWN = Tokenizer((*"machine .", UNK))
WORDS = Tokenizer(("you", "say", "goodbye", "and", "i", "hello", "."), "word")


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_pre_activations_are_those_of_the_states(activation):
    for H, N in ((6, 3), (6, 1), (136, 64)):
        trace = problem(activation, H=H, N=N).trace
        a = module.pre_activations(trace)
        np.testing.assert_allclose(ACTIVATIONS[activation].value(a), trace.h[1:], rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("D", [0, 4], ids=["one-hot", "embedding"])
def test_the_parts_are_those_of_the_forward_pass_in_float64(activation, D):
    params, (tokens, targets) = network(D=D, gain=1.5, dtype=np.float32), window()
    params.b_h[...] = 0.1
    u = unroll(params, tokens, targets, activation=activation)
    trace = forward(params.copy(np.float64), tokens[:, None], activation=activation)
    assert np.array_equal(u.h, trace.h[:, 0])
    assert np.array_equal(u.logits, trace.logits[:, 0])
    assert np.array_equal(u.losses, cross_entropy(trace.logits, targets[:, None])[:, 0])
    assert np.allclose(u.p[np.arange(7), targets], np.exp(-u.losses), rtol=1e-12)
    assert np.allclose(u.p.sum(axis=1), 1)
    assert np.allclose(u.from_input + u.from_memory + u.bias, u.a, rtol=0, atol=1e-12)
    assert np.allclose(ACTIVATIONS[activation].value(u.a), u.h[1:], rtol=0, atol=1e-12)
    assert np.allclose(u.shares.sum(axis=1), 1)
    assert not u.from_memory[0].any()  # the first state is zero
    assert np.allclose(np.exp(u.mean_losses), u.running_perplexity)
    assert u.running_perplexity[-1] == pytest.approx(perplexity(u.losses))


def test_a_text_becomes_inputs_and_targets_and_a_long_one_is_cut_with_a_notice():
    reading = read_text("machine", LETTERS)
    assert "".join(LETTERS.symbols(reading.tokens)) == "machin"
    assert "".join(LETTERS.symbols(reading.targets)) == "achine"
    assert len(read_text("you say goodbye and i say hello .", WORDS).tokens) == 7
    long = read_text("machine " * 1250, LETTERS)
    assert len(long.tokens) == len(long.targets) == MOST_STEPS
    assert any(str(MOST_STEPS) in notice and "10,000" in notice for notice in long.notices)
    assert reading.notices == read_text("m" * (MOST_STEPS + 1), LETTERS).notices == ()


def test_unknown_symbols_become_unk_or_are_left_out_with_a_notice():
    kept = read_text("ma!chin?e", WITH_UNKNOWN)
    assert WITH_UNKNOWN.symbols(kept.tokens) == ["m", "a", UNK, "c", "h", "i", "n", UNK]
    dropped = read_text("ma!chin?e", LETTERS)
    assert LETTERS.symbols(dropped.tokens) == list("machin")
    assert len(kept.notices) == len(dropped.notices) == 1
    assert "!" not in dropped.notices[0]
    assert WORDS.symbols(read_text("you shall say\nhello", WORDS).tokens) == ["you", "say"]


@pytest.mark.parametrize("nothing", ["", "m", "!!!", "👩‍👩‍👧", "שלום", "<b>"])
def test_a_text_without_a_token_to_predict_is_refused(nothing):
    with pytest.raises(ValueError, match=r"at least two"):
        read_text(nothing, LETTERS)


@given(
    st.text(st.sampled_from("machine .<>&\"'\n\t\u202eא👩\u0301\x00\ud800"), min_size=20, max_size=120),
    st.sampled_from([LETTERS, WITH_UNKNOWN]),
)
def test_any_text_is_read_in_order_or_refused(typed, tokenizer):
    try:
        reading = read_text(typed, tokenizer)
    except ValueError:
        return
    assert 1 <= len(reading.tokens) == len(reading.targets) <= MOST_STEPS
    assert reading.tokens[1:].tolist() == reading.targets[:-1].tolist()
    assert 0 <= min(reading.tokens) <= max(reading.tokens) < tokenizer.size


def test_suggested_units_have_the_property_that_they_are_suggested_for():
    tokens = np.array([1, 2, 0, 3, 0, 4, 5, 0])
    u = unroll(network(), tokens, tokens)
    h = u.h[1:]
    h[...] = 0.01 * np.random.default_rng(0).standard_normal(h.shape)
    h[:, 3] = np.linspace(-0.5, 0.5, 8)
    h[:, 5] = np.where(tokens == 0, 0.9, -0.9)
    found = dict(suggested_units(u))
    assert found["varies most"] == 5
    assert 3 in found.values()
    assert len(set(found.values())) == len(found)
    h = np.array([[0.0, 0.0, 0.0], [0.1, 0.9, -0.4], [0.2, -0.9, -0.4]])
    assert top_variance_units(h, 2).tolist() == [1, 2]
    assert highest_first(h, 2).tolist() == [1, 2]
    assert highest_first(-h, 3).tolist() == [2, 1, 0]


@pytest.mark.parametrize(("H", "T", "value"), [(7, 7, 0.0), (1, 1, 0.1), (7, 7, 1e30)])
def test_units_are_suggested_for_any_network(H, T, value):
    params = network(H=H)
    params.flat[...] = value
    u = unroll(params, *window(T), activation="relu")
    assert u.h.shape == (T + 1, H)
    assert suggested_units(u)
    assert len(top_variance_units(u.h[1:], 5)) == min(H, 5)


@given(st.lists(st.sampled_from([0.0, 0.1, 0.2, 0.3]), min_size=1, max_size=20), st.integers(1, 22))
def test_most_probable_tokens_come_first_and_equals_in_order(p, count):
    p = np.array(p)
    found = most_probable(p, count)
    assert len(found) == min(count, len(p))
    assert p[found].tolist() == sorted(p, reverse=True)[:count]
    assert all(a < b for a, b in pairwise(found) if p[a] == p[b])


@given(st.integers(1, 60), st.integers(1, 25), st.integers(0, 100))
def test_windows_follow_each_other_from_a_varied_one_and_begin_again(length, T, number):
    text = places(length)
    T = min(T, length)
    many = length // T
    starts = [int(read_window(text, T, number + i).tokens[0]) for i in range(many + 1)]
    assert starts == [(starts[0] + i * T) % (many * T) for i in range(many + 1)]
    one = read_window(text, T, number)
    assert one.tokens.tolist() == list(range(starts[0], starts[0] + T))
    assert np.array_equal(one.targets, one.tokens + 1)
    varied = read_window(stream([0, 0, 0, 0, 1, 2, 1, 1, 3, 4, 5, 6, 0, 1, 0, 1, 0]), 4)
    assert varied.tokens.tolist() == [3, 4, 5, 6]


@pytest.mark.parametrize("highest", [2.0, 40.0, -40.0, 1e300, np.inf, np.nan])
def test_exponentials_neither_overflow_nor_vanish(highest):
    exps, shifted = module.exponentials(np.array([highest, highest - 1, highest - 2]))
    assert shifted == (highest != 2)
    if np.isfinite(highest):
        assert exps.max() == pytest.approx(1.0 if shifted else np.exp(2))


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("D", [0, 4], ids=["one-hot", "embedding"])
@given(seed=st.integers(0, 1000), T=st.integers(1, 12))
def test_a_replaced_token_changes_nothing_before_it_to_the_last_bit(activation, D, seed, T):
    params, tokens = network(D=D, seed=seed, H=int(seed % 17) + 1), window(T, seed=seed)[0]
    d = dependence(params, tokens, activation=activation)
    above = np.triu_indices(T, 1)
    assert d.same[above].all()
    assert not d.moved[above].any()
    assert (d.replaced_by != tokens).all()


@pytest.mark.parametrize("replacements", [1, 3, 8, 20])
def test_dependence_is_the_mean_distance_from_runs_with_each_other_token(replacements):
    params, tokens = network(gain=1.5), window()[0]
    d = dependence(params, tokens, replacements=replacements)
    old = unroll(params, tokens, tokens).p
    for k, token in enumerate(tokens):
        others = [other for other in range(9) if other != token][:replacements]
        distances = []
        for other in others:
            replaced = tokens.copy()
            replaced[k] = other
            distances.append(np.abs(unroll(params, replaced, replaced).p - old).sum(axis=1) / 2)
        assert d.replaced_by[:, k].tolist() == others
        assert np.allclose(d.moved[:, k], np.mean(distances, axis=0), rtol=0, atol=1e-12)
    below = np.tril_indices(len(tokens))
    assert (d.moved[below] > 0).all()
    assert not d.same[below].any()
    assert (d.moved <= 1 + 1e-12).all()


@pytest.mark.parametrize("sizes", [(6, 24, 7), (40, 128, 103), (40, 256, 103), (40, 512, 5000), (40, 2048, 103), (3, 8, 1)])
def test_the_number_of_replacements_is_the_largest_within_the_limit(sizes):
    T, H, V = sizes
    most, run = 1_200_000_000, T * T * H * (H + V)
    many = module.affordable_replacements(T, H, V, most)
    assert many == 0 or (many + 1) * run <= most
    assert many == min(8, max(V - 1, 1)) or (many + 2) * run > most


def test_computing_in_pieces_and_networks_without_recurrent_weights(monkeypatch):
    params, tokens = network(), window()[0]
    whole = dependence(params, tokens)
    monkeypatch.setattr(module, "AT_ONCE", 2 * 7 * 9)
    pieces = dependence(params, tokens)
    assert np.allclose(pieces.moved, whole.moved, rtol=0, atol=1e-12)
    assert np.array_equal(pieces.same, whole.same)
    params.W_hh[...] = 0
    assert (dependence(params, tokens).moved > 0).tolist() == np.eye(7, dtype=bool).tolist()
