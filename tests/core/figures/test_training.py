"""The perplexity chart, on every lesson: true numbers, readable axes, labels that do not collide."""

import math
from itertools import pairwise

import plotly.graph_objects as go
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.figures.reference_lines import LABEL_GAP, spread
from core.figures.style import THEMES, resolve
from core.figures.training import Curves, _ladder_above, _ladder_below, training_figure
from core.models.ngram import Baseline
from core.settings import Settings
from core.training.history import Flag, Ghost, Point


def figure_of(watched, lines, across="updates", ghosts=()):
    history = watched.history
    curves = Curves(history.judged, history.training.points, history.training.points, ghosts, history.flags)
    size = watched.corpus.tokenizer.size
    return training_figure(curves, watched.settings, lines, floor=watched.corpus.floor, vocab_size=size, across=across)


@pytest.mark.parametrize("across", ["updates", "tokens", "seconds"])
def test_plotly_accepts_it_and_the_axes_say_their_unit(watched, lines, across):
    figure = figure_of(watched, lines, across, ghosts=[watched.ghost()])
    for theme in THEMES:
        drawn = go.Figure(resolve(figure, theme))
        assert across in drawn.layout.xaxis.title.text.split()[0] or across in drawn.layout.xaxis.title.text
        assert "perplexity" in drawn.layout.yaxis.title.text
        assert drawn.layout.xaxis.type == drawn.layout.yaxis.type == "log"


def test_the_curve_is_what_was_judged(watched, lines):
    figure = figure_of(watched, lines)
    curve = next(trace for trace in figure["data"] if trace["name"] == "held-out")
    assert curve["y"] == pytest.approx([math.exp(point.nats) for point in watched.history.judged], rel=1e-3)
    assert curve["customdata"] == [point.update for point in watched.history.judged]


def test_every_number_is_finite_and_inside_the_axes(watched, lines):
    figure = figure_of(watched, lines)
    low, high = (10**end for end in figure["layout"]["yaxis"]["range"])
    left, right = (10**end for end in figure["layout"]["xaxis"]["range"])
    for trace in figure["data"]:
        top = math.inf if trace["name"].startswith("training") else high  # single updates at the start may leave the picture
        assert all(low < y < top for y in trace["y"])
        assert all(left < x < right * 1.0001 for x in trace["x"])


def test_a_name_stands_at_its_line_however_the_axis_is_zoomed(watched, lines):
    layout = figure_of(watched, lines)["layout"]
    low, high = layout["yaxis"]["range"]
    plot = layout["height"] - layout["margin"]["t"] - layout["margin"]["b"]
    for line in lines:
        for label in (a for a in layout["annotations"] if a["text"].startswith(f"<b>{line.name}</b>")):
            assert label["yref"] == "y"
            assert abs(label["y"] - math.log10(line.perplexity)) <= len(lines) * LABEL_GAP / plot * (high - low)


def test_each_baseline_is_named_with_its_value(watched, lines):
    labels = " ".join(a["text"] for a in figure_of(watched, lines)["layout"]["annotations"] if a.get("xref") == "paper")
    for line in lines[::5]:  # the lowest order and the highest
        assert line.name in labels


def test_lines_that_nearly_agree_share_a_label():
    point = Point(0, 0, 0.0, math.log(2))
    lines = [Baseline(name, i, 2.0 + 0.001 * i, 2, 2**i) for i, name in enumerate(("uniform", "unigram", "bigram"))]
    figure = training_figure(Curves([point], [], [], [], []), Settings(), lines, floor=1.22, vocab_size=2, across="updates")
    labels = [a for a in figure["layout"]["annotations"] if a.get("xref") == "paper"]
    assert len(labels) == 2  # the three together, and the floor
    assert len([s for s in figure["layout"]["shapes"] if s.get("xref") == "paper"]) == 4  # every line is still drawn


def test_infinite_and_missing_perplexities_leave_a_gap():
    points = [Point(0, 0, 0.0, math.log(9)), Point(1, 9, 1.0, 1e6), Point(2, 18, 2.0, math.nan), Point(3, 27, 3.0, 1.0)]
    figure = training_figure(Curves(points, points, points, [], []), Settings(), [], floor=None, vocab_size=9, across="tokens")
    curve = next(trace for trace in figure["data"] if trace["name"] == "held-out")
    assert curve["y"][1:3] == [None, None]
    assert all(math.isfinite(end) for end in figure["layout"]["yaxis"]["range"])


def test_user_text_in_labels_is_escaped():
    point = Point(0, 0, 0.0, 1.0)
    ghost = Ghost(Settings(seed=7), 3, (point, point._replace(update=5)))
    flag = Flag(point, "learning_rate", 0.1, 0.2)
    figure = training_figure(Curves([point], [], [], [ghost], [flag]), Settings(), [], floor=None, vocab_size=3, across="updates")
    assert "<img" not in str(figure)


def test_ghosts_over_other_symbols_are_counted_not_drawn():
    point = Point(0, 0, 0.0, 1.0)
    ghosts = [Ghost(Settings(seed=7), 3, (point,)), Ghost(Settings(unit="word"), 3, (point,)), Ghost(Settings(), 9, (point,))]
    figure = training_figure(Curves([point], [], [], ghosts, []), Settings(), [], floor=None, vocab_size=3, across="updates")
    assert sum(trace["name"].startswith("earlier run") for trace in figure["data"]) == 1
    assert any(a["text"].startswith("2 ") for a in figure["layout"]["annotations"])


@given(st.lists(st.floats(-50, 400), min_size=0, max_size=8))
def test_labels_keep_their_order_and_their_distance(heights):
    placed = spread(sorted(heights, reverse=True), [LABEL_GAP] * len(heights))
    assert all(a - b >= LABEL_GAP - 1e-9 for a, b in pairwise(placed))
    assert all(height >= 2.0 for height in placed)


@given(st.floats(1e-3, 1e12))
def test_axis_ends_enclose(value):
    assert _ladder_below(value) <= value * (1 + 1e-6)
    assert _ladder_above(value) >= value * (1 - 1e-6)
