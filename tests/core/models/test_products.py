import numpy as np
import pytest

from core.models import products
from core.models.products import Product, StepProduct, TransposedCopy, copy_transposed, sum_of_outer_products


@pytest.fixture(params=[0, 1_000_000], autouse=True)
def small(request, monkeypatch):
    """Whatever this machine's BLAS is best at: with cutting, and without."""
    monkeypatch.setattr(products, "SMALL", request.param)


@pytest.mark.parametrize(("N", "H"), [(3, 5), (32, 128), (32, 256), (32, 512), (32, 200), (40, 202)])
@pytest.mark.parametrize("transposed", [False, True])
def test_products_in_blocks_are_products(N, H, transposed):
    rng = np.random.default_rng(0)
    x, W = rng.standard_normal((N, H)), rng.standard_normal((H, H))
    step = StepProduct(N, H, np.dtype(np.float64))
    (step.load_transposed if transposed else step.load)(W)
    step.multiplier(x)(step.W, step.out)
    total = np.zeros((N, H))
    step.split(total)[...] += step.result
    np.testing.assert_allclose(total, x @ (W.T if transposed else W), rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize(("M", "K", "W"), [(1024, 128, 64), (1120, 28, 256), (7, 3, 2), (1021, 128, 64), (64, 100, 5000)])
def test_products_in_groups_of_rows_are_products(M, K, W):
    rng = np.random.default_rng(0)
    x, weights, out = rng.standard_normal((M, K)), rng.standard_normal((K, W)), np.empty((M, W))
    Product(x, out).by(weights)
    np.testing.assert_allclose(out, x @ weights, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize(
    ("M", "A", "B"), [(1024, 128, 64), (1000, 100, 103), (130, 200, 40), (1024, 20, 418), (5000, 30, 40), (9, 3, 2)]
)
def test_sums_of_outer_products_in_tiles_are_products(M, A, B):
    rng = np.random.default_rng(0)
    x, y, out = rng.standard_normal((M, A)), rng.standard_normal((M, B)), np.full((A, B), np.nan)
    sum_of_outer_products(x, y, out)
    np.testing.assert_allclose(out, x.T @ y, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("shape", [(1, 1), (16, 3), (50, 70), (5, 40), (256, 512), (300, 1024)])
def test_transposed_copies(shape):
    W = np.random.default_rng(0).standard_normal(shape)
    out = np.empty(shape[::-1])
    copy_transposed(W, out)
    np.testing.assert_array_equal(out, W.T)


@pytest.mark.parametrize("rows", [3, 1000])
def test_a_transposed_copy_is_of_the_moment_it_was_loaded(rows):
    W = np.random.default_rng(0).standard_normal((6, 4))
    copy, before = TransposedCopy(rows, W.shape, W.dtype), W.T.copy()
    copy.load(W)
    W[:] = 0
    np.testing.assert_array_equal(copy.W_T, before)
