import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.models.layers import sum_by_token


@given(st.integers(1, 400), st.integers(1, 300), st.sampled_from([1, 3, 64]), st.integers(0, 9))
def test_sums_by_token_are_the_obvious_ones(V, M, W, seed):
    rng = np.random.default_rng(seed)
    tokens, rows = rng.integers(0, rng.integers(1, V + 1), M), rng.standard_normal((M, W))
    obvious, out = np.zeros((V, W)), np.full((V, W), np.nan)
    np.add.at(obvious, tokens, rows)
    sum_by_token(tokens, rows, out)
    np.testing.assert_allclose(out, obvious, rtol=1e-12, atol=1e-13)


def test_large_vocabularies_too():
    rng = np.random.default_rng(0)
    for V, M in ((40_000, 50), (16, 4096)):
        tokens, rows = rng.integers(0, V, M), rng.standard_normal((M, 32))
        obvious, out = np.zeros((V, 32)), np.full((V, 32), np.nan)
        np.add.at(obvious, tokens, rows)
        sum_by_token(tokens, rows, out)
        np.testing.assert_allclose(out, obvious, rtol=1e-10, atol=1e-12)
