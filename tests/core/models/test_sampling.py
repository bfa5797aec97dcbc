import numpy as np
import pytest

from core.models.rnn import forward, init_params
from core.models.sampling import NextToken, RnnReader, apply_temperature, generate, next_distribution, score

V = 6


class Successor:
    """After token i most probably comes i + 1; its state counts the tokens read."""

    vocab_size = V

    def start(self):
        return 0

    def step(self, state, token):
        logits = np.zeros(V)
        logits[(token + 1) % V] = 2.0
        return state + 1, logits


def reader(seed=0, D=0):
    return RnnReader(init_params(V, 9, embedding_size=D, gain=1.5, rng=np.random.default_rng(seed), dtype=np.float64))


def dice(seed=0):
    return np.random.default_rng(seed)


@pytest.mark.parametrize("D", [0, 4])
def test_a_network_read_token_by_token_is_the_network(D):
    model, tokens = reader(D=D), np.array([3, 1, 4, 1, 5])
    trace, state = forward(model.params, tokens[:, None]), model.start()
    for t, token in enumerate(tokens):
        state, logits = model.step(state, int(token))
        np.testing.assert_allclose(logits, trace.logits[t, 0], rtol=1e-12)
    np.testing.assert_allclose(state, trace.h[-1], rtol=1e-12)


def test_reading_leaves_states_as_they_were():
    model = reader()
    state, _ = model.step(model.start(), 1)
    before = state.copy()
    first = model.step(state, 2)[1]
    np.testing.assert_array_equal(state, before)
    np.testing.assert_array_equal(model.step(state, 2)[1], first)


def test_any_model_can_write():
    assert isinstance(Successor(), NextToken)
    assert isinstance(reader(), NextToken)
    ids = generate(Successor(), prompt=[0, 3], length=8, temperature=0, rng=dice())
    np.testing.assert_array_equal(ids, [4, 5, 0, 1, 2, 3, 4, 5])


def test_the_same_dice_write_the_same_text():
    texts = [generate(reader(), prompt=[1], length=50, temperature=1.0, rng=dice(seed)) for seed in (1, 1, 2)]
    np.testing.assert_array_equal(texts[0], texts[1])
    assert not np.array_equal(texts[0], texts[2])
    assert set(texts[0]) <= set(range(V))
    assert len(generate(reader(), prompt=[1], length=0, temperature=1.0, rng=dice())) == 0


def test_tokens_are_drawn_as_often_as_they_are_probable():
    ids = generate(Successor(), prompt=[0], length=4_000, temperature=1.0, rng=dice())
    successors = np.mean(np.diff(np.concatenate(([0], ids))) % V == 1)
    assert successors == pytest.approx(np.exp(2) / (np.exp(2) + V - 1), abs=0.03)


def test_temperature():
    logits = np.array([1.0, 3.0, 2.0])
    np.testing.assert_allclose(next_distribution(logits), np.exp(logits) / np.exp(logits).sum())
    np.testing.assert_allclose(next_distribution(logits, 0.5), next_distribution(2 * logits))
    np.testing.assert_allclose(next_distribution(logits, 1e9), 1 / 3, rtol=1e-8)
    np.testing.assert_array_equal(next_distribution(logits, 0), [0, 1, 0])
    np.testing.assert_array_equal(next_distribution(logits, 1e-320), [0, 1, 0])
    assert apply_temperature(logits, 2.0).max() == 0


def test_a_score_of_minus_infinity_is_impossible():
    np.testing.assert_allclose(next_distribution(np.array([0, -np.inf, 0])), [0.5, 0, 0.5])


@pytest.mark.parametrize("bad", [[np.nan, 0, 0], [np.inf, 0, 0], [-np.inf] * 3])
def test_an_exploded_network_cannot_write_and_says_so(bad):
    with pytest.raises(ValueError, match=r"\w+ \w+ .*\."):
        next_distribution(np.array(bad))
    model = reader()
    model.params.flat[:] = bad[0]
    with pytest.raises(ValueError):
        generate(model, prompt=[0], length=3, temperature=1.0, rng=dice())


@pytest.mark.parametrize("prompt", [[], [V], [-1]])
def test_a_prompt_must_be_tokens_of_the_vocabulary(prompt):
    with pytest.raises(ValueError):
        generate(reader(), prompt=prompt, length=3, temperature=1.0, rng=dice())


def test_a_negative_temperature_is_refused():
    with pytest.raises(ValueError):
        next_distribution(np.zeros(3), -1.0)


def test_scores_are_surprises_in_nats():
    model, tokens = reader(), np.array([3, 1, 4, 1, 5])
    nats = score(model, tokens)
    logits = forward(model.params, tokens[:-1, None]).logits[:, 0]
    expected = [-np.log(next_distribution(row)[t]) for row, t in zip(logits, tokens[1:], strict=True)]
    np.testing.assert_allclose(nats, expected, rtol=1e-12)
    assert len(score(model, [2])) == 0
