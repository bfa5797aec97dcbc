"""Matrices are read as PyTorch and NumPy print them; everything else is refused with the reason, and nothing is evaluated."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from core.analysis.pasted_matrix import MOST_CHARACTERS, REASONS, read_matrix

MATRICES = arrays(np.float64, array_shapes(min_dims=1, max_dims=2, max_side=6), elements=st.floats(-99, 99, width=32))


@given(MATRICES)
def test_what_numpy_prints_is_read_again(matrix):
    for text in (repr(matrix), str(matrix), str(matrix.tolist())):
        np.testing.assert_allclose(read_matrix(text), np.atleast_2d(matrix), rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("text", [
    "tensor([[ 1.0000, -2.0000],\n        [ 3.0000,  0.5000]])",
    "tensor([[ 1., -2.],\n        [ 3.,  0.5]], grad_fn=<AddBackward0>)",
    "tensor([[1.0000e+00, -2.0000e+00],\n        [3.0000e+00, 5.0000e-01]], device='cuda:0', dtype=torch.float64)",
    "Parameter containing:\ntensor([[1., -2.], [3., 0.5]], requires_grad=True)",
    "W = np.array([[1, -2], [3, .5]], dtype=np.float32);", "[[1 −2]\n [3 0.5]]", "1 -2\n3 0.5", "1 -2; 3 0.5",
    "tensor([[[1., -2.], [3., 0.5]]])",
    "array([[1, -2],\n       [3, 0.5]], shape=(2, 2))",
])  # fmt: skip
def test_prints_of_torch_and_numpy_are_read(text):
    assert read_matrix(text).tolist() == [[1, -2], [3, 0.5]]


@pytest.mark.parametrize(("text", "why"), [
    ("", "empty"), (" \n ", "empty"), ("1" * (MOST_CHARACTERS + 1), "long"), ("[[1, ..., 2]]", "cut"), ("[[1, …, 2]]", "cut"),
    ("[[1, 2], [3]]", "ragged"), ("1 2\n3", "ragged"), ("[1, 2", "brackets"), ("][", "order"), ("[]", "nothing"),
    ("[[]]", "nothing"), ("tensor([], size=(0, 2))", "nothing"), ("[[1], 2]", "mixed"), ("[[[1], [2]], [[3], [4]]]", "depth"),
    ("[1] [2]", "several"), ("[[1, 2]] @ 3", "beside"), ("eval([1])", "beside"), ("os.system([1])", "beside"),
    ("[__import__('os')]", "word"), ("__import__('os').system('x')", "word"), ("<img src=x onerror=alert(1)>", "word"),
    ("[[1+2j]]", "word"), ("[True]", "word"), ("[0x1]", "word"), ("1_0", "word"),
    ("[1 2; 3 4]", "word"), ("[nan]", "finite"), ("[-inf]", "finite"),
    ("[1e999]", "finite"), ("[" * 1900 + "]" * 1900, "nothing"),
])  # fmt: skip
def test_what_is_no_matrix_is_refused_with_the_reason(text, why):
    with pytest.raises(ValueError) as refusal:
        read_matrix(text)
    assert refusal.value.args[0].id == REASONS[why].id


@given(st.text(st.sampled_from("[](),; \n-.eE0123456789xtnaif…−"), max_size=60))
def test_any_text_is_a_matrix_of_finite_numbers_or_refused_with_a_sentence(text):
    try:
        matrix = read_matrix(text)
    except ValueError as error:
        refusal = error
    else:
        refusal = None
    if refusal:
        assert refusal.args[0].id in {reason.id for reason in REASONS.values()}
    else:
        assert matrix.ndim == 2
        assert matrix.size
        assert np.isfinite(matrix).all()
