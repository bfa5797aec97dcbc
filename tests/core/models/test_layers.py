import numpy as np
from hypothesis import example, given, strategies as st

from core.models.layers import sum_by_token


@given(st.integers(1, 400), st.integers(1, 300), st.sampled_from([1, 3, 64]), st.integers(0, 9))
@example(40_000, 50, 32, 0)
@example(16, 4096, 32, 0)
def test_sums_by_token_are_those_of_add_at(V, M, W, seed):
    rng = np.random.default_rng(seed)
    tokens, rows = rng.integers(0, rng.integers(1, V + 1), M), rng.standard_normal((M, W))
    expected, out = np.zeros((V, W)), np.full((V, W), np.nan)
    np.add.at(expected, tokens, rows)
    sum_by_token(tokens, rows, out)
    np.testing.assert_allclose(out, expected, rtol=1e-11, atol=1e-12)
