"""Looking back at a run: every page shows the network as it was, training goes on, and a branch is a run of its own."""

import threading
from pathlib import Path

import pytest

from core.figures.parts.numbers import count, number
from core.training.history import RADIUS
from core.training.tbptt import Trainer
from pages.ui.training_commands import command, go, press
from tests.pages.test_training import SMALL, diverged, ran

PAGES = sorted(path.name for path in Path("pages").glob("[0-9]_*.py"))


@pytest.fixture
def visitor(visit):
    return ran(visit(**SMALL), 60)


def back(visitor, update):
    go(visitor.stage, update)
    return visitor.run()


def card(visitor):
    return visitor.scene("run_card")


def test_a_run_that_has_not_begun_has_nothing_to_go_back_to(visit):
    visitor = visit(**SMALL)
    assert card(visitor)["past"] is None
    assert card(ran(visitor))["past"]["updates"] == [0, 1, 2]


def test_the_card_and_the_chart_show_the_moment_and_then_now(visitor):
    now = card(visitor)
    assert now["past"]["at"] == len(now["past"]["updates"])
    at_zero = visitor.scene("run_view")["figure"]["figure"]["data"][3]["y"][0]
    then = card(back(visitor, 0))
    assert then["state"] == "past"
    assert then["past"]["at"] == 0
    assert count(60) in then["sentence"]
    readout = visitor.scene("run_view")["readout"]
    assert readout["number"] == then["number"] == number(at_zero)
    assert dict(map(tuple, readout["rows"]))["update"] == "0"
    assert card(back(visitor, -1)) == now


def test_the_chart_marks_where_one_looks_back(visitor):
    names = [trace["name"] for trace in visitor.scene("run_view")["figure"]["figure"]["data"]]
    assert "looking back" not in names
    back(visitor, 9)
    (ring,) = [t for t in visitor.scene("run_view")["figure"]["figure"]["data"] if t["name"] == "looking back"]
    assert ring["x"] == ring["customdata"] == [9]


@pytest.mark.parametrize("update", [0, 9, 33, 10**9])
def test_the_nearest_moment_is_shown_and_its_numbers_are_those_of_then(visitor, update):
    moment = visitor.stage.watched.history.moments.nearest(update)
    back(visitor, update)
    stage = visitor.stage
    assert stage.past.moment is moment
    fresh = Trainer(stage.settings, stage.corpus)
    for _ in range(moment.update):
        next(fresh)
    assert stage.params().flat.tolist() == fresh.params.flat.tolist()
    assert stage.snapshot().view.judged.nats == stage.watched.held_out.judge(fresh.params, stage.settings)


@pytest.mark.parametrize("page", PAGES)
def test_every_page_opens_on_a_moment_and_follows(visitor, page):
    back(visitor, 9)
    visitor.app.switch_page(f"pages/{page}").run()
    for update in (0, 33, -1):
        back(visitor, update)


def test_training_goes_on_meanwhile(visitor):
    back(visitor, 9)
    shown = card(visitor)["number"]
    visitor.stage.run.step(5)
    visitor.run()
    assert card(visitor)["number"] == shown
    assert count(65) in card(visitor)["sentence"]
    assert visitor.stage.watched.step == 65


def test_who_presses_play_or_one_update_sees_now(visitor):
    back(visitor, 9)
    command(visitor.stage, "step", None)
    assert not visitor.stage.past
    assert card(visitor.run())["state"] == "paused"
    assert visitor.stage.watched.step == 61


def test_a_branch_leaves_the_run_as_a_ghost_and_goes_on_from_there(visitor):
    old = visitor.stage.watched
    back(visitor, 33)
    update = visitor.stage.past.moment.update
    press(visitor.stage, "branch")
    visitor.run()
    stage = visitor.stage
    assert not stage.past
    assert stage.watched.step == update < old.step
    assert [ghost.serial for ghost in stage.ghosts] == [old.serial]
    assert stage.ghosts[0].points[-1].update == 60
    stage.run.step(60 - update)
    assert stage.watched.trainer.params.flat.tolist() == old.trainer.params.flat.tolist()


def test_a_knob_moved_while_looking_back_branches_there(visitor):
    back(visitor, 33)
    update = visitor.stage.past.moment.update
    visitor.stage.move(learning_rate=0.5)
    visitor.run()
    assert visitor.stage.watched.step == update
    assert visitor.stage.settings.learning_rate == 0.5
    assert len(visitor.stage.ghosts) == 1
    visitor.stage.move(learning_rate=0.4)  # the hand goes on: no other branch
    assert len(visitor.stage.ghosts) == 1


def test_a_refused_value_changes_nothing_while_looking_back(visitor):
    back(visitor, 33)
    past, run = visitor.stage.past, visitor.stage.run
    visitor.stage.move(learning_rate=-1.0)
    visitor.run()
    assert len(visitor.notices) == 1
    assert visitor.stage.past is past
    assert visitor.stage.run is run


def test_undo_takes_the_network_back_to_before_the_move(visitor):
    before, rate = visitor.stage.watched.trainer.params.flat.copy(), visitor.stage.settings.learning_rate
    visitor.stage.move(clip_norm=0.5)
    visitor.stage.move(learning_rate=5.0)
    ran(visitor, 30)
    assert count(60) in visitor.bar("live_knobs")["title"]["words"]
    visitor.stage.undo()
    visitor.run()
    stage = visitor.stage
    assert stage.watched.step == 60
    assert stage.watched.trainer.params.flat.tolist() == before.tolist()
    assert (stage.settings.learning_rate, stage.settings.clip_norm) == (rate, 0.5)
    assert [flag.name for flag in stage.watched.history.flags] == ["clip_norm"]
    assert stage.ghosts[-1].points[-1].update == 90


def test_undo_of_a_radius_takes_the_network_back(visitor):
    before = visitor.stage.watched.trainer.params.flat.copy()
    visitor.stage.scale_to_radius(5.0)
    ran(visitor, 5)
    assert visitor.stage.watched.history.moves[-1].name == RADIUS
    visitor.stage.undo()
    assert visitor.stage.watched.trainer.params.flat.tolist() == before.tolist()


def test_a_run_that_diverged_is_walked_back(visit):
    visitor = diverged(visit)
    assert card(visitor)["number"] == "∞"
    then = card(back(visitor, 0))
    assert then["number"] != "∞"
    assert visitor.stage.snapshot().state == "paused"
    press(visitor.stage, "branch")
    visitor.run()
    assert visitor.stage.watched.step == 0
    assert card(visitor)["number"] == then["number"]


def test_a_knob_that_is_moved_back_then_while_another_network_begins_moves_that_one(visitor):
    """Two presses of a quick reader, on two script threads: the second waits for the first."""
    here, failed = visitor.stage, []
    go(here, 9)

    def move():
        try:
            here.move(learning_rate=0.5)
        except Exception as error:
            failed.append(error)

    moving = threading.Thread(target=move)
    with here._turns:
        moving.start()
        while not here._turns.waiting:
            assert moving.is_alive()
        here.start(here.settings.but(hidden_size=SMALL["hidden_size"] + 1))
        began = here.watched
    moving.join()
    assert not failed
    assert here.watched is began
    assert here.run.settings.learning_rate == 0.5
    assert not here.past
