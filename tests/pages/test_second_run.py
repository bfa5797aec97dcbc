"""Two runs from one seed on the page Training: they are equal but for one knob, and train to the same update."""

import numpy as np
import pytest

from pages.figures.parts import words
from pages.training import second_run
from tests.pages.app_session import SMALL, AppSession


@pytest.fixture
def compared(training: AppSession) -> AppSession:
    """A session that compares two runs, from update 3 on."""
    return press(training.train(3))


def press(session: AppSession) -> AppSession:
    second_run.press(session.stage)
    return session.run()


def other(session: AppSession):
    return second_run.second(session.stage)


def together(session: AppSession, updates: int) -> AppSession:
    """Train both runs by so many updates, as the page does."""
    session.train(updates)
    assert other(session).join(60)
    return session.run()


def test_the_second_run_begins_as_a_copy_and_differs_in_one_knob(compared):
    first, second = compared.stage.monitored, other(compared).source
    assert first.settings.differing(second.settings) == ["learning_rate"]
    assert (first.trainer.params.flat == second.trainer.params.flat).all()
    assert first.step == second.step == 3
    assert [point.nats for point in first.history.judged] == [point.nats for point in second.history.judged]


def test_two_runs_are_equal_bit_for_bit_until_a_knob_differs(compared):
    stage = compared.stage
    second_run.move(stage, second_run.NAME, stage.settings.learning_rate, True)
    together(compared, 5)
    first, second = stage.monitored, other(compared).source
    assert first.step == second.step == 8
    assert (first.trainer.params.flat == second.trainer.params.flat).all()
    second_run.move(stage, second_run.NAME, stage.settings.learning_rate / 8, True)
    together(compared, 5)
    assert first.step == second.step == 13
    assert not np.allclose(first.trainer.params.flat, second.trainer.params.flat)


def test_either_knob_moves_its_own_run_alone(compared):
    stage = compared.stage
    second_run.move(stage, "learning_rate", 0.5, True)
    assert (stage.settings.learning_rate, other(compared).settings.learning_rate != 0.5) == (0.5, True)
    second_run.move(stage, second_run.NAME, 0.25, True)
    assert (stage.settings.learning_rate, other(compared).settings.learning_rate) == (0.5, 0.25)


@pytest.mark.parametrize("knob", second_run.COMPARED)
def test_the_knob_that_differs_is_chosen_and_both_runs_are_named_by_it(compared, knob):
    second_run.move(compared.stage, "second_knob", knob, True)
    session = together(compared.run(), 4)
    assert session.stage.settings.differing(other(session).settings) == [knob]
    names = [control["name"] for row in session.data("second_run_knobs")["rows"] for control in row]
    assert names == ["title", "end_second", knob, second_run.NAME, "second_knob"]
    chart = session.chart()
    own, its = (words.setting(knob, getattr(of.settings, knob)) for of in (session.stage, other(session)))
    curves = {trace["name"]: trace for trace in chart["data"] if trace.get("showlegend")}
    assert own != its
    assert [curves[name]["customdata"][-1] for name in (own, its)] == [session.stage.monitored.step] * 2 == [7, 7]


def test_beside_a_new_run_the_second_one_begins_anew_with_its_own_knob(compared):
    second_run.move(compared.stage, second_run.NAME, 0.25, True)
    together(compared, 5)
    compared.stage.start(compared.stage.settings.but(seed=3))
    compared.run()
    assert other(compared).source.step == 0
    assert other(compared).settings.learning_rate == 0.25
    assert compared.stage.monitored.settings.differing(other(compared).settings) == ["learning_rate"]
    together(compared, 4)
    assert other(compared).source.step == compared.stage.monitored.step == 4


def test_a_second_run_that_diverges_stays_there_until_its_knob_is_moved(visit):
    session = press(visit(max_tokens=10_000, hidden_size=8, activation="relu", optimizer="sgd", clip_norm=0, learning_rate=0.01))
    second_run.move(session.stage, second_run.NAME, 100.0, True)
    together(session, 40)
    failed = other(session)
    assert failed.snapshot().state == "diverged"
    assert any("second run" in notice for notice in session.run().notices)
    step = failed.source.step
    together(session, 5)
    assert failed.source.step == step < session.stage.monitored.step
    second_run.move(session.stage, second_run.NAME, 0.001, True)
    assert failed.join(60)
    together(session.run(), 1)
    assert not second_run.compared(session.stage).failed


def test_a_comparison_that_ends_leaves_its_curve_and_the_live_knobs(compared):
    together(compared, 5)
    second_run.end(compared.stage)
    compared.run()
    assert not other(compared)
    assert len(compared.stage.ghosts) == 1
    assert compared.control("clip_norm")


def test_a_comparison_is_offered_except_in_a_scene(visit):
    for query, offered in (({}, True), ({"scene": "lag"}, False)):
        rows = visit("training", **query).data("live_knobs")["rows"]
        assert ("compare" in [control["name"] for row in rows for control in row]) == offered


def test_a_typed_value_moves_the_second_run_or_is_refused_beside_its_knob(compared):
    second_run.type_value(compared.stage, second_run.NAME, "no number")
    assert compared.stage.problem_setting == second_run.NAME
    second_run.type_value(compared.stage, second_run.NAME, "0.25")
    assert (compared.stage.problem, other(compared).settings.learning_rate) == ("", 0.25)
    second_run.end(compared.stage)
    second_run.type_value(compared.stage, second_run.NAME, "0.5")  # ended meanwhile: nothing happens


def test_a_remedy_that_moves_a_knob_of_the_run_makes_the_second_run_anew(compared):
    compared.stage.move(weight_decay=0.1)
    compared.run()
    assert compared.stage.run.settings.differing(other(compared).settings, "live") == ["learning_rate"]


def test_windows_of_one_step_cannot_differ_in_truncation(visit):
    session = press(visit(**SMALL | {"num_steps": 1}))
    assert "truncation" not in str(session.data("second_run_knobs")["rows"])
