"""Earlier moments of a run: every page shows the network of that moment, training continues, and a branch is a new run."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from core.config.link import PAGE_PATHS
from pages.app.panels.commands import command, press, seek
from pages.app.session.session import Session
from pages.figures.parts.numbers import count, number
from tests.pages.app_session import LIMIT, SMALL, AppSession, diverged_session


@pytest.fixture
def stage(stage) -> Session:
    """A session with a run after sixty updates, without a page."""
    stage.run.step(57)
    return stage


@pytest.fixture
def session(training) -> AppSession:
    return training.train(60)


def back(session: AppSession, update: int) -> AppSession:
    seek(session.stage, update)
    return session.run()


def test_the_card_and_the_chart_show_the_past_moment_and_then_the_present(training):
    assert training.data("run_card")["past"] is None
    session = training.train(60)
    at_zero = session.chart()["data"][3]["y"][0]
    assert "looking back" not in [trace["name"] for trace in session.chart()["data"]]
    then = back(session, 0).data("run_card")
    assert (then["state"], then["past"]["at"]) == ("past", 0)
    assert count(60) in then["sentence"]
    assert session.data("run_view")["readout"]["number"] == then["number"] == number(at_zero)
    then = back(session, 9).data("run_card")
    (ring,) = [trace for trace in session.chart()["data"] if trace["name"] == "looking back"]
    assert ring["x"] == ring["customdata"] == [9]
    session.train(5)
    assert session.data("run_card")["number"] == then["number"]
    assert count(65) in session.data("run_card")["sentence"]
    assert session.stage.monitored.step == 65
    command(session.stage, "step", None)  # returns to the present
    assert not session.stage.past
    assert session.run().data("run_card")["state"] == "paused"
    assert session.stage.monitored.step == 66
    assert back(session, -1).data("run_card") == session.data("run_card")


def test_every_page_opens_on_a_past_moment(session):
    seek(session.stage, 9)
    for page in ("start", *PAGE_PATHS):
        assert session.switch_page(page).stage.past


def test_a_branch_leaves_the_run_as_a_ghost_and_goes_on_from_there(stage):
    old = stage.monitored
    seek(stage, 33)
    update = stage.past.moment.update
    press(stage, "branch")
    assert not stage.past
    assert stage.monitored.step == update < old.step
    assert [ghost.serial for ghost in stage.ghosts] == [old.serial]
    assert stage.ghosts[0].points[-1].update == 60


def test_a_knob_moved_while_looking_back_branches_there(stage):
    seek(stage, 33)
    past, run = stage.past, stage.run
    stage.move(learning_rate=-1.0)
    assert stage.problem
    assert stage.past is past
    assert stage.run is run
    for rate in (0.5, 0.4):  # the second belongs to the same drag
        stage.move(learning_rate=rate)
        assert stage.monitored.step == past.moment.update
        assert stage.settings.learning_rate == rate
        assert len(stage.ghosts) == 1


def test_undo_reverts_the_network_to_before_the_move(session):
    stage = session.stage
    before, rate = stage.monitored.trainer.params.flat.copy(), stage.settings.learning_rate
    stage.move(clip_norm=0.5)
    stage.move(learning_rate=5.0)
    session.train(30)
    assert count(60) in session.controls("live_knobs")["title"]["words"]
    stage.undo()
    assert stage.monitored.step == 60
    assert stage.monitored.trainer.params.flat.tolist() == before.tolist()
    assert (stage.settings.learning_rate, stage.settings.clip_norm) == (rate, 0.5)
    assert [flag.name for flag in stage.monitored.history.flags] == ["clip_norm"]
    assert stage.ghosts[-1].points[-1].update == 90
    session.run()


def test_a_run_that_diverged_has_a_past(visit):
    session = diverged_session(visit)
    assert session.data("run_card")["number"] == "∞"
    then = back(session, 0).data("run_card")
    assert then["number"] != "∞"
    assert session.stage.snapshot().state == "paused"
    press(session.stage, "branch")
    assert session.run().data("run_card")["number"] == then["number"]
    assert session.stage.monitored.step == 0


class NoticedLock:
    """A reentrant lock that tells whether somebody waits for it."""

    def __init__(self) -> None:
        self._lock, self.awaited = threading.RLock(), threading.Event()

    def __enter__(self) -> None:
        if not self._lock.acquire(blocking=False):
            self.awaited.set()
            self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()


def test_a_knob_moved_in_the_past_while_another_run_begins_moves_that_run(stage):
    """Two quick presses on two script threads: the second waits for the first."""
    seek(stage, 9)
    stage._lock = NoticedLock()
    with ThreadPoolExecutor(1) as other:
        with stage._lock:
            moved = other.submit(stage.move, learning_rate=0.5)
            assert stage._lock.awaited.wait(LIMIT)
            stage.start(stage.settings.but(hidden_size=SMALL["hidden_size"] + 1))
            began = stage.monitored
        moved.result(LIMIT)
    assert stage.monitored is began
    assert stage.run.settings.learning_rate == 0.5
    assert not stage.past
