"""A sweep drawn: a name for every value, a mark for every seed, what diverged told as that, and numbers that JSON knows."""

import json
import math

import pytest

from core.figures.training.sweep import curves_figure, reached_figure
from core.figures.training.sweep_words import best_words, progress_words, trouble_words
from core.settings import Settings
from core.training.curves import Point
from core.training.leg import Budget, Member
from core.training.sweep import Seen
from core.training.variation import grouped

BUDGET = Budget(tokens=1000)


def member(value, seed=0, nats=(4.0, 2.0), ended="", **how):
    points = tuple(Point(10 * i, 100 * i, 0.1 * i, loss) for i, loss in enumerate(nats))
    last = points[-1] if points else Point(0, 0, 0.0, 0.0)
    said = {"diverged": "It overflowed.", "failed": "It is <b>too large</b>."}.get(ended, "")
    return Member(Settings(learning_rate=value, seed=seed), points, None, last.update, last.tokens, 0.1, 0, ended, said)


MIXED = [
    member(0.1, 0, (4.0, 2.0, 1.0), "finished"),
    member(0.1, 1),
    member(0.2, 0, (4.0, math.inf), "diverged"),
    member(0.2, 1, (4.0, math.nan)),
    member(0.3, 0, (), "failed"),
    member(0.3, 1, (4.0,)),
]
CASES = [MIXED, [member(0.1, nats=())], [member(0.1, nats=(4.0,))], [member(0.1, nats=(4.0, math.nan))]]


@pytest.mark.parametrize("members", CASES)
@pytest.mark.parametrize("budget", [BUDGET, Budget(seconds=3.0)])
def test_whatever_becomes_of_the_members_both_charts_can_be_sent(members, budget):
    groups = grouped(members, "learning_rate")
    curves = curves_figure(groups, "learning_rate", budget, judged_on="held-out")
    for figure in (curves, reached_figure(groups, "learning_rate", judged_on="held-out")):
        json.dumps(figure, allow_nan=False)
        low, high = figure["layout"]["yaxis"]["range"]
        assert low < high


def test_the_best_value_is_the_thick_curve_and_every_value_has_its_name():
    groups = grouped([*MIXED[:2], member(0.2, 0, (4.0, 1.0)), member(0.2, 1, (4.0, 1.0))], "learning_rate")
    figure = curves_figure(groups, "learning_rate", BUDGET, judged_on="held-out text")
    means = {trace["name"]: trace["line"]["width"] for trace in figure["data"] if "seed" not in trace["name"]}
    assert max(means, key=means.get) == "0.2"
    assert [note["text"].split(":")[0] for note in figure["layout"]["annotations"]] == ["<b>0.1</b>", "<b>0.2</b>"]


def test_every_seed_has_a_place_of_its_own_about_its_value():
    groups = grouped([member(value, seed, ended="finished") for value in (0.1, 0.2) for seed in range(5)], "learning_rate")
    _, dots, _ = reached_figure(groups, "learning_rate", judged_on="held-out text")["data"]
    assert len(set(dots["x"])) == 10
    assert sum(dots["x"][:5]) == pytest.approx(0)
    assert max(dots["x"][:5]) < 0.5 < min(dots["x"][5:])


def test_a_value_of_two_words_is_whole_below_the_axis():
    members = [Member(Settings(truncation=value), (Point(0, 0, 0.0, 4.0),)) for value in (5, None)]
    figure = reached_figure(grouped(members, "truncation"), "truncation", judged_on="held-out text")
    assert figure["layout"]["xaxis"]["ticktext"] == ["5", "whole<br>window"]


def test_no_curve_is_transparent():
    figure = curves_figure(grouped(MIXED, "learning_rate"), "learning_rate", BUDGET, judged_on="held-out text")
    assert {trace["opacity"] for trace in figure["data"]} == {1.0}


def test_what_diverged_is_a_cross_at_the_edge_and_a_sentence():
    groups = grouped(MIXED, "learning_rate")
    figure = reached_figure(groups, "learning_rate", judged_on="held-out text")
    _, dots, crosses = figure["data"]
    assert [round(x) for x in dots["x"]] == [0, 0]
    assert [round(x) for x in crosses["x"]] == [1, 2]
    assert set(crosses["y"]) == {figure["layout"]["yaxis"]["range"][1]}
    assert trouble_words(MIXED, "learning_rate") == [
        "rate 0.2, seed 0: It overflowed.",
        "rate 0.3, seed 0: It is <b>too large</b>.",
    ]
    assert trouble_words([MIXED[2]], "learning_rate") == ["rate 0.2: It overflowed."]
    both = curves_figure(groups[1:2], "learning_rate", BUDGET, judged_on="held-out text")
    assert "1 of 2 diverged" in both["layout"]["annotations"][0]["text"]


def test_what_climbs_a_little_above_the_start_is_seen_where_it_is():
    groups = grouped([member(0.1, nats=(0.65, 0.9), ended="finished"), member(0.2, nats=(0.65, 0.2))], "learning_rate")
    figure = reached_figure(groups, "learning_rate", judged_on="held-out text")
    assert max(figure["data"][1]["y"]) < figure["layout"]["yaxis"]["range"][1]


RACE = [Member(Settings(truncation=tau)) for tau in (2, 3, 4, 5)]
THEORY = [2.0, 2.0, 1.22, 1.22]


def test_what_theory_says_is_drawn_and_named_before_there_is_a_curve_on_an_axis_of_its_own_range():
    figure = curves_figure(grouped(RACE, "truncation"), "truncation", BUDGET, judged_on="held-out", theory=THEORY, start=2.0)
    assert [10 ** trace["y"][0] for trace in figure["data"] if trace["name"] == "known"] == pytest.approx([2.0, 1.22], rel=1e-4)
    assert [note["text"] for note in figure["layout"]["annotations"]] == ["τ 2, 3: <b>2.00</b>", "τ 4, 5: <b>1.22</b>"]
    low, high = (10**end for end in figure["layout"]["yaxis"]["range"])
    assert 1 < low < 1.22
    assert 2.0 < high < 2.2


def test_what_theory_says_stays_below_the_curves_which_have_the_names():
    there = [one._replace(points=(Point(0, 0, 0.0, math.log(2.3)), Point(9, 900, 0.1, 0.6)), step=9) for one in RACE]
    figure = curves_figure(grouped(there, "truncation"), "truncation", BUDGET, judged_on="held-out", theory=THEORY, start=2.0)
    assert [trace["name"] == "known" for trace in figure["data"]] == [True] * 2 + [False] * 4
    assert len(figure["layout"]["annotations"]) == 4
    low, high = (10**end for end in figure["layout"]["yaxis"]["range"])
    assert low < 1.22
    assert high > 2.3


def test_where_theory_says_nothing_there_is_the_start_before_there_is_a_curve():
    groups = grouped(RACE, "truncation")
    figure = curves_figure(groups, "truncation", BUDGET, judged_on="held-out", start=103.0)
    (line,) = [trace for trace in figure["data"] if trace["name"] == "known"]
    assert 10 ** line["y"][0] == pytest.approx(103, rel=1e-4)
    for drawn in (figure, reached_figure(groups, "truncation", judged_on="held-out", start=103.0)):
        assert 103 < 10 ** drawn["layout"]["yaxis"]["range"][1] < 150


def test_words_say_how_far_it_is():
    seen = Seen(tuple(MIXED), 0.5, 12.4)
    assert "about 12 s left" in progress_words(seen, True)
    assert "left" not in progress_words(seen._replace(left=math.inf), True)
    assert "stays" in progress_words(seen, False)
    assert "All 1" in progress_words(Seen((MIXED[0],), 1.0, 0.0), False)
    assert best_words(MIXED[0], "learning_rate", seeds=2).startswith("Lowest: rate 0.1, seed 0, perplexity 2.72 at update 20")
    assert best_words(None, "learning_rate", seeds=1) == ""
