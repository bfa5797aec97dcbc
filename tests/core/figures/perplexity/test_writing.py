"""Written texts as a browser gets them, and the next choice at two temperatures."""

import json

import numpy as np
import pytest

from core.analysis.writing import Sample, bend
from core.figures.perplexity.writing import PLACES, bend_scene, place_of, samples_scene
from core.models.initialisation import init_params
from core.models.sampling import RnnReader
from core.text.tokenizer import Tokenizer

CHARACTERS = Tokenizer(tuple("abcdefghijklm \n\t"))
WORDS = Tokenizer(("a", "b", "<eos>", "<unk>"), "word")


def sample(tokenizer, length=20, temperature=1.0):
    s = Sample(RnnReader(init_params(tokenizer.size, 8, rng=np.random.default_rng(0))), [0], 1)
    for _ in range(length):
        s.write(temperature)
    return s


@pytest.mark.parametrize("tokenizer", [CHARACTERS, WORDS])
def test_the_text_can_be_put_together_again(tokenizer):
    s = sample(tokenizer)
    drawn = samples_scene([s, sample(tokenizer, 0)], tokenizer)
    text = drawn["joint"].join(drawn["symbols"][step[0]][0] for step in drawn["texts"][0]["steps"])
    assert text == tokenizer.decode([step.token for step in s.steps]).replace("<eos>", "\n")
    assert drawn["texts"][1]["steps"] == []
    for (_, p, best, entropy), step in zip(drawn["texts"][0]["steps"], s.steps, strict=True):
        assert p == pytest.approx(1e4 * step.p, abs=0.51)
        assert len(best) == 2 * len(step.best)
        assert entropy == pytest.approx(100 * step.entropy, abs=0.51)
    assert len(json.dumps(drawn, allow_nan=False)) < 2000


def test_the_next_choice_adds_up():
    scores = np.linspace(0, 4, CHARACTERS.size)
    drawn = bend_scene(bend(scores, 0.5), CHARACTERS, 0.5)
    for which in ("plain", "bent"):
        assert sum(row[which][0] for row in drawn["rows"]) == pytest.approx(1, abs=0.01)
    assert drawn["rows"][0]["bent"][0] > drawn["rows"][0]["plain"][0]
    assert drawn["rows"][0]["symbol"] == "→"
    assert "0.5" in drawn["at"]
    assert "most probable" in bend_scene(bend(scores, 0), CHARACTERS, 0)["at"]


def test_the_slider_goes_from_a_fifth_to_ten_by_way_of_one():
    assert PLACES[0] == 0.2
    assert PLACES[-1] == 10
    assert 1.0 in PLACES
    assert len(set(PLACES)) == len(PLACES)
    assert [place_of(place) for place in PLACES] == list(range(len(PLACES)))
    assert place_of(0.05) == 0
