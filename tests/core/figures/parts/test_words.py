"""Every setting and every value of it can be said."""

import pytest

from core.figures.parts import words
from core.settings import DEFAULTS, KNOBS, Settings
from core.training.curves import Point
from core.training.history import RADIUS, Flag


def test_every_setting_can_be_said():
    for name in KNOBS:
        assert words.said(name, getattr(DEFAULTS, name))


def test_a_moved_radius_can_be_said():
    assert words.moved(RADIUS, 0.95, 1.2) == "radius 0.95 → 1.2"


def test_what_differs_is_named():
    assert "H 32" in words.differing(Settings(hidden_size=32), Settings())
    assert words.differing(Settings(), Settings())
    many = Settings(hidden_size=1, seed=3, num_steps=2, batch_size=4, gain=2.0)
    assert "+ 2" in words.differing(many, Settings())


@pytest.mark.parametrize(("name", "old", "new"), [("learning_rate", 1.0, 10.0), ("carry_state", True, False), (RADIUS, 0.9, 2.0)])
def test_undo_says_what_it_puts_back_and_whether_the_network_is_taken_back(name, old, new):
    move = Flag(Point(5, 50, 1.0, 2.0), name, old, new)
    does, spares = words.put_back(move)
    assert words.name(name) in does
    assert words.value(name, old) in does
    assert ("the network" in spares) == (name != RADIUS)
    does_too, back = words.put_back(move, 5)
    assert does_too == does
    assert back != spares
    assert "update 5" in back
