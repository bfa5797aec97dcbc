"""The readout and the card: every state has its words, and the numbers are the snapshot's."""

import json
import math
from dataclasses import replace

import pytest

from core.figures.parts.numbers import count
from core.figures.parts.run_card import TITLES, meaning, run_card
from core.figures.training.readout import readout
from core.training.curves import Point
from core.training.live_run import Snapshot
from core.training.watched import RATE_IS_ZERO


@pytest.fixture
def snapshot(watched):
    return Snapshot("training", "", watched.look(), 1234.0)


@pytest.mark.parametrize("state", TITLES)
def test_every_state_is_drawn(watched, snapshot, state):
    snapshot = replace(snapshot, state=state, reason="Because.")
    for scene in (
        readout(snapshot, watched.corpus, on_training_text=False),
        run_card(snapshot, watched.history, watched.corpus, on_training_text=True, small=False, update=watched.step),
        run_card(snapshot, watched.history, watched.corpus, on_training_text=True, small=True, update=watched.step),
    ):
        json.dumps(scene, allow_nan=False)
    assert (readout(snapshot, watched.corpus, on_training_text=False)["remedies"] != []) == (state == "diverged")


def test_bits_are_the_judged_nats(watched, snapshot):
    rows = dict(readout(snapshot, watched.corpus, on_training_text=False)["rows"])
    bits = next(value for name, value in rows.items() if name.startswith("bits"))
    assert float(bits) == pytest.approx(watched.history.judged[-1].nats / math.log(2), abs=0.006)


def noted(snapshot, corpus, **view):
    return readout(replace(snapshot, view=replace(snapshot.view, **view)), corpus, on_training_text=False)


def test_the_gauge_has_one_scale_for_all_norms_and_clips(watched, snapshot):
    def shares(norms, clip):
        settings = snapshot.view.settings.but(clip_norm=clip)
        return [noted(snapshot, watched.corpus, grad_norm=norm, settings=settings)["norm"]["share"] for norm in norms]

    norms = [0.01, 0.1, 0.99, 1.01, 10.0, 100.0]
    assert shares(norms, 0.0) == shares(norms, 1.0) == sorted(shares(norms, 5.0))
    below, above = shares([0.97, 1.04], 0.0)
    assert 0 < above - below < 0.01
    gauge = noted(snapshot, watched.corpus, grad_norm=2.0, settings=snapshot.view.settings.but(clip_norm=2.0))["norm"]
    assert gauge["mark"] == gauge["share"]


def test_the_rate_in_force_is_told(watched, snapshot):
    def rows(until, update):
        settings = snapshot.view.settings.but(learning_rate=0.25, cosine_until=until)
        point = snapshot.view.point._replace(update=update)
        return dict(noted(snapshot, watched.corpus, settings=settings, point=point)["rows"])

    assert float(rows(0, 5000)["rate now"]) == 0.25
    assert [float(rows(200, update)["rate now"]) for update in (0, 100, 200, 5000)] == [0.25, 0.125, 0, 0]


@pytest.mark.parametrize("state", TITLES)
def test_the_rows_stay_where_they_are_whatever_happens(watched, snapshot, state):
    scene = readout(replace(snapshot, state=state, reason="Update 300 is reached."), watched.corpus, on_training_text=False)
    assert len(scene["rows"]) == len(readout(snapshot, watched.corpus, on_training_text=False)["rows"])
    assert (scene["notice"] != "") == (state in ("diverged", "failed"))
    assert ("Update 300 is reached." in dict(scene["rows"])) == (state == "paused")


def test_a_rate_that_has_fallen_to_zero_is_told_in_the_two_lines_of_rate_and_pace(watched, snapshot):
    usual = readout(snapshot, watched.corpus, on_training_text=False)["rows"]
    rows = readout(replace(snapshot, state="paused", reason=RATE_IS_ZERO), watched.corpus, on_training_text=False)["rows"]
    assert rows == [*usual[:-2], [RATE_IS_ZERO, ""]]


@pytest.mark.parametrize("nats", [0.1, 3.0, 12.0, 1e9, math.inf, math.nan])
def test_what_a_perplexity_means_has_two_short_lines(watched, snapshot, nats):
    scene = noted(snapshot, watched.corpus, judged=Point(1, 1, 1.0, nats))
    assert max(len(scene["as_if"]), len(scene["kinds"])) < 28


@pytest.mark.parametrize(("perplexity", "as_if"), [
    (4.14, ("as if choosing among", "4.14 letters")),
    (104.0, ("as if choosing among", "all 103 letters")),
    (150.8, ("worse than guessing evenly", "among all 103 letters")),
    (math.inf, ("worse than guessing evenly", "among all 103 letters")),
])  # fmt: skip
def test_nobody_chooses_among_more_than_there_are(perplexity, as_if):
    assert meaning(perplexity, 103, "letter") == as_if


def test_a_clipped_run_that_diverges_is_told_to_start_over(watched, snapshot):
    diverged = replace(snapshot, state="diverged", reason="It diverged.")
    settings = snapshot.view.settings
    assert noted(diverged, watched.corpus, settings=settings.but(clip_norm=0.0))["notice"] == "It diverged."
    assert "start over" in noted(diverged, watched.corpus, settings=settings.but(clip_norm=1.0))["notice"]


@pytest.mark.parametrize("state", ["paused", "diverged", "failed"])
def test_a_reason_stands_once_on_a_screen(watched, snapshot, state):
    snapshot = replace(snapshot, state=state, reason="Because.")
    cards = [
        run_card(snapshot, watched.history, watched.corpus, on_training_text=False, small=small, update=0)
        for small in (True, False)
    ]
    assert [card["sentence"] for card in cards] == ["", "Because."]


@pytest.mark.parametrize("norm", [math.nan, 0.0, 1e-9, 0.5, 3.0, math.inf])
@pytest.mark.parametrize("clip", [0.0, 1.0])
def test_the_gauge_takes_any_norm(watched, snapshot, norm, clip):
    view = replace(snapshot.view, grad_norm=norm, clipped_norm=norm, settings=snapshot.view.settings.but(clip_norm=clip))
    gauge = readout(replace(snapshot, view=view), watched.corpus, on_training_text=False)["norm"]
    json.dumps(gauge, allow_nan=False)
    assert 0 <= gauge["share"] <= 1


def test_an_infinite_perplexity_is_said(watched, snapshot):
    view = replace(snapshot.view, judged=Point(1, 1, 1.0, 1e9))
    assert readout(replace(snapshot, view=view), watched.corpus, on_training_text=False)["number"] == "∞"


@pytest.mark.parametrize(("clip", "offered"), [(0.0, "1"), (5.0, "1"), (1.0, "0.5"), (0.4, "0.2")])
def test_a_remedy_never_loosens_the_clipping(watched, snapshot, clip, offered):
    view = replace(snapshot.view, settings=snapshot.view.settings.but(clip_norm=clip))
    scene = readout(replace(snapshot, state="diverged", view=view), watched.corpus, on_training_text=False)
    assert float(dict(scene["remedies"])["clip"].split()[-1]) == float(offered)


def test_the_small_curve_stands_above_the_bar_that_goes_back(watched, snapshot):
    step, history = watched.step, watched.history
    scene = run_card(snapshot, history, watched.corpus, on_training_text=False, small=False, update=max(step, 1))
    places = [x for x, _ in scene["curve"]]
    assert places[0] == 0
    assert places == sorted(places)
    assert all(0 <= x <= 1 and 0 <= y <= 1 for x, y in scene["curve"])
    assert scene["past"]["words"][-1].startswith("now")
    assert len(scene["past"]["words"]) == len(scene["past"]["updates"]) + 1


def test_who_looks_back_is_told_of_now(watched, snapshot):
    moment = watched.history.moments.first
    scene = run_card(snapshot, watched.history, watched.corpus, on_training_text=False, small=True, update=1234, past=moment)
    assert scene["state"] == "past"
    assert scene["past"]["at"] == 0
    assert count(1234) in scene["sentence"]
    assert [what for what, *_ in scene["buttons"]] == ["now", "branch"]
