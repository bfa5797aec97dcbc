"""The live run, driven by a source that counts: no network, no clock. Waits are for states, with a generous limit."""

import threading
from dataclasses import dataclass, field

import pytest

from core.settings import Settings
from core.training.history import Point
from core.training.live_run import LiveRun, compute
from core.training.tbptt import Diverged
from core.training.watched import View

LIMIT = 20.0  # seconds after which a wait has failed


@dataclass
class Counter:
    """A source whose update is an increment. ``fails_at`` raises there; every update is announced."""

    settings: Settings = field(default_factory=Settings)
    step: int = 0
    fails_at: int = 0
    error: Exception | None = None
    seen: list = field(default_factory=list)
    radius: tuple[float, int] | None = None  # and the update after which it was set
    settled: list = field(default_factory=list)
    reached: threading.Condition = field(default_factory=threading.Condition)
    overlapping: threading.Lock = field(default_factory=threading.Lock)

    def __next__(self):
        assert self.overlapping.acquire(blocking=False), "two updates at once"
        with self.reached:
            if self.step + 1 == self.fails_at:
                self.overlapping.release()
                raise self.error
            self.step += 1
            self.seen.append(self.settings.learning_rate)
            self.reached.notify_all()
        self.overlapping.release()

    def look(self):
        point = Point(self.step, 10 * self.step, 0.0, 1.0)
        return View(self.settings, point, 0.0, point, 1.0, 1.0, "", 0)

    def refresh(self):
        pass

    def settle(self):
        self.settled.append(self.step)

    def change(self, **knobs):
        self.settings = self.settings.but(**knobs)

    def undo(self):
        self.settings = Settings()

    def scale_to_radius(self, radius):
        self.radius = radius, self.step

    def wait_for(self, step):
        with self.reached:
            assert self.reached.wait_for(lambda: self.step >= step, LIMIT)


@pytest.fixture
def counter():
    return Counter()


@pytest.fixture
def run(counter):
    run = LiveRun(counter, patience=LIMIT)
    yield run
    run.pause()
    assert run.join(LIMIT)


def test_plays_until_paused_and_leaves_no_thread(run, counter):
    before = threading.active_count()
    run.play()
    counter.wait_for(5)
    run.pause("enough")
    assert run.join(LIMIT)
    assert threading.active_count() == before
    assert run.snapshot().state == "paused"
    assert run.snapshot().reason == "enough"
    assert run.snapshot().view.point.update == counter.step


def test_runs_to_an_update_exactly(run, counter):
    run.play(until=137)
    assert run.join(LIMIT)
    assert counter.step == 137
    assert run.snapshot().state == "paused"
    run.play(until=100)  # already passed: nothing to do
    assert run.join(LIMIT)
    assert counter.step == 137


def test_steps_on_the_calling_thread(run, counter):
    run.step()
    run.step(2)
    assert counter.step == 3
    assert run.snapshot().view.point.update == 3


def test_stepping_pauses_a_playing_run(run, counter):
    run.play()
    counter.wait_for(1)
    run.step()
    assert run.join(LIMIT)
    assert not run.playing


def test_a_live_knob_acts_at_the_next_update(run, counter):
    run.play()
    counter.wait_for(2)
    run.change(learning_rate=0.5)
    assert run.settings.learning_rate == 0.5
    counter.wait_for(counter.step + 3)
    run.pause()
    run.join(LIMIT)
    assert counter.seen[-1] == 0.5


def test_the_spectral_radius_is_set_between_two_updates(run, counter):
    run.scale_to_radius(0.5)
    assert counter.radius == (0.5, 0)
    run.play()
    counter.wait_for(2)
    run.scale_to_radius(2.0)
    run.pause()
    assert run.join(LIMIT)
    assert counter.radius[0] == 2.0
    assert run.settings == counter.settings


def test_a_knob_moved_while_paused_is_seen_at_once(run):
    run.change(clip_norm=5.0)
    assert run.settings.clip_norm == 5.0
    assert run.snapshot().view.settings.clip_norm == 5.0


@pytest.mark.parametrize("knobs", [{"hidden_size": 3}, {"learning_rate": -1.0}, {"learning_rate": float("nan")}])
def test_a_knob_that_is_not_live_or_not_valid_is_refused(run, counter, knobs):
    with pytest.raises(ValueError):
        run.change(**knobs)
    assert counter.settings == Settings()


def test_pauses_itself_when_nobody_looks(counter):
    run = LiveRun(counter, patience=0.0)
    run.play()
    assert run.join(LIMIT)
    assert run.snapshot().state == "paused"
    assert run.snapshot().reason


@pytest.mark.parametrize(("error", "state"), [(Diverged(7, 5), "diverged"), (MemoryError("no room"), "failed")])
def test_keeps_the_error_and_can_go_on(error, state):
    counter = Counter(fails_at=7, error=error)
    run = LiveRun(counter, patience=LIMIT)
    run.play()
    assert run.join(LIMIT)
    assert run.snapshot().state == state
    assert run.error is error
    assert run.snapshot().reason == str(error)
    counter.fails_at = 0
    run.play(until=9)
    assert run.join(LIMIT)
    assert counter.step == 9
    assert run.error is None


def test_one_computation_at_a_time_and_in_turn():
    """Runs that share the token all move on; none overlaps with who holds it."""
    counters = [Counter() for _ in range(4)]
    runs = [LiveRun(counter, patience=LIMIT) for counter in counters]
    with compute():
        for run in runs:
            run.play()
        assert [counter.step for counter in counters] == [0] * 4
    for counter in counters:
        counter.wait_for(3)
    for run in runs:
        run.pause()
        assert run.join(LIMIT)


def test_slow_motion_does_one_update_and_wakes_for_a_pause(run, counter):
    run.speed = 1e-3  # one update in a thousand seconds
    run.play()
    counter.wait_for(1)
    run.pause()
    assert run.join(LIMIT)
    assert counter.step <= 2


def test_play_after_pause_always_trains(run, counter):
    for _ in range(50):
        run.play()
        run.pause()
    run.play()
    counter.wait_for(counter.step + 1)
