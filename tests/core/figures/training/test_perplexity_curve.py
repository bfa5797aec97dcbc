"""The perplexity chart, on every lesson: true numbers, readable axes, labels that do not collide."""

import json
import math
from itertools import pairwise

import plotly.graph_objects as go
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.figures.parts.style import THEMES, in_theme
from core.figures.training.epochs import MEANS
from core.figures.training.perplexity_axes import ladder_above, ladder_below
from core.figures.training.perplexity_curve import AXIS_TITLES, Curves, training_figure
from core.lessons import lesson
from core.models.ngram import Baseline
from core.settings import Settings
from core.training.curves import Point
from core.training.history import Flag, Ghost

BY_UPDATES = {"across": "updates", "updates_per_epoch": 7}


def figure_of(watched, lines, across="updates", ghosts=()):
    history = watched.history
    curves = Curves(history.judged, history.training.points, history.training.points, ghosts, history.flags)
    size = watched.corpus.tokenizer.size
    how = {"across": across, "updates_per_epoch": watched.trainer.updates_per_epoch}
    return training_figure(curves, watched.settings, lines, floor=watched.corpus.floor, vocab_size=size, **how)


@pytest.mark.parametrize("across", list(AXIS_TITLES))
def test_plotly_accepts_it_and_the_axes_say_their_unit(watched, lines, across):
    figure = figure_of(watched, lines, across, ghosts=[watched.ghost()])
    for theme in THEMES:
        drawn = go.Figure(in_theme(figure, theme))
        assert across in drawn.layout.xaxis.title.text.split()[0] or across in drawn.layout.xaxis.title.text
        assert "perplexity" in drawn.layout.yaxis.title.text
        assert drawn.layout.xaxis.type == drawn.layout.yaxis.type == "log"


def test_the_curve_is_what_was_judged(watched, lines):
    figure = figure_of(watched, lines)
    curve = next(trace for trace in figure["data"] if trace["name"] == "held-out text")
    assert curve["y"] == pytest.approx([math.exp(point.nats) for point in watched.history.judged], rel=1e-3)
    assert curve["customdata"] == [point.update for point in watched.history.judged]


def test_every_number_is_finite_and_inside_the_axes(watched, lines):
    figure = figure_of(watched, lines)
    low, high = (10**end for end in figure["layout"]["yaxis"]["range"])
    left, right = (10**end for end in figure["layout"]["xaxis"]["range"])
    for trace in figure["data"]:
        top = math.inf if trace["name"].startswith("training") else high  # single updates at the start may leave the picture
        assert all(low < y <= top * 1.0001 for y in trace["y"])
        assert all(left < x < right * 1.0001 for x in trace["x"])


def test_a_name_belongs_to_its_line_however_the_axis_is_zoomed(watched, lines):
    layout = figure_of(watched, lines)["layout"]
    low, high = layout["yaxis"]["range"]
    for line in lines:
        for label in (a for a in layout["annotations"] if a["text"].startswith(f"<b>{line.name}</b>")):
            assert label["yref"] == "y"
            assert label["y"] == pytest.approx(math.log10(line.perplexity), abs=1e-4)
            assert low <= label["y"] <= high


def test_a_name_that_has_to_give_way_is_joined_to_its_line_in_the_line_s_colour():
    lines = [Baseline(f"{n}-gram", n, perplexity, 2, 9) for n, perplexity in enumerate((9.0, 4.0, 3.9, 3.8))]
    point = Point(0, 0, 0.0, math.log(9))
    layout = training_figure(Curves([point], [], [], [], []), Settings(), lines, floor=None, vocab_size=9, **BY_UPDATES)["layout"]
    names = [a for a in layout["annotations"] if a.get("xref") == "paper"]
    colours = {shape["y0"]: shape["line"]["color"] for shape in layout["shapes"]}
    for name, line in zip(names, lines, strict=True):
        assert name["arrowcolor"] == colours[line.perplexity]


def test_each_baseline_is_named_with_its_value(watched, lines):
    labels = " ".join(a["text"] for a in figure_of(watched, lines)["layout"]["annotations"] if a.get("xref") == "paper")
    for line in lines[::5]:  # the lowest order and the highest
        assert line.name in labels


def test_lines_that_nearly_agree_share_a_label():
    point = Point(0, 0, 0.0, math.log(2))
    lines = [Baseline(name, i, 2.0 + 0.001 * i, 2, 2**i) for i, name in enumerate(("uniform", "unigram", "bigram"))]
    figure = training_figure(Curves([point], [], [], [], []), Settings(), lines, floor=1.22, vocab_size=2, **BY_UPDATES)
    labels = [a for a in figure["layout"]["annotations"] if a.get("xref") == "paper"]
    assert len(labels) == 2  # the three together, and the floor
    assert len([s for s in figure["layout"]["shapes"] if s.get("xref") == "paper"]) == 4  # every line is still drawn


def drawn(*nats, V=9, ghosts=(), flags=()):
    """The figure of a run that was judged so at updates 0, 1, 2 …"""
    points = [Point(u, 9 * u, float(u), value) for u, value in enumerate(nats)]
    curves = Curves(points, points, points, ghosts, flags)
    return training_figure(curves, Settings(), [], floor=None, vocab_size=V, **BY_UPDATES)


def trace_of(figure, name):
    return next((trace for trace in figure["data"] if trace["name"] == name), None)


def test_a_curve_leaves_the_chart_at_its_top_and_what_is_no_number_is_a_gap():
    figure = drawn(math.log(9), 1e6, math.nan, 1.0)
    top = 10 ** figure["layout"]["yaxis"]["range"][1]
    curve = trace_of(figure, "held-out text")
    assert curve["y"][1] > top
    assert curve["y"][2] is None
    json.dumps(figure, allow_nan=False)


@pytest.mark.parametrize("beyond", [1e6, math.inf, math.nan, math.log(9) + 20])
def test_what_is_above_the_chart_is_shown_at_its_edge(beyond):
    figure = drawn(math.log(9), 1.0, beyond)
    high = 10 ** figure["layout"]["yaxis"]["range"][1]
    marks = trace_of(figure, "above the chart")
    assert marks["x"] == [2]
    assert marks["y"] == pytest.approx([high])
    assert trace_of(drawn(math.log(9), 1.0, 1.1), "above the chart") is None
    back = drawn(math.log(9), beyond, 1.0)
    assert len(back["layout"]["annotations"]) == len(figure["layout"]["annotations"]) - 1  # only now it is said in words


def test_marks_at_the_edge_do_not_grow_with_the_run():
    marks = trace_of(drawn(math.log(9), *[1e6] * 5000), "above the chart")
    assert len(marks["x"]) < 200
    assert marks["x"][-1] == 5000


def test_a_run_that_begins_beyond_the_chart_is_drawn():
    json.dumps(drawn(math.inf), allow_nan=False)
    json.dumps(drawn(math.nan), allow_nan=False)


def test_no_dot_is_cut_in_half_by_the_edge():
    for trace in drawn(math.log(9), *[1.0] * 150)["data"]:
        assert trace["mode"] == "lines" or trace["cliponaxis"] is False


def start_words(figure):
    return [a for a in figure["layout"]["annotations"] if a["text"].startswith("untrained")]


@pytest.mark.parametrize("then", [(1.0,), (math.nan, 1.0), (math.log(9), 1.0)])
def test_the_words_at_the_beginning_stand_above_a_curve_that_falls(then):
    (label,) = start_words(drawn(math.log(9), *then))
    assert (label["yanchor"], label["y"]) == ("bottom", pytest.approx(math.log10(9)))


@pytest.mark.parametrize("then", [(math.log(9) + 1,), (math.log(9) + 0.05, math.log(9) + 0.3, 1.0), (1.0, math.log(9) + 1)])
def test_the_words_at_the_beginning_go_as_soon_as_a_curve_comes_there(then):
    assert not start_words(drawn(math.log(9), *then))


def shown_in_legend(figure):
    return {trace["name"]: trace["line"]["width"] for trace in figure["data"] if trace["showlegend"]}


def test_the_legend_says_what_is_thick_and_what_is_thin():
    figure = drawn(math.log(9), 1.5, 1.0, ghosts=[ghost_of(1.2, hidden_size=8)])
    assert figure["layout"]["showlegend"]
    assert list(shown_in_legend(figure)) == ["training windows", "held-out text"]
    thin, thick = shown_in_legend(figure).values()
    assert thick > 2 * thin


def test_the_beginning_says_the_number_of_the_network_not_that_of_v():
    (label,) = [a for a in drawn(math.log(7), 1.0)["layout"]["annotations"] if a["text"].startswith("untrained")]
    assert "7.00" in label["text"]
    assert "bgcolor" in label  # whatever curve passes there


BOOK = lesson("Deep Learning from Scratch 2, section 5.5")


def of_epochs(across, lesson=None):
    """Two epochs of seven updates each, and what the figure makes of them."""
    points = [Point(u, 9 * u, float(u), 2.0, u / 7) for u in range(15)]
    curves = Curves(points, points, points, [], [], [points[7], points[14]._replace(nats=1.0)])
    how = {"floor": None, "vocab_size": 9, "updates_per_epoch": 7, "across": across, "lesson": lesson}
    return training_figure(curves, Settings(batch_size=3, num_steps=3), [], **how)


def test_an_axis_of_epochs_has_the_mean_of_each_at_its_end():
    dots = trace_of(of_epochs("epochs"), MEANS)
    assert dots["x"] == [1.0, 2.0]
    assert dots["y"] == pytest.approx([math.exp(2.0), math.e], rel=1e-3)
    assert trace_of(of_epochs("updates"), MEANS) is None


@pytest.mark.parametrize(("across", "epoch"), [("updates", 7.0), ("epochs", 1.0), ("tokens", 63.0)])
def test_what_the_book_printed_stands_on_the_chart_of_its_preset_alone(across, epoch):
    figure = of_epochs(across, BOOK)
    marks = trace_of(figure, "printed in the book")
    assert marks["x"] == [epoch, 100 * epoch]
    assert marks["y"] == [379.8, 5.49]
    assert all(BOOK.name in said for said in marks["text"])
    low, high = (10**end for end in figure["layout"]["yaxis"]["range"])
    left, right = (10**end for end in figure["layout"]["xaxis"]["range"])
    assert low < 5.49 < 379.76 < high
    assert left < epoch < 100 * epoch < right
    assert MEANS in shown_in_legend(figure)
    names = [a["text"].replace("<br>", " ") for a in figure["layout"]["annotations"] if a["text"].endswith(("379.76", "5.49"))]
    assert names == ["Deep Learning from Scratch 2: 379.76", "5.49"]
    assert not start_words(figure)  # the source stands there, in a narrow plot too
    assert trace_of(of_epochs(across, lesson("Start here")), "printed in the book") is None


def test_a_book_s_seconds_are_not_drawn():
    assert trace_of(of_epochs("seconds", BOOK), "printed in the book") is None


def moves(*updates):
    return [Flag(Point(u, 9 * u, float(u), 0.0), "learning_rate", 0.1, 0.2 + i) for i, u in enumerate(updates)]


def test_the_newest_move_is_named_and_every_one_where_the_pointer_rests():
    flags = moves(0, 2, 2, 3)
    figure = drawn(math.log(9), 1.0, 1.0, 1.0, flags=flags)
    (named,) = [a for a in figure["layout"]["annotations"] if "→" in a["text"]]
    assert named["y"] == 1
    assert named["yanchor"] == "bottom"  # above the plot, clear of every curve
    (marks,) = [trace for trace in figure["data"] if trace["name"] == "moved"]
    assert len(marks["x"]) == 3
    assert " ".join(marks["text"]).count("→") == len(flags)
    assert "moved" not in shown_in_legend(figure)


def ghost_of(reached, **settings):
    return Ghost(Settings(**settings), 9, (Point(0, 0, 0.0, 2.0), Point(40, 360, 4.0, reached)))


def test_ghosts_are_named_beside_the_plot_in_the_order_of_what_they_reached():
    ghosts = [
        ghost_of(1.2, hidden_size=8),
        ghost_of(1.9, hidden_size=9),
        ghost_of(math.inf, hidden_size=10, batch_size=7, seed=3),
    ]
    layout = drawn(math.log(9), 1.0, ghosts=ghosts)["layout"]
    names = sorted((a for a in layout["annotations"] if a["text"].startswith("<i>")), key=lambda name: -name["y"])
    assert [name["text"].split()[1].rstrip(",</i>") for name in names] == ["10", "9", "8"]
    assert all((name["xref"], name["x"], name["xanchor"]) == ("paper", 1, "left") for name in names)
    assert all(a["y"] > b["y"] for a, b in pairwise(names))


def test_a_ghost_does_not_look_like_the_run():
    figure = drawn(math.log(9), 1.0, ghosts=[ghost_of(1.2, hidden_size=8)])
    ghost = next(trace for trace in figure["data"] if trace["name"].startswith("earlier run"))
    for trace in figure["data"]:
        if trace["mode"] == "lines" and trace is not ghost:
            assert trace["line"]["color"] != ghost["line"]["color"]
            assert "dash" not in trace["line"]


@given(st.integers(2, 10_000), st.floats(0.01, 1))
def test_there_is_room_above_v_for_the_words_at_the_beginning(V, best):
    figure = drawn(math.log(V), math.log(V) * best, V=V)
    low, high = figure["layout"]["yaxis"]["range"]
    assert (high - math.log10(V)) / (high - low) > 0.1


def test_ghosts_over_other_symbols_are_counted_not_drawn():
    point = Point(0, 0, 0.0, 1.0)
    ghosts = [Ghost(Settings(seed=7), 3, (point,)), Ghost(Settings(unit="word"), 3, (point,)), Ghost(Settings(), 9, (point,))]
    figure = training_figure(Curves([point], [], [], ghosts, []), Settings(), [], floor=None, vocab_size=3, **BY_UPDATES)
    assert sum(trace["name"].startswith("earlier run") for trace in figure["data"]) == 1
    assert any(a["text"].startswith("2 ") for a in figure["layout"]["annotations"])


@pytest.mark.parametrize(("best", "V", "rises"), [(1.22, 2, 1.0), (1.41, 2, 1.5), (1.9, 2, 1.0), (1.2, 2, 4.0), (2.3, 3, 1.0)])
def test_a_short_axis_of_perplexities_has_ticks_to_read_it_by(best, V, rises):
    axis = drawn(math.log(V), math.log(V * rises), math.log(best), V=V)["layout"]["yaxis"]
    low, high = (10**end for end in axis["range"])
    there = [tick for tick in axis["tickvals"] if low <= tick <= high]
    assert 3 <= len(there) <= 6
    assert [float(said) for said in axis["ticktext"]] == axis["tickvals"]


@pytest.mark.parametrize(("V", "best"), [(103, 3.6), (358, 1.17), (27, 1.3)])
def test_a_long_axis_of_perplexities_has_steps_of_one_two_and_five(V, best):
    ticks = drawn(math.log(V), math.log(best), V=V)["layout"]["yaxis"]["tickvals"]
    assert {f"{tick:e}"[0] for tick in ticks} == {"1", "2", "5"}
    assert all(2 <= b / a <= 2.5 for a, b in pairwise(ticks))


@given(st.floats(1e-3, 1e12))
def test_axis_ends_enclose(value):
    assert ladder_below(value) <= value * (1 + 1e-6)
    assert ladder_above(value) >= value * (1 - 1e-6)
