import autograd
import autograd.numpy as anp
import numpy as np
import pytest

from core.analysis.replacement import (
    FORGOTTEN,
    LAGS,
    RUN_IN,
    affordable_places,
    mean_influence,
    other_tokens,
    passages,
    replace_token,
)
from core.models.loss import softmax
from core.models.rnn import backward, forward
from tests.core.gradients import PHI, problem

SIZES = [("tanh", 0), ("sigmoid", 3), ("tanh", 4)]


def reading(activation: str = "tanh", D: int = 0):
    p = problem(activation, V=7, H=6, D=D, T=9, N=1, carried=False)
    return p.params, p.tokens[:, 0], p.targets[:, 0]


@pytest.mark.parametrize(("activation", "D"), SIZES)
def test_the_difference_is_that_of_two_readings_and_zero_before_the_place(activation, D):
    params, tokens, targets = reading(activation, D)
    other = int(tokens[3] + 1) % 7
    changed = tokens.copy()
    changed[3] = other
    before, after = (forward(params, ids[:, None], activation=activation) for ids in (tokens, changed))
    found = replace_token(params, tokens, targets, 3, other, activation=activation)
    assert found.difference == pytest.approx((after.h - before.h)[1:, 0])
    assert not found.difference[:3].any()
    assert not found.linear[:3].any()
    expected = softmax(after.logits)[np.arange(9), 0, targets]
    assert found.p_other == pytest.approx(expected)
    assert found.log_p == pytest.approx(np.log(expected) - np.log(found.p), abs=1e-12)


@pytest.mark.parametrize(("activation", "D"), SIZES)
def test_the_linear_difference_is_the_derivative_times_the_change_of_the_input(activation, D):
    """By the derivatives of training: of ln p of each target with respect to the pre-activation at the replaced step."""
    params, tokens, targets = reading(activation, D)
    other = int(tokens[2] + 1) % 7
    found = replace_token(params, tokens, targets, 2, other, activation=activation)
    words = np.eye(7) if params.W_emb is None else params.W_emb
    change = (words[other] - words[tokens[2]]) @ params.W_xh
    trace = forward(params, tokens[:, None], activation=activation)
    for t in range(2, 9):
        weights = np.zeros((9, 1))
        weights[t] = 1
        g = backward(trace, targets[:, None], weights=weights)
        assert found.linear_log_p[t] == pytest.approx(-g.da[3, 0] @ change, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(("activation", "D"), SIZES)
def test_the_linear_difference_is_that_of_another_engine_and_of_a_small_change(activation, D):
    params, tokens, targets = reading(activation, D)
    at, other = 4, int(tokens[4] + 2) % 7
    words = np.eye(7) if params.W_emb is None else params.W_emb
    change = (words[other] - words[tokens[at]]) @ params.W_xh

    def states(share):
        h, found = anp.zeros(6), []
        for t, token in enumerate(tokens):
            a = anp.dot(words[token], params.W_xh) + anp.dot(h, params.W_hh) + params.b_h
            h = PHI[activation](a + share * change if t == at else a)
            found.append(h)
        return anp.array(found)

    found = replace_token(params, tokens, targets, at, other, activation=activation)
    assert found.linear == pytest.approx(autograd.jacobian(states)(0.0), rel=1e-9, abs=1e-12)
    eps = 1e-5
    assert found.linear == pytest.approx((states(eps) - states(-eps)) / (2 * eps), rel=1e-6, abs=1e-9)


def test_a_token_is_forgotten_when_the_distance_stays_below_a_share_of_the_first():
    params, tokens, targets = reading()
    params.W_hh[:] *= 0.05
    found = replace_token(params, tokens, targets, 1, int(tokens[1] + 1) % 7)
    left = found.distance[1:]
    after = found.forgotten
    assert 0 < after < 8
    assert (left[after:] < FORGOTTEN * left[0]).all()
    assert not left[after - 1] < FORGOTTEN * left[0]
    params.W_hh[:] = 0.99 * np.eye(6)
    params.W_xh[:] *= 0.1
    assert replace_token(params, tokens, targets, 1, int(tokens[1] + 1) % 7).forgotten is None
    assert replace_token(params, tokens, targets, 1, int(tokens[1])).forgotten is None  # the same token leaves nothing to forget


def test_a_small_change_never_parts_from_its_linear_part_and_a_large_one_does():
    params, tokens, targets = reading()
    params.W_xh[:] *= 1e-3
    assert replace_token(params, tokens, targets, 0, int(tokens[0] + 1) % 7).parted is None
    params.W_xh[:] *= 1e4
    assert replace_token(params, tokens, targets, 0, int(tokens[0] + 1) % 7).parted == 0


def test_the_mean_influence_is_the_mean_divergence_of_single_readings():
    params, *_ = reading()
    text = np.random.default_rng(3).integers(0, 7, 500)
    tokens = passages(text, 5)
    assert tokens.shape == (RUN_IN + LAGS, 5)
    others = other_tokens(text, tokens[RUN_IN], np.random.default_rng(0))
    assert (others != tokens[RUN_IN]).all()
    found, each = mean_influence(params, tokens, others), []
    for row, other in zip(tokens.T, others, strict=True):
        changed = row.copy()
        changed[RUN_IN] = other
        p, q = (softmax(forward(params, ids[:, None]).logits)[RUN_IN:, 0] for ids in (row, changed))
        each.append((p * np.log(p / q)).sum(axis=1))
    assert found.mean == pytest.approx(np.mean(each, axis=0), abs=1e-12)
    assert found.error == pytest.approx(np.std(each, axis=0, ddof=1) / np.sqrt(5), abs=1e-12)
    assert (found.mean >= -1e-12).all()


def test_a_text_that_is_short_or_has_one_token_has_no_average():
    assert passages(np.zeros(5, int), 9).shape == (RUN_IN + LAGS, 0)
    with pytest.raises(ValueError, match="no other token"):
        other_tokens(np.zeros(9, int), np.zeros(2, int), np.random.default_rng(0))
    assert affordable_places(100_000, 4000) == 0
    assert affordable_places(28, 128) == 64
