"""The product rule: every factor is the core's, and multiplied they are the perplexity."""

import json
import math

import numpy as np
import pytest

from core.analysis.unrolled import unroll
from core.figures.unrolled.product import likelihood, product_scene
from core.models.rnn import forward
from tests.core.figures.parts.test_network import TOKENIZER, looked_at


def value(words):
    digits = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹−", "-0123456789-")
    factor, _, exponent = words.rpartition("10") if "⁻" in words else (words, "", "")
    return float((factor.rstrip("·") or "1").replace("−", "-")) * 10.0 ** int(exponent.translate(digits) or 0)


@pytest.mark.parametrize("T", [1, 6, 15])
def test_the_factors_multiply_up_to_the_probability_of_the_text_and_its_perplexity(T):
    params, u = looked_at(T)
    logits = forward(params.copy(np.float64), u.tokens[:, None]).logits[:, 0]
    p = (np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True))[range(T), u.targets]
    scene = product_scene(u, TOKENIZER)
    for t, (target, factor, product, ln, total, perplexity) in enumerate(scene["steps"]):
        assert target == TOKENIZER.vocab[u.targets[t]].replace(" ", "·")
        assert value(factor) == pytest.approx(p[t], rel=0.001)
        assert value(product) == pytest.approx(np.prod(p[: t + 1]), rel=0.001)
        assert value(ln) == pytest.approx(np.log(p[t]), abs=0.00051)
        assert value(total) == pytest.approx(np.log(p[: t + 1]).sum(), abs=0.00051)
        assert value(perplexity) == pytest.approx(np.prod(p[: t + 1]) ** (-1 / (t + 1)), rel=0.001)


def test_a_product_too_small_for_a_number_is_still_told():
    assert likelihood(-1e4) == "10⁻⁴³⁴³"
    assert likelihood(-math.inf) == "0"
    params, u = looked_at(6)
    params.W_hq[...] = 1e38
    json.dumps(product_scene(unroll(params, u.tokens, u.targets), TOKENIZER), allow_nan=False)
