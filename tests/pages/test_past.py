"""Looking back at a run: every page shows the network as it was, training goes on, and a branch is a run of its own."""

import threading

import pytest

from core.figures.parts.numbers import count, number
from core.link import PAGES
from core.training.history import RADIUS
from core.training.tbptt import Trainer
from pages.ui.stage import Stage
from pages.ui.training_commands import command, go, press
from tests.pages.app_session import SMALL, AppSession, diverged_session


@pytest.fixture
def stage(stage) -> Stage:
    """A session's run after sixty updates, without a page."""
    stage.run.step(57)
    return stage


@pytest.fixture
def session(training) -> AppSession:
    """The Training page after sixty updates."""
    return training.train(60)


def back(session: AppSession, update: int) -> AppSession:
    go(session.stage, update)
    return session.run()


def card(session: AppSession) -> dict:
    return session.data("run_card")


def test_the_card_and_the_chart_show_the_past_moment_and_then_the_present(training):
    def chart(session: AppSession) -> dict:
        return {trace["name"]: trace for trace in session.data("run_view")["figure"]["figure"]["data"]}

    assert card(training)["past"] is None
    session = training.train(60)
    now = card(session)
    assert now["past"]["at"] == len(now["past"]["updates"])
    at_zero = session.data("run_view")["figure"]["figure"]["data"][3]["y"][0]
    assert "looking back" not in chart(session)
    then = card(back(session, 0))
    assert (then["state"], then["past"]["at"]) == ("past", 0)
    assert count(60) in then["sentence"]
    readout = session.data("run_view")["readout"]
    assert readout["number"] == then["number"] == number(at_zero)
    assert dict(map(tuple, readout["rows"]))["update"] == "0"
    then = card(back(session, 9))
    ring = chart(session)["looking back"]
    assert ring["x"] == ring["customdata"] == [9]
    session.train(5)
    assert card(session)["number"] == then["number"]
    assert count(65) in card(session)["sentence"]
    assert session.stage.watched.step == 65
    command(session.stage, "step", None)  # returns to the present
    assert not session.stage.past
    assert card(session.run())["state"] == "paused"
    assert session.stage.watched.step == 66
    assert card(back(session, -1)) == card(session)


@pytest.mark.parametrize("update", [0, 9, 33, 10**9])
def test_the_nearest_moment_has_the_weights_and_numbers_of_then(stage, update):
    moment = stage.watched.history.moments.nearest(update)
    go(stage, update)
    assert stage.past.moment is moment
    fresh = Trainer(stage.settings, stage.corpus)
    for _ in range(moment.update):
        next(fresh)
    assert stage.params().flat.tolist() == fresh.params.flat.tolist()
    assert stage.snapshot().view.judged.nats == stage.watched.held_out.judge(fresh.params, stage.settings)


def test_every_page_opens_on_a_past_moment(session):
    for page in ("start", *PAGES):
        go(session.stage, 9)
        session.switch_page(page)
        assert session.stage.past
        back(session, 33)
        back(session, -1)


def test_a_branch_leaves_the_run_as_a_ghost_and_goes_on_from_there(stage):
    old = stage.watched
    go(stage, 33)
    update = stage.past.moment.update
    press(stage, "branch")
    assert not stage.past
    assert stage.watched.step == update < old.step
    assert [ghost.serial for ghost in stage.ghosts] == [old.serial]
    assert stage.ghosts[0].points[-1].update == 60
    stage.run.step(60 - update)
    assert stage.watched.trainer.params.flat.tolist() == old.trainer.params.flat.tolist()


def test_a_knob_moved_while_looking_back_branches_there(stage):
    go(stage, 33)
    past, run = stage.past, stage.run
    stage.move(learning_rate=-1.0)
    assert stage.problem
    assert stage.past is past
    assert stage.run is run
    for rate in (0.5, 0.4):  # the second is of the same drag
        stage.move(learning_rate=rate)
        assert stage.watched.step == past.moment.update
        assert stage.settings.learning_rate == rate
        assert len(stage.ghosts) == 1


def test_undo_reverts_the_network_to_before_the_move(session):
    stage = session.stage
    before, rate = stage.watched.trainer.params.flat.copy(), stage.settings.learning_rate
    stage.move(clip_norm=0.5)
    stage.move(learning_rate=5.0)
    session.train(30)
    assert count(60) in session.controls("live_knobs")["title"]["words"]
    stage.undo()
    assert stage.watched.step == 60
    assert stage.watched.trainer.params.flat.tolist() == before.tolist()
    assert (stage.settings.learning_rate, stage.settings.clip_norm) == (rate, 0.5)
    assert [flag.name for flag in stage.watched.history.flags] == ["clip_norm"]
    assert stage.ghosts[-1].points[-1].update == 90
    session.run()


def test_undo_of_a_radius_reverts_the_network(stage):
    before = stage.watched.trainer.params.flat.copy()
    stage.scale_to_radius(5.0)
    stage.run.step(5)
    assert stage.watched.history.moves[-1].name == RADIUS
    stage.undo()
    assert stage.watched.trainer.params.flat.tolist() == before.tolist()


def test_a_run_that_diverged_has_a_past(visit):
    session = diverged_session(visit)
    assert card(session)["number"] == "∞"
    then = card(back(session, 0))
    assert then["number"] != "∞"
    assert session.stage.snapshot().state == "paused"
    press(session.stage, "branch")
    assert card(session.run())["number"] == then["number"]
    assert session.stage.watched.step == 0


def test_a_knob_moved_in_the_past_while_another_run_begins_moves_that_run(stage):
    """Two presses in quick succession, on two script threads: the second waits for the first."""
    failed = []
    go(stage, 9)

    def move() -> None:
        try:
            stage.move(learning_rate=0.5)
        except Exception as error:
            failed.append(error)

    moving = threading.Thread(target=move)
    with stage._turns:
        moving.start()
        while not stage._turns.waiting:
            assert moving.is_alive()
        stage.start(stage.settings.but(hidden_size=SMALL["hidden_size"] + 1))
        began = stage.watched
    moving.join()
    assert not failed
    assert stage.watched is began
    assert stage.run.settings.learning_rate == 0.5
    assert not stage.past
