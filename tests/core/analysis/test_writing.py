import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from core.analysis.writing import Sample, guessed, longest_copy, temperature_effect
from core.models.sampling import RnnReader, generate
from tests.core.networks import network

V = 9


def reader() -> RnnReader:
    return RnnReader(network(V, 8, gain=1.5))


def written(seed: int, temperature: float = 1.0) -> Sample:
    sample = Sample(reader(), [1, 2], seed)
    for _ in range(40):
        sample.write(temperature)
    return sample


def test_a_sample_is_what_the_model_generates():
    expected = generate(reader(), prompt=[1, 2], length=40, temperature=0.7, rng=np.random.default_rng(5))
    assert [step.token for step in written(5, 0.7).steps] == expected.tolist()
    assert written(3).steps == written(3).steps
    assert written(3).steps != written(4).steps


def test_every_step_has_the_most_probable_tokens_and_the_entropy():
    for step in written(0).steps:
        chances = [p for _, p in step.best]
        assert chances == sorted(chances, reverse=True)
        assert all(p >= step.p for p in chances) or step.token in dict(step.best)
        assert 0 <= step.entropy <= math.log(V) + 1e-12
    for step in written(0, temperature=0).steps:
        assert (step.p, step.entropy, step.best[0]) == (1, 0, (step.token, 1.0))


@given(st.lists(st.floats(-20, 20), min_size=V, max_size=V).map(np.array), st.floats(0.2, 10))
def test_a_temperature_is_a_power_of_the_distribution(scores, temperature):
    b = temperature_effect(scores, temperature)
    expected = b.plain ** (1 / temperature)
    np.testing.assert_allclose(b.scaled, expected / expected.sum(), rtol=1e-6, atol=1e-9)
    assert (b.scaled_entropy - b.plain_entropy) * (temperature - 1) >= -1e-8


def test_a_network_of_nan_is_refused():
    broken = reader()
    broken.params.flat[:] = np.nan
    sample = Sample(broken, [1], 0)
    with pytest.raises(ValueError, match=r"\w+ \w+ .*\."):
        sample.write(1.0)


@given(*[st.lists(st.integers(0, 3), max_size=12)] * 2)
def test_the_longest_copied_passage_stands_in_both_texts_and_no_longer_one_does(written_ids, text):
    at, of, length = longest_copy(np.array(written_ids, np.int32), np.array(text, np.int32))
    assert written_ids[at : at + length] == text[of : of + length]
    pieces = {tuple(text[i : i + length + 1]) for i in range(len(text) - length)}
    assert not any(tuple(written_ids[i : i + length + 1]) in pieces for i in range(len(written_ids) - length))


def test_a_token_is_guessed_if_the_network_would_write_it_next_at_temperature_0():
    ids = np.array([step.token for step in written(0, 0.7).steps])
    right = guessed(reader().params, ids[:-1], ids[1:])
    rng = np.random.default_rng(0)
    next_ones = [generate(reader(), prompt=ids[:i], length=1, temperature=0, rng=rng)[0] for i in range(1, len(ids))]
    assert right.tolist() == (next_ones == ids[1:]).tolist()
    assert 0 < right.sum() < len(right)
