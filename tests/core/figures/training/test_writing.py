"""What the network writes, and what it wrote first."""

from dataclasses import replace

import pytest

from core.figures.training.writing import writing_scene
from core.training.live_run import Snapshot


@pytest.fixture
def snapshot(watched):
    return Snapshot("training", "", watched.look(), 1234.0)


def test_a_network_that_cannot_write_says_why(watched, snapshot):
    scene = writing_scene(replace(snapshot, view=replace(snapshot.view, sample="")), watched.history)
    assert "finite" in scene["when"]
    nothing = replace(snapshot, view=replace(snapshot.view, sample=""))
    assert "finite" not in writing_scene(nothing, watched.history, is_text=False)["when"]


def test_writing_keeps_the_noise_it_began_with(watched, snapshot):
    history = replace(watched.history, moments=[replace(watched.history.moments[0], update=u) for u in (0, 1, 2, 3, 4, 5, 6)])
    assert [update for update, _ in writing_scene(snapshot, history)["earlier"]] == ["0", "3", "4", "5", "6"]


def test_writing_shows_the_milestones(watched, snapshot):
    scene = writing_scene(snapshot, watched.history)
    assert [update for update, _ in scene["earlier"]] == ["0"]
    assert "\n" not in scene["earlier"][0][1]
