"""Continuations in rows: ranked by the whole and per token, and what was never seen is said."""

import json
import math

from core.analysis.perplexity import Continuation
from core.figures.perplexity.continuations import continuations_scene

SHORT, LONG = Continuation("short", 6.0, 2, ()), Continuation("a longer one", 12.0, 12, ("€",))
UNKNOWN, NEVER = Continuation("€€", math.nan, 0, ("€",)), Continuation("never", math.inf, 3, ())


def scene(model, beside=(), unknown=False):
    drawn = continuations_scene(model, beside, ["RNN, now", "trigram"], own_from=1, unknown=unknown, kind="character")
    assert json.loads(json.dumps(drawn, allow_nan=False)) == drawn
    return drawn["rows"]


def test_both_rankings():
    rows = scene([LONG, SHORT])
    assert [row["rank"]["total"] for row in rows] == [2, 1]
    assert [row["rank"]["token"] for row in rows] == [1, 2]
    assert [row["bar"]["total"] for row in rows] == [1000, 500]
    assert [row["own"] for row in rows] == [False, True]
    assert rows[0]["odds"].startswith("40")  # e^6 = 403 times
    assert rows[1]["odds"] == ""


def test_another_model_is_marked_on_the_same_scale():
    rows = scene([SHORT, LONG], [LONG, SHORT])
    assert [row["dash"]["total"] for row in rows] == [1000, 500]


def test_what_was_never_seen_is_said_and_comes_last():
    rows = scene([UNKNOWN, LONG, SHORT, NEVER])
    assert rows[0]["rank"]["total"] in (3, 4)
    assert "never seen any" in rows[0]["missing"]
    assert "left out: €" in rows[1]["missing"]
    assert rows[3]["odds"] == "impossible"
    assert rows[3]["perplexity"] == "∞"
    assert "<unk>" in scene([LONG], unknown=True)[0]["missing"]
