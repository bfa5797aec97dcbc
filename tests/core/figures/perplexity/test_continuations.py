"""Continuations in rows: ranked by the whole and per token, and what was never seen is said."""

import json
import math

import pytest

from core.analysis.perplexity import Continuation
from core.figures.perplexity.continuations import continuations_scene

SHORT, LONG = Continuation("short", 6.0, 2, ()), Continuation("a longer one", 12.0, 12, ())
UNKNOWN, NEVER = Continuation("€€", math.nan, 0, ("€",)), Continuation("never", math.inf, 3, ())


def scene(model, beside=()):
    drawn = continuations_scene(model, beside, ["the network", "trigram"], own_from=1, kind="character")
    assert json.loads(json.dumps(drawn, allow_nan=False)) == drawn
    return drawn["rows"]


def places(rows, by, what):
    return [row["by"][by][what] for row in rows]


def test_both_rankings():
    rows = scene([LONG, SHORT])
    assert places(rows, "total", "rank") == ["2", "1"]
    assert places(rows, "token", "rank") == ["1", "2"]
    assert places(rows, "total", "bar") == [1000, 500]
    assert [row["own"] for row in rows] == [False, True]


def test_the_words_beside_a_rank_are_of_its_measure():
    rows = scene([LONG, SHORT])
    long, short = places(rows, "total", "behind")
    assert float(long.split()[0]) == pytest.approx(math.exp(12 - 6), rel=0.01)
    assert short == ""
    long, short = places(rows, "token", "behind")
    assert long == ""
    assert float(short.split()[0]) == pytest.approx(math.exp(3 - 1), rel=0.01)


def test_another_model_is_marked_on_the_same_scale():
    rows = scene([SHORT, LONG], [LONG, SHORT])
    assert places(rows, "total", "dash") == [1000, 500]
    assert places(scene([UNKNOWN, LONG], [UNKNOWN, SHORT]), "total", "dash") == [None, 500]


def test_what_the_model_has_no_symbol_for_has_no_rank_and_comes_last():
    rows = scene([UNKNOWN, LONG, SHORT, NEVER])
    for by in ("total", "token"):
        assert places(rows, by, "rank")[0] == "–"
        assert places(rows, by, "rank")[3] == "3"
        assert places(rows, by, "order")[0] == 3
        assert places(rows, by, "behind")[0] == ""
        assert "impossible" in places(rows, by, "behind")[3]
    assert "€" in rows[0]["missing"]
    assert rows[3]["perplexity"] == "∞"
    assert scene([UNKNOWN])[0]["by"]["total"]["rank"] == "–"
