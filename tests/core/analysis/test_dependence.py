import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis import dependence as module
from core.analysis.dependence import affordable_stand_ins, dependence
from core.analysis.unrolled import unroll
from core.models.layers import ACTIVATIONS
from tests.core.networks import network, window


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


@pytest.mark.parametrize("stand_ins", [1, 3, 8, 20])
def test_dependence_is_the_mean_distance_from_runs_with_each_other_token(stand_ins):
    params, tokens = network(gain=1.5), window()[0]
    d = dependence(params, tokens, stand_ins=stand_ins)
    old = unroll(params, tokens, tokens).p
    for k, token in enumerate(tokens):
        others = [other for other in range(9) if other != token][:stand_ins]
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
    many = affordable_stand_ins(T, H, V, most)
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
