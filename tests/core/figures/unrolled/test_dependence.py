"""The triangle says what was measured."""

import numpy as np
import pytest

from core.analysis.dependence import dependence
from core.figures.unrolled.dependence import MOVED_FLOOR, dependence_scene, moved_in_words, moved_shade
from tests.core.figures.parts.test_network import TOKENIZER, looked_at


def test_the_triangle_says_what_was_measured():
    params, u = looked_at(7)
    d = dependence(params, u.tokens)
    scene = dependence_scene(d, u, TOKENIZER)
    assert scene["changed"] == []
    assert [len(row) for row in scene["words"]] == list(range(1, 8))
    for t, row in enumerate(scene["words"]):
        for k, words in enumerate(row):
            small = d.moved[t, k] < MOVED_FLOOR
            assert words.startswith("<") if small else float(words) == pytest.approx(d.moved[t, k], rel=0.06)
    assert scene["inputs"] == [TOKENIZER.vocab[i].replace(" ", "␣") for i in u.tokens]


def test_a_shade_is_logarithmic():
    assert [moved_shade(x) for x in (0.0, MOVED_FLOOR, MOVED_FLOOR**0.5, 1.0, np.nan)] == [0, 0, 50, 100, 0]
    assert moved_in_words(float("nan")) == "–"
