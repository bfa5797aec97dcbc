"""The number, drawn: sliders stand where p is, squares are choices, and of two sums one logarithm remains."""

import math

import numpy as np
import pytest

from core.analysis.means import averages, means_of_choices
from core.figures.perplexity.number import (
    EXAMPLES,
    MOST,
    RIGHT,
    averages_grid,
    choices_scene,
    example,
    one_hot,
    places,
    probability,
)
from core.text.tokenizer import Tokenizer

V = 28


def scene_of(p):
    return choices_scene(p, means_of_choices(np.array(p)), V, "character")


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_is_what_its_button_says(name):
    p = example(name, V)
    scene = scene_of(p)
    chosen = [which for which, _, on in scene["examples"] if on]
    assert chosen == [name]
    assert [places(V)[token["at"]] for token in scene["tokens"]] == pytest.approx(p)


def test_best_uniform_and_worst_are_reached():
    numbers = {name: scene_of(example(name, V))["number"] for name in EXAMPLES}
    assert (numbers["best"], numbers["uniform"], numbers["worst"]) == ("1.00", "28.0", "∞")
    assert numbers["both"] == "2.50"


def test_nobody_chooses_among_more_than_there_are():
    said = "".join(words for words, _ in scene_of([0.0001, 0.001])["sentence"])
    assert str(V) in said
    assert scene_of([0.0001, 0.001])["number"] not in said


def test_squares_are_choices():
    tokens = scene_of([0.8, 0.2, 0.01, 0.0])["tokens"]
    assert [token["squares"] for token in tokens[:2]] == [1.25, 5.0]
    assert [token["beyond"] for token in tokens] == [False, False, True, True]


@pytest.mark.parametrize("p", [[0.8, 0.2], [1.0], [0.0001, 0.5], [0.3, 0.0]])
def test_means_stand_in_order_on_the_axis(p):
    scene = scene_of(p)
    at = [mean["at"] for mean in scene["means"]]
    assert at == sorted(at)
    assert all(0 <= share <= RIGHT or share == 1 for share in [*at, *[place for place, _ in scene["axis"]["marks"]]])


def test_tokens_come_and_go_within_bounds():
    assert not scene_of([0.5])["fewer"]
    assert not scene_of([0.5] * MOST)["more"]


def test_every_place_has_a_name_of_its_own():
    names = [probability(p, V) for p in places(V)]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("target", [0, 5, 9])
def test_one_product_is_not_zero(target):
    tokenizer = Tokenizer(tuple("abcdefghij"))
    y = np.arange(1.0, 11.0) / 55
    scene = one_hot(y, target, tokenizer)
    t, _, _, products = ([cell["text"] for cell in row["cells"]] for row in scene["rows"])
    assert t.count("1") == 2  # the target and the sum
    assert len(scene["head"]) == 1 + len(t)
    assert float(products[-1].replace("−", "-")) == pytest.approx(math.log(y[target]), rel=1e-2)


def test_a_vocabulary_that_fits_needs_no_others():
    scene = one_hot(np.array([0.25, 0.75]), 0, Tokenizer(("0", "1")))
    assert len(scene["head"]) == 4
    impossible = one_hot(np.array([0.0, 1.0]), 0, Tokenizer(("0", "1")))
    assert impossible["rows"][3]["cells"][-1]["text"] == "−∞"


def test_each_text_has_its_column():
    rows = averages_grid([("one", averages(np.array([0.0, 2.0]), [2])), ("two", averages(np.zeros(3), [1, 2]))])["rows"]
    assert [cell["text"] for cell in rows[0]["cells"]] == ["2.718", "1.000"]
    assert len(rows) == 3
