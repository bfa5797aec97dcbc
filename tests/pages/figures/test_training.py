"""The figures of the page Training, for every lesson: the numbers are the run's own."""

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import product

import numpy as np
import pytest

from core.analysis.position import Table
from core.analysis.weights import spreads
from core.config.settings import KNOBS, Settings
from core.models.initialisation import INITIALISATIONS, init_params
from core.text.corpus import Corpus
from core.training.curves import Point
from core.training.diagnosis import Diagnosis
from core.training.experiments.sweep import grouped
from core.training.experiments.sweep_worker import Budget, Member
from core.training.held_out import Judgement
from core.training.history import Flag, Ghost
from core.training.run.live_run import Snapshot
from core.training.run.monitored_trainer import RATE_IS_ZERO
from core.training.snapshots import Moments
from pages.content.lessons import Lesson, lesson
from pages.figures.parts import words
from pages.figures.parts.numbers import count, number
from pages.figures.parts.run_card import TITLES, run_card
from pages.figures.parts.style import escape
from pages.figures.perplexity.against_counting import Network, models_grid
from pages.figures.training import sweep_words
from pages.figures.training.chart_marks import MEANS
from pages.figures.training.perplexity_axes import AXIS_TITLES
from pages.figures.training.perplexity_curve import Curves, training_figure
from pages.figures.training.readout import readout, writing_drawing
from pages.figures.training.sweep_charts import curves_figure, reached_figure
from pages.figures.training.weights import weights_figure
from tests.pages.figures import builders
from tests.pages.figures.drawings import texts, trace

HOW = {"floor": None, "updates_per_epoch": 7}
BOOK = lesson("Deep Learning from Scratch 2, section 5.5")


def drawn(*nats: float, V: int = 9, ghosts: Sequence[Ghost] = (), flags: Sequence[Flag] = (), **more: Judgement) -> dict:
    """The figure of a run with these judgements at updates 0, 1, 2 …"""
    points = [Point(u, 9 * u, float(u), value) for u, value in enumerate(nats)]
    return training_figure(Curves(points, points, points, ghosts, flags, **more), Settings(), [], vocab_size=V, **HOW)


def notes(figure: dict, beginning: str) -> list[dict]:
    return [note for note in figure["layout"]["annotations"] if note["text"].startswith(beginning)]


def bounds(figure: dict, axis: str = "yaxis") -> tuple[float, float]:
    axis = figure["layout"][axis]
    return tuple(10**end if axis.get("type", "log") == "log" else end for end in axis["range"])


def test_the_curve_is_the_exponential_of_the_judged_losses(monitored, lines):
    curve = trace(builders.training_figure(monitored, lines), "held-out text")
    assert curve["y"] == pytest.approx([math.exp(point.nats) for point in monitored.history.judged], rel=1e-3)
    assert curve["customdata"] == [point.update for point in monitored.history.judged]


def test_a_second_run_is_inside_the_axes_and_both_are_named_by_what_differs():
    second = Ghost(Settings(learning_rate=0.5), "", tuple(Point(u, 9 * u, float(u), 4.0) for u in range(30)))
    figure = drawn(2.0, 1.5, second=second)
    own, curve = (trace(figure, words.setting("learning_rate", rate)) for rate in (Settings().learning_rate, 0.5))
    assert curve["y"] == pytest.approx([math.exp(4.0)] * 30, rel=1e-3)
    assert bounds(figure)[1] > math.exp(4.0)
    assert bounds(figure, "xaxis")[1] > 29
    assert own["y"] == pytest.approx([math.exp(2.0), math.exp(1.5)], rel=1e-3)
    (label,) = notes(figure, f"<b>{curve['name']}</b>")
    assert number(math.exp(4.0)) in label["text"]
    equal = drawn(2.0, 1.5, second=Ghost(Settings(), "", second.points))
    assert trace(equal, "this run")["y"] == own["y"]
    assert trace(equal, "second run")["y"] == curve["y"]


def test_every_point_is_finite_and_inside_the_axes(monitored, lines):
    for across, scale in product(AXIS_TITLES, ("log", "linear")):
        figure = builders.training_figure(monitored, lines, across, scale)
        (low, high), (left, right) = bounds(figure), bounds(figure, "xaxis")
        for curve in figure["data"]:
            top = math.inf if curve["name"].startswith("training") else high  # single updates at the start may exceed it
            assert all(low < y <= top * 1.0001 for y in curve["y"])
            assert all(left < x < right * 1.0001 for x in curve["x"])


def test_every_counting_model_is_a_line_at_its_perplexity_with_its_name(monitored, lines):
    figure = builders.training_figure(monitored, lines)
    across = [shape["y0"] for shape in figure["layout"]["shapes"] if shape.get("xref") == "paper"]
    if monitored.corpus.floor and len(monitored.history.judged) == 1:
        assert not across  # they would reveal the answer of the lesson
        return
    assert across == [line.perplexity for line in lines] + [monitored.corpus.floor] * (monitored.corpus.floor is not None)
    named = [note for note in notes(figure, "<b>") if note.get("xref") == "paper"]
    assert all(min(abs(note["y"] - math.log10(line)) for line in across) < 1e-4 for note in named)
    for line in lines[::5]:  # the lowest order and the highest
        assert any(line.name in note["text"] for note in named)


@pytest.mark.parametrize("beyond", [1e6, math.inf, math.nan, math.log(9) + 20])
def test_what_is_above_the_chart_is_marked_at_its_edge(beyond):
    figure = drawn(math.log(9), 1.0, beyond)
    high, y, marks = bounds(figure)[1], trace(figure, "held-out text")["y"][2], trace(figure, "above the chart")
    assert y is None if math.isnan(beyond) else y > high
    assert (marks["x"], marks["y"]) == ([2], pytest.approx([high]))
    assert trace(drawn(math.log(9), 1.0, 1.1), "above the chart") is None
    many = trace(drawn(math.log(9), *[beyond] * 2000), "above the chart")["x"]
    assert len(many) < 200
    assert many[-1] == 2000


def of_epochs(across: str, of: Lesson | None = None, updates: int = 15) -> dict:
    """The figure of two epochs of seven updates each, or of fewer updates."""
    points = [Point(u, 9 * u, float(u), 2.0, u / 7) for u in range(15)]
    epochs = [points[7], points[14]._replace(nats=1.0)] if updates == 15 else []
    points = points[:updates]
    curves = Curves(points, points, points, [], [], epochs)
    return training_figure(curves, Settings(batch_size=3, num_steps=3, across=across), [], vocab_size=9, lesson=of, **HOW)


def test_an_axis_of_epochs_has_each_mean_at_its_end_and_the_names_of_the_book():
    dots = trace(of_epochs("epochs"), MEANS)
    assert dots["x"] == [1.0, 2.0]
    assert dots["y"] == pytest.approx([math.exp(2.0), math.e], rel=1e-3)
    assert trace(of_epochs("updates"), MEANS) is None
    notes = [note["text"] for note in of_epochs("updates", BOOK)["layout"]["annotations"]]
    assert [text for text in notes if text.startswith("here")] == [
        "here, while it learned: 7.39"
    ]  # the book prints the first epoch only
    assert not any(note["text"].startswith("here") for note in of_epochs("epochs")["layout"]["annotations"])


@pytest.mark.parametrize(("across", "epoch"), [("updates", 7.0), ("epochs", 1.0), ("tokens", 63.0)])
def test_perplexities_printed_in_the_book_are_on_the_chart_of_its_lesson_alone(across, epoch):
    figure = of_epochs(across, BOOK)
    marks = trace(figure, "printed in the book")
    assert (marks["x"], marks["y"]) == ([epoch, 100 * epoch], [379.8, 5.49])
    assert all(BOOK.name in said for said in marks["text"])
    assert bounds(figure)[0] < 5.49 < 379.76 < bounds(figure)[1]
    assert trace(of_epochs(across, lesson("Start here")), "printed in the book") is None
    assert trace(of_epochs("seconds", BOOK), "printed in the book") is None  # the book used another machine
    assert trace(of_epochs(across, BOOK, updates=1), "printed in the book") is None  # it would reveal the answer of the scene


def test_every_move_of_a_setting_is_marked_and_the_newest_is_named():
    flags = [Flag(Point(u, 9 * u, float(u), 0.0), "learning_rate", 0.1, 0.2 + i) for i, u in enumerate((0, 2, 2, 3))]
    figure = drawn(math.log(9), 1.0, 1.0, 1.0, flags=flags)
    (named,) = [note["text"] for note in figure["layout"]["annotations"] if "→" in note["text"]]
    assert named.endswith("3.2")
    marks = trace(figure, "moved")
    assert (marks["x"][1:], marks["customdata"]) == ([2, 3], [0, 2, 3])
    assert " ".join(marks["text"]).count("→") == len(flags)


def test_earlier_runs_on_another_text_are_counted_and_not_drawn():
    """Also if their settings are the same, as with two texts of the reader's own."""
    points = (Point(0, 0, 0.0, 2.0), Point(40, 360, 4.0, 1.0))
    others = (("this text", {"seed": 7}), ("another text", {}), ("a third text", {"unit": "word"}))
    figure = drawn(1.0, text="this text", ghosts=[Ghost(Settings(**settings), text, points) for text, settings in others])
    assert sum(curve["name"].startswith("earlier run") for curve in figure["data"]) == 1
    assert notes(figure, "2 ")


def test_earlier_runs_with_the_same_settings_have_different_names():
    ends = (40, 60)
    same = [Ghost(Settings(), "", (Point(0, 0, 0.0, 2.0), Point(end, 9 * end, 4.0, 1.0))) for end in ends]
    named = [note["text"] for note in notes(drawn(1.0, V=3, ghosts=same), "") if "same settings" in note["text"]]
    assert [str(end) in text for end, text in zip(ends, named, strict=True)] == [True, True]


@pytest.mark.parametrize(
    "fields", [{"init": init} for init in KNOBS["init"].words] + [{"corpus": "own", "unit": "word"}], ids=str
)
def test_the_name_of_an_earlier_run_has_whole_values(fields):
    points = (Point(0, 0, 0.0, 2.0), Point(40, 360, 4.0, 1.0))
    others = Settings(**fields).but(seed=7)
    (name,) = [note["text"] for note in notes(drawn(1.0, V=3, ghosts=[Ghost(others, "", points)]), "<i>")]
    first = words.differing_values(others, Settings())[0]
    assert escape(first) in name
    assert not re.search("text.* text", first)


def test_an_earlier_run_that_cannot_be_told_from_this_one_is_marked():
    now = Judgement(np.linspace(1.0, 1.4, 9), 10)
    for change, marked in ((np.zeros(9), True), (np.full(9, 0.01), False)):
        points = (Point(0, 0, 0.0, 2.0), Point(40, 360, 4.0, 1.2))
        earlier = Ghost(Settings(seed=7), "", points, judgement=now._replace(rows=now.rows + change))
        assert bool([note for note in notes(drawn(1.0, V=3, ghosts=[earlier], now=now), "") if "≈" in note["text"]]) == marked


def read(snapshot: Snapshot, corpus: Corpus, **view: object) -> dict:
    """The readout of a run with some of its numbers replaced."""
    return readout(replace(snapshot, view=replace(snapshot.view, **view)), corpus, on_training_text=False)


def test_bits_perplexity_and_rate_are_those_of_the_judged_loss_and_the_schedule(monitored, snapshot):
    scene, nats = read(snapshot, monitored.corpus), monitored.history.judged[-1].nats
    bits = next(value for name, value in scene["rows"] if name.startswith("bits"))
    assert float(bits) == pytest.approx(nats / math.log(2), abs=0.006)
    assert float(scene["number"]) == pytest.approx(math.exp(nats), rel=0.006)
    assert read(snapshot, monitored.corpus, judged=Point(1, 1, 1.0, 1e9))["number"] == "∞"
    halfway = {"settings": monitored.settings.but(learning_rate=0.25, cosine_until=200), "point": Point(100, 1, 1.0, 1.0)}
    assert float(dict(read(snapshot, monitored.corpus, **halfway)["rows"])["rate now"]) == 0.125


def test_the_large_number_is_named_with_the_update_at_which_it_was_judged(monitored, snapshot):
    behind = {"judged": Point(248, 1, 1.0, 1.0), "point": Point(356, 1, 1.0, 1.0)}
    card = run_card(
        replace(snapshot, view=replace(snapshot.view, **behind)),
        monitored.history,
        monitored.corpus,
        on_training_text=False,
        small=False,
        update=356,
    )
    for what in (read(snapshot, monitored.corpus, **behind)["what"], card["what"]):
        assert "248" in what
    assert "356" in card["aside"]


def test_the_gauge_has_one_log_scale_for_all_norms_and_clips(monitored, snapshot):
    def shares(norms: list[float], clip: float) -> list[float]:
        settings = snapshot.view.settings.but(clip_norm=clip)
        return [read(snapshot, monitored.corpus, grad_norm=norm, settings=settings)["norm"]["share"] for norm in norms]

    norms = [0.01, 1.01, 100.0]
    assert shares(norms, 0.0) == shares(norms, 1.0) == sorted(shares(norms, 5.0))
    assert shares([math.nan, 0.0, 1e-9, 1.0, math.inf], 1.0) == [0, 0, 0, 0.5, 1]
    gauge = read(snapshot, monitored.corpus, grad_norm=2.0, settings=snapshot.view.settings.but(clip_norm=2.0))["norm"]
    assert gauge["mark"] == gauge["share"]


def test_the_reason_of_a_state_is_shown_and_only_divergence_has_remedies(monitored, snapshot):
    for state in TITLES:
        scene = read(replace(snapshot, state=state, reason="Because."), monitored.corpus)
        assert (scene["notice"] != "") == (state in ("diverged", "failed"))
        assert ("Because." in dict(scene["rows"])) == (state == "paused")
        assert (scene["remedies"] != []) == (state == "diverged")
    usual = read(snapshot, monitored.corpus)["rows"]
    assert read(replace(snapshot, reason=RATE_IS_ZERO), monitored.corpus)["rows"] == [*usual[:-2], [RATE_IS_ZERO, ""]]


@pytest.mark.parametrize(
    ("diagnosis", "offered"),
    [
        (Diagnosis(), []),
        (Diagnosis("too_fast", 30), ["halve_rate"]),
        (Diagnosis("overfitting", 300, 280), ["decay", "back"]),
        (Diagnosis("overflows", 7, 6), ["reset", "back"]),
        (Diagnosis("overflows", 0), ["reset"]),
    ],
)
def test_what_is_wrong_is_said_with_what_helps(monitored, snapshot, diagnosis, offered):
    for state in ("training", "paused", "diverged") if diagnosis.kind == "overflows" else ("training", "paused"):
        scene = read(replace(snapshot, state=state), monitored.corpus, diagnosis=diagnosis)
        assert [what for what, _ in scene["remedies"]] == offered
        assert bool(scene["notice"]) == bool(offered)
        assert ("back" in offered) == (str(diagnosis.back) in str(scene["remedies"]))
    if diagnosis.kind not in ("", "too_fast"):
        assert str(diagnosis.since) in scene["notice"]


@pytest.mark.parametrize(("clip", "offered"), [(0.0, 1), (5.0, 1), (1.0, 0.5), (0.4, 0.2)])
def test_a_remedy_never_loosens_the_clipping(monitored, snapshot, clip, offered):
    diverged = replace(snapshot, state="diverged", reason="It diverged.")
    scene = read(diverged, monitored.corpus, settings=snapshot.view.settings.but(clip_norm=clip))
    assert float(dict(scene["remedies"])["clip"].split()[-1]) == offered
    assert (scene["notice"] == "It diverged.") == (not 0 < clip <= 1)  # if already clipped, more than the remedies is needed


def test_the_card_has_the_small_curve_and_the_moments_to_look_back_at(monitored, snapshot):
    history, update = monitored.history, max(monitored.step, 1)
    card = run_card(snapshot, history, monitored.corpus, on_training_text=False, small=False, update=update)
    assert card["curve"] == sorted(card["curve"], key=lambda at: at[0])
    assert all(0 <= x <= 1 and 0 <= y <= 1 for x, y in card["curve"])
    assert len(card["past"]["words"]) == len(card["past"]["updates"]) + 1 > 1
    past = history.moments.first
    card = run_card(snapshot, history, monitored.corpus, on_training_text=False, small=True, update=1234, past=past)
    assert (card["state"], card["past"]["at"]) == ("past", 0)
    assert [what for what, *_ in card["buttons"]] == ["now", "branch"]


def test_every_model_has_a_row_of_its_perplexity(monitored, lines):
    nats = monitored.view().judged.nats
    scene = models_grid(lines, Network("RNN", 7, nats), monitored.corpus.tokenizer.size, "character", Table(math.inf, 7))
    rows = dict(zip([row["name"] for row in scene["rows"]], texts(scene), strict=True))
    perplexities = {line.name: line.perplexity for line in lines} | {"RNN": math.exp(nats)}
    assert set(rows) == {*perplexities, "bigram, not smoothed"}
    for name, perplexity in perplexities.items():
        assert [float(cell) for cell in rows[name][:2]] == pytest.approx([perplexity, math.log2(perplexity)], rel=0.006)
    assert rows["bigram, not smoothed"][0] == "∞"
    for loss, said in ((math.nan, "–"), (0.0, "1.00"), (1e6, "∞")):
        assert texts(models_grid([], Network("RNN", 10, loss), 2, "symbol"))[0][0] == said


@pytest.mark.parametrize("init", INITIALISATIONS)
def test_both_histograms_have_the_counts_and_edges_of_the_core(init):
    start, now = (init_params(9, 8, embedding_size=3, init=init, rng=np.random.default_rng(seed)) for seed in (0, 1))
    now.W_hq[...] = np.inf
    there = spreads(start, now)
    assert len(there) == 4
    for spread in there:
        figure = weights_figure(spread)
        for curve, counts in zip(figure["data"], (spread.start, spread.now), strict=True):
            assert [round(height) if height >= 1 else 0 for height in curve["y"][1:-1]] == counts.tolist()
            assert (curve["x"][0], curve["x"][-1]) == (pytest.approx(spread.edges[0]), pytest.approx(spread.edges[-1]))


def test_the_first_and_the_four_newest_written_texts_are_shown(monitored, snapshot):
    moments, first = Moments(monitored.trainer.params.flat.nbytes), monitored.history.moments.first
    moments.budget = 10 * first.bytes
    for update in (0, 10, 50, 100, 1000, 10_000, 100_000, 100_001):
        moments.add(replace(first, point=first.point._replace(update=update)))
    history, view = replace(monitored.history, moments=moments), snapshot.view
    for update, milestones in ((200_000, (0, 100, 1000, 10_000, 100_000)), (100, (0, 10, 100))):
        then = replace(snapshot, view=replace(view, point=view.point._replace(update=update)))
        earlier = writing_drawing(then, history)["earlier"]
        assert [milestone for milestone, _ in earlier] == list(map(count, milestones))


curves = partial(curves_figure, budget=Budget(tokens=1000), judged_on="held-out text")
reached = partial(reached_figure, judged_on="held-out text")


def test_a_network_that_diverged_is_a_cross_at_the_edge_and_a_sentence():
    def member(rate: float, ended: str, *nats: float) -> Member:
        points = tuple(Point(10 * i, 100 * i, 0.1 * i, loss) for i, loss in enumerate(nats))
        return Member(Settings(learning_rate=rate), points, step=10, ended=ended, message=f"It has {ended}.")

    members = [member(0.1, "", 4.0, 2.0), member(0.2, "diverged", 4.0, math.inf), member(0.2, "", 4.0, 4.1)]
    members.append(member(0.3, "failed"))
    figure = reached(grouped(members, "learning_rate"), "learning_rate")
    _, dots, crosses = figure["data"]
    assert ([round(x) for x in dots["x"]], [round(x) for x in crosses["x"]]) == ([0, 1], [1, 2])
    edge = 10 ** figure["layout"]["yaxis"]["range"][1]
    assert crosses["y"] == pytest.approx([edge] * 2)
    assert max(dots["y"]) < edge  # even points slightly above the start
    assert len(sweep_words.failure_words(members, "learning_rate")) == 2


def test_axes_include_the_theoretical_values():
    race = [Member(Settings(truncation=tau)) for tau in (2, 3, 4, 5)]
    there = [one._replace(points=(Point(0, 0, 0.0, math.log(2.3)), Point(9, 900, 0.1, 0.6)), step=9) for one in race]
    for members, highest in ((race, 2.2), (there, 3.0)):
        figure = curves(grouped(members, "truncation"), "truncation", theory=[2.0, 2.0, 1.22, 1.22], start=2.0)
        known = [trace["y"][0] for trace in figure["data"] if trace["name"] == "known"]
        assert known == pytest.approx([2.0, 1.22], rel=1e-4)
        low, high = bounds(figure)
        assert 1 < low < 1.22
        assert 2.0 < high < highest
    for build in (curves, reached):  # without a theoretical value, the start is in the range
        assert 103 < bounds(build(grouped(race, "truncation"), "truncation", start=103.0))[1] < 150
