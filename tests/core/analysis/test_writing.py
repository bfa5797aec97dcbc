"""A text while it is written: the same seed writes the same, and what is remembered is what it was drawn from."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.writing import Sample, bend
from core.models.initialisation import init_params
from core.models.sampling import RnnReader, generate

V = 9


def reader(seed=0):
    return RnnReader(init_params(V, 8, gain=1.5, rng=np.random.default_rng(seed), dtype=np.float64))


def written(seed, temperature=1.0, length=40):
    sample = Sample(reader(), [1, 2], seed)
    for _ in range(length):
        sample.write(temperature)
    return sample


def test_a_sample_is_what_the_model_generates():
    expected = generate(reader(), prompt=[1, 2], length=40, temperature=0.7, rng=np.random.default_rng(5))
    assert [step.token for step in written(5, 0.7).steps] == expected.tolist()


def test_the_same_seed_writes_the_same_text():
    assert written(3).steps == written(3).steps
    assert written(3).steps != written(4).steps


def test_every_step_remembers_what_else_could_have_come():
    for step in written(0).steps:
        chances = [p for _, p in step.best]
        assert chances == sorted(chances, reverse=True)
        assert all(p >= step.p for p in chances) or step.token in dict(step.best)
        assert 0 <= step.entropy <= math.log(V) + 1e-12


def test_always_the_most_probable_leaves_nothing_open():
    for step in written(0, 0).steps:
        assert step.p == 1
        assert step.best[0] == (step.token, 1.0)
        assert step.entropy == 0


SCORES = st.lists(st.floats(-20, 20), min_size=V, max_size=V).map(np.array)


@given(SCORES, st.floats(0.2, 10))
def test_a_temperature_bends_a_distribution(scores, temperature):
    b = bend(scores, temperature)
    expected = b.plain ** (1 / temperature)
    np.testing.assert_allclose(b.bent, expected / expected.sum(), rtol=1e-6, atol=1e-9)
    if temperature >= 1:
        assert b.entropy_bent >= b.entropy - 1e-9
    else:
        assert b.entropy_bent <= b.entropy + 1e-9


def test_a_network_without_numbers_cannot_write():
    broken = reader()
    broken.params.flat[:] = np.nan
    sample = Sample(broken, [1], 0)
    with pytest.raises(ValueError, match=r"\w+ \w+ .*\."):
        sample.write(1.0)
