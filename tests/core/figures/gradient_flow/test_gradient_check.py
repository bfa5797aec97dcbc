"""The map has the gradient's signs and sizes; the picked weight lies in its marked cell; the verdict fits the numbers."""

import base64
import json

import numpy as np
import pytest

from core.analysis.gradient_check import check_weight, strongest
from core.figures.gradient_flow.gradient_check import check_figure, check_numbers, weight_map
from core.text.tokenizer import Tokenizer
from tests.core.gradients import problem

LETTERS = Tokenizer(tuple("a\n cdef"))


def sizes(p):
    return {name: matrix.shape for name, matrix in p.params.named().items()}


@pytest.mark.parametrize("D", [0, 3])
@pytest.mark.parametrize("most", [2, 48])
def test_every_matrix_has_a_map(D, most):
    p = problem(D=D)
    for name, gradient in p.gradients().params.named().items():
        blocks = strongest(np.atleast_2d(gradient), most)
        index = tuple(n - 1 for n in gradient.shape)
        scene = weight_map(blocks, sizes(p), name, index, LETTERS, one_hot=D == 0)
        json.dumps(scene, allow_nan=False)
        cells = np.frombuffer(base64.b64decode(scene["cells"]), np.int8).reshape(scene["shape"])
        assert (np.sign(cells) * np.sign(blocks.values) >= 0).all()
        assert np.abs(cells).max() == 127
        assert scene["at"] == [n - 1 for n in scene["shape"]]
        assert scene["pooled"] == (most == 2)
        assert scene["leads"]


def test_tokens_are_named_and_made_visible():
    p = problem()
    blocks = strongest(p.params.W_xh, 48)
    assert weight_map(blocks, sizes(p), "W_xh", (1, 2), LETTERS, one_hot=True)["leads"] == "“↵” → unit 2"


@pytest.mark.parametrize("value", [0.0, np.nan, np.inf])
def test_a_gradient_without_numbers_is_drawn(value):
    p = problem()
    scene = weight_map(strongest(np.full((6, 6), value), 48), sizes(p), "W_hh", (0, 0), LETTERS, one_hot=True)
    json.dumps(scene, allow_nan=False)


def checked(p, name="W_hh", index=(1, 1)):
    return check_weight(p.params, p.tokens, p.targets, name, index)


def test_agreement_is_said_and_shown():
    check = checked(problem(carried=False))
    scene = check_numbers(check)
    assert "agree with backward" in scene["sentence"]
    assert len(scene["rows"]) == 1 + len(check.epsilons)
    assert float(scene["rows"][0][1].replace("−", "-")) == pytest.approx(check.analytic, rel=1e-6)
    assert len(check_figure(check)["data"][0]["x"]) == len(check.epsilons)


def test_no_dependence_and_no_number_are_said():
    p = problem(carried=False, V=20, T=2, N=1)
    unseen = next(i for i in range(20) if i not in p.tokens)
    none = checked(p, "W_xh", (unseen, 0))
    assert "exactly zero" in check_numbers(none)["sentence"]
    json.dumps(check_figure(none), allow_nan=False)
    p.params.W_hh[0, 0] = np.nan
    assert "no finite number" in check_numbers(checked(p))["sentence"]
    json.dumps([check_numbers(checked(p)), check_figure(checked(p))], allow_nan=False)
