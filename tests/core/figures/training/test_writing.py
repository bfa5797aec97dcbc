"""What the network writes, and what it wrote first."""

from dataclasses import replace

import pytest

from core.figures.parts.numbers import count
from core.figures.training.writing import writing_scene
from core.training.live_run import Snapshot
from core.training.moments import Moments


@pytest.fixture
def snapshot(watched):
    return Snapshot("training", "", watched.look(), 1234.0)


def test_a_network_that_cannot_write_says_why(watched, snapshot):
    scene = writing_scene(replace(snapshot, view=replace(snapshot.view, sample="")), watched.history)
    assert "finite" in scene["when"]
    nothing = replace(snapshot, view=replace(snapshot.view, sample=""))
    assert "finite" not in writing_scene(nothing, watched.history, is_text=False)["when"]


def test_writing_keeps_the_noise_it_began_with(watched, snapshot):
    moments, first = Moments(watched.trainer.params.flat.nbytes), watched.history.moments.first
    moments.budget = 10 * first.bytes
    for update in (0, 10, 50, 100, 1000, 10_000, 100_000, 100_001):
        moments.add(replace(first, point=first.point._replace(update=update)))
    history, view = replace(watched.history, moments=moments), snapshot.view
    for update, milestones in ((200_000, (0, 100, 1000, 10_000, 100_000)), (100, (0, 10, 100))):
        then = replace(snapshot, view=replace(view, point=view.point._replace(update=update)))
        earlier = writing_scene(then, history)["earlier"]
        assert [milestone for milestone, _ in earlier] == list(map(count, milestones))


def test_writing_shows_the_milestones(watched, snapshot):
    scene = writing_scene(snapshot, watched.history)
    assert [update for update, _ in scene["earlier"]] == ["0"]
    assert "\n" not in scene["earlier"][0][1]
