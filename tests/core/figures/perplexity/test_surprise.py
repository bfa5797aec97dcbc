"""The scene of a text coloured by surprise: its text is the reader's, its numbers are the model's."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.perplexity import Surprise, distribution, read_typed, surprise
from core.figures.parts.numbers import chance
from core.figures.parts.symbols import brief
from core.figures.perplexity.surprise import (
    IMPOSSIBLE,
    ROOM,
    Opinion,
    cut_words,
    missing_words,
    running_top_of,
    shade,
    surprise_scene,
    text_scene,
    top_of,
)
from core.models.initialisation import init_params
from core.models.ngram import NgramReader, fit
from core.models.sampling import RnnReader
from core.text.tokenizer import Tokenizer

TOKENIZER = Tokenizer(tuple("the valuofxprsind.\t\n"))
WORDS = Tokenizer(("the", "value", "<eos>", "<unk>"), "word")
TEXT = "the value\tof\nteh"


def opinion(reader, ids, picked, name="RNN, now", logits=True):
    return Opinion(name, surprise(reader, ids), *distribution(reader, ids[:picked]), logits=logits)


def scene(text=TEXT, picked=3, beside=True, tokenizer=TOKENIZER, change=None):
    typed = read_typed(text, tokenizer)
    ids = typed.tokens()
    network = RnnReader(init_params(tokenizer.size, 8, rng=np.random.default_rng(0), dtype=np.float64))
    counted = NgramReader(fit(ids, tokenizer.size), 3)
    model = opinion(network, ids, picked)
    if change:
        model.surprise.nats[change[0]] = change[1]
    other = opinion(counted, ids, picked, "trigram", logits=False) if beside else None
    return surprise_scene(typed, model, other, picked, tokenizer, "character"), model, other


@given(st.text(st.sampled_from("the \t\n<b>&€\u202eé"), max_size=30), st.sampled_from([TOKENIZER, WORDS]))
def test_the_pieces_are_the_text_as_it_was_typed(text, tokenizer):
    drawn = text_scene(read_typed(text, tokenizer, most=12))
    assert "".join(gap + said for gap, said in drawn["pieces"]) + drawn["tail"] == drawn["text"] == text
    assert len(drawn["symbols"]) == len(drawn["columns"])


def test_every_token_has_its_numbers():
    drawn, model, beside = scene()
    count = len(TEXT) - 1
    assert drawn["nats"] == [round(100 * nats) for nats in model.surprise.nats]
    assert drawn["beside"] == [round(100 * nats) for nats in beside.surprise.nats]
    assert {len(drawn[name]) for name in ("nats", "shades", "beside", "running", "running_words")} == {count}
    assert len(drawn["difference"]["gain"]) == count
    assert drawn["symbols"][3] == "·"
    assert drawn["symbols"][9] == "→"
    assert all(0 <= height <= 1000 for height in drawn["running"])
    assert max(drawn["nats"] + drawn["beside"]) <= drawn["top"]


def test_the_table_names_the_best_and_the_one_that_came():
    drawn, model, _ = scene(picked=5)
    rows = drawn["table"]["rows"]
    (came,) = (row for row in rows if row["came"])
    assert came["symbol"] == "a"
    assert float(came["p"]) == pytest.approx(math.exp(-model.surprise.nats[4]), abs=1e-4)
    shares = [row["share"] for row in rows if not row["came"]]
    assert shares == sorted(shares, reverse=True)
    assert drawn["table"]["after"] == "the·v"
    assert drawn["share"]["nats"] == f"{model.surprise.nats[4]:.2f}"


def test_of_long_words_the_last_letters_are_seen():
    drawn, *_ = scene("the " + "value " * 3 + "supercalifragilisticexpialidocious the value", picked=5, tokenizer=WORDS)
    assert drawn["table"]["more"]
    assert drawn["table"]["after"].endswith("docious ")
    assert len(drawn["table"]["after"]) <= ROOM


def test_alone_there_is_no_difference():
    drawn, *_ = scene(beside=False)
    assert drawn["difference"] is None
    assert drawn["beside"] == []
    assert drawn["names"] == ["RNN, now"]
    assert ["uniform", str(TOKENIZER.size) + ".0"] in drawn["number"]["others"]


def test_an_impossible_token_is_told_and_stays_on_the_paper():
    drawn, *_ = scene(picked=3, change=(2, math.inf))
    assert drawn["nats"][2] == IMPOSSIBLE
    assert drawn["number"]["number"] == "∞"
    assert "probability 0" in drawn["number"]["as_if"]
    assert drawn["share"]["share"] == 1
    assert drawn["share"]["p"] == "0"
    assert drawn["share"]["choices"] == "∞"
    assert "Infinity" not in json.dumps(drawn)
    assert "NaN" not in json.dumps(drawn)


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=5))
def test_the_axes_hold_what_is_drawn(nats):
    top = top_of([np.array(nats)])
    assert max([4.0, *nats]) <= top <= max(4.0, 1.5 * max(nats)) * 1.0000001
    perplexities = np.array([1 + value for value in nats])
    assert running_top_of(perplexities) >= max(perplexities) * 0.999999


def test_more_surprise_is_darker():
    shades = [shade(nats) for nats in (0.0, 0.1, 0.5, 2.0, 10.0, 50.0, math.inf)]
    assert shades == sorted(shades)
    assert 0 <= shades[0] < shades[-1] <= 100


def test_probabilities_in_words():
    assert [chance(p) for p in (0.5, 0.00012, 1e-9, 0.0, math.nan)] == ["0.5000", "0.0001", "10⁻⁹", "0", "–"]


def test_what_was_not_read_is_told():
    assert missing_words(read_typed("the", TOKENIZER), TOKENIZER) == ""
    assert "2 symbols" in missing_words(read_typed("the €é", TOKENIZER), TOKENIZER)
    assert "<unk>" in missing_words(read_typed("the moon", WORDS), WORDS)
    assert cut_words(read_typed("the", TOKENIZER), 3, "character") == ""
    assert "the first 2 characters" in cut_words(read_typed("the", TOKENIZER, most=2), 3, "character")


def test_long_words_are_shortened_where_they_stand_in_a_sentence():
    assert brief("the") == "the"
    assert brief(" ") == "·"
    assert len(brief("-" * 200)) <= 24


def test_running_perplexity_of_an_impossible_text_is_at_the_top():
    assert running_top_of(Surprise(np.array([1.0, math.inf])).running) == 10
