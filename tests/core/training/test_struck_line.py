"""What each of six lines of the second book's layers does, by training without it."""

import numpy as np
import pytest

from core.text.corpus import load_corpus
from core.training.experiments.struck_line import CHECKED, STRUCK_LINES, STRUCK_SETTINGS, layers_without, struck
from core.training.simple_rnnlm import RNN

OF_STATES, OF_OUTPUT = {"W_emb", "W_xh", "W_hh", "b_h"}, {"W_hq", "b_q"}


def result(name, updates=200):
    steps = struck(name, load_corpus(STRUCK_SETTINGS), updates)
    while True:
        try:
            assert 0 <= next(steps) < 1
        except StopIteration as end:
            return end.value


def wrong(errors):
    """The weights whose gradients are not those of the whole file."""
    return {name for name, error in errors.items() if name and error > 1e-12}


@pytest.mark.parametrize(("name", "expected"), {
    "carry": OF_STATES | OF_OUTPUT, "future": OF_STATES, "slope": OF_STATES, "rows": {"b_h"}, "mean": OF_STATES | OF_OUTPUT,
    "clip": OF_STATES | OF_OUTPUT,
}.items())  # fmt: skip
def test_without_a_line_the_gradients_that_pass_it_are_wrong_and_no_others(name, expected):
    found = result(name)
    assert wrong(found.errors) == expected
    assert found.perplexities.shape == (2, 4)
    assert (found.perplexities[0] != found.perplexities[1]).any()


def test_without_the_mean_the_gradient_is_as_many_times_as_long_as_there_are_tokens():
    many = STRUCK_SETTINGS.batch_size * STRUCK_SETTINGS.num_steps
    np.testing.assert_allclose(list(result("mean", CHECKED * 5).errors.values()), many - 1, rtol=1e-9)


def test_a_line_is_struck_out_of_a_copy_of_the_file_alone():
    before = RNN.backward
    module = layers_without("slope")
    assert module.RNN.backward is not before is RNN.backward
    x, h, dh = np.random.default_rng(0).normal(size=(3, 2, 2))
    layers = [made.RNN(np.eye(2), np.eye(2), np.zeros(2)) for made in (module, layers_without(""))]
    slope = 1 - layers[0].forward(x, h) ** 2
    np.testing.assert_array_equal(layers[0].forward(x, h), layers[1].forward(x, h))
    without, whole = (layer.backward(dh)[1] for layer in layers)
    np.testing.assert_array_equal(without, dh)
    np.testing.assert_array_equal(whole, dh * slope)


@pytest.mark.slow
def test_training_without_a_line_ends_as_the_page_says():
    ends = {name: result(name, 2000) for name in STRUCK_LINES}
    right = {float(found.perplexities[0, -1]) for found in ends.values()}
    (whole,) = right  # the same network every time
    without = {name: float(found.perplexities[1, -1]) / whole for name, found in ends.items()}
    assert 1.05 < without["future"] < without["carry"] < without["clip"] < without["slope"]
    assert without["rows"] == pytest.approx(1, abs=0.03)  # "training hardly changes"
    assert without["mean"] == pytest.approx(1, abs=0.03)  # "clipping hides that"
    assert ends["slope"].errors["W_hh"] > 5  # "far too long"
    assert all(0.5 < found.clipped < 1 for found in ends.values())
