"""What the reader expects of the curve: drawn into the chart, kept with the run, and nothing to the run."""

import pytest

from pages.training.expectation import draw, expect
from tests.pages.test_training import SMALL, everything, ran

LINE = [[1, 90.0], [1000, 5.0]]


def figure(visitor):
    return visitor.scene("run_view")["figure"]["figure"]


def line(visitor):
    """The line in the chart, and what is said of it."""
    found = [(trace["x"], trace["y"]) for trace in figure(visitor)["data"] if trace["name"] == "expected"]
    return found, visitor.scene("run_view")["expecting"]["says"]


@pytest.fixture
def visitor(visit):
    visitor = ran(visit(**SMALL))
    expect(visitor.stage, LINE, "updates", 1)
    return visitor.run()


def test_a_line_stays_in_the_chart_while_the_run_goes_on_and_is_compared(visitor):
    (drawn,), says = line(visitor)
    assert drawn == ([1, 1000], [90, 5])
    assert says == ""
    (drawn,), says = line(ran(visitor, 40))
    assert drawn == ([1, 1000], [90, 5])
    assert "At update" in says


def test_it_moves_nothing(visit):
    visitor = ran(visit(**SMALL))
    before = everything(visitor.stage)
    for act in (lambda: draw(visitor.stage, True), lambda: expect(visitor.stage, LINE, "updates", 1)):
        act()
        visitor.run()
        assert everything(visitor.stage) == before


def test_it_stands_in_the_same_place_of_every_axis(visitor):
    per_epoch = visitor.stage.watched.trainer.updates_per_epoch
    for across, unit in (("epochs", 1 / per_epoch), ("tokens", SMALL["batch_size"] * SMALL["num_steps"])):
        visitor.stage.look_at(across=across)
        ((xs, ys),), _ = line(visitor.run())
        assert xs == pytest.approx([unit, 1000 * unit], rel=1e-5)
        assert ys == [90, 5]
    visitor.stage.look_at(across="seconds")
    ((xs, _),), _ = line(visitor.run())
    assert 0 < xs[0] < xs[1]
    assert not visitor.scene("run_view")["expecting"]["can"]


def test_it_goes_with_the_run_and_can_be_cleared(visitor):
    expect(visitor.stage, [], "updates", 2)
    assert line(visitor.run()) == ([], "")
    expect(visitor.stage, LINE, "updates", 3)
    visitor.choose("hidden_size", 16)
    assert line(visitor) == ([], "")


def test_what_is_no_line_leaves_the_one_that_is_there(visitor):
    for nonsense in ([[1]], [[1, 2], [1, "<b>"]], [[5, 1], [1, 5]], [[1, 2]] * 1000):
        expect(visitor.stage, nonsense, "updates", 2)
    expect(visitor.stage, LINE, "<b>", 2)
    assert len(line(visitor.run())[0]) == 1


def test_there_is_room_ahead_as_long_as_somebody_draws(visitor):
    def end():
        return 10 ** figure(visitor.run())["layout"]["xaxis"]["range"][1]

    expect(visitor.stage, [], "updates", 2)
    before = end()
    draw(visitor.stage, True)
    assert end() >= 1000 > before
    draw(visitor.stage, False)
    assert end() == before
