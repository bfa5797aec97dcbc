"""The curve that a reader expects: drawn in the chart and stored with the run, without changing the run."""

import pytest

from pages.app.session.session import Session
from tests.pages.app_session import SMALL, AppSession, state_fingerprint

LINE = [[1, 90.0], [1000, 5.0]]


def expect(stage: Session, line: list, across: str, serial: int) -> None:
    stage.prediction.draw(line, across, serial, stage.monitored)


def line(session: AppSession) -> tuple[list, str]:
    """The expected line in the chart, and the sentence that compares it with the run."""
    found = [(trace["x"], trace["y"]) for trace in session.chart()["data"] if trace["name"] == "expected"]
    return found, session.data("run_view")["expecting"]["says"]


@pytest.fixture
def session(training) -> AppSession:
    training.stage.run.step(3)
    expect(training.stage, LINE, "updates", 1)
    return training.run()


def test_a_line_stays_in_the_chart_and_is_compared_with_the_run(session):
    assert line(session) == ([([1, 1000], [90, 5])], "")
    drawn, sentence = line(session.train(40))
    assert drawn == [([1, 1000], [90, 5])]
    assert "At update" in sentence
    expect(session.stage, [], "updates", 2)
    assert line(session.run()) == ([], "")
    expect(session.stage, LINE, "updates", 3)
    assert line(session.choose("hidden_size", 16)) == ([], "")


def test_a_line_does_not_change_the_run(training):
    before = state_fingerprint(training.train().stage)
    training.stage.prediction.set_drawing(True)
    assert state_fingerprint(training.run().stage) == before
    expect(training.stage, LINE, "updates", 1)
    assert state_fingerprint(training.run().stage) == before


def test_an_invalid_line_leaves_the_one_before(session):
    for invalid in ([[1]], [[1, 2], [1, "<b>"]], [[5, 1], [1, 5]], [[1, 2]] * 1000):
        expect(session.stage, invalid, "updates", 2)
    expect(session.stage, LINE, "<b>", 2)
    session.stage.change_view(across="tokens")
    tokens = SMALL["batch_size"] * SMALL["num_steps"]
    assert line(session.run())[0] == [([tokens, 1000 * tokens], [90, 5])]
