"""The live run, driven by a source that counts: no network, no clock. Waits are for states, with a generous limit."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import NamedTuple

import pytest

from core.training import live_run as module
from core.training.divergence import Diverged
from core.training.live_run import LiveRun
from core.training.source import Source
from core.training.turns import compute, letting_others_compute

LIMIT = 20.0  # seconds after which a wait has failed


class Seen(NamedTuple):
    """What the counter shows: its update, and those at which it was last judged and last wrote."""

    update: int
    judged: int
    written: int


@dataclass
class Counter(Source):
    """A source whose update is an increment. ``fails_at`` raises there; every update is announced."""

    count: int = 0
    fails_at: int = 0
    behind: int = 0  # parts of what could wait
    enough_at: int = 10**9  # updates
    error: Exception | None = None
    seen: Seen = field(default_factory=lambda: Seen(0, 0, 0))
    marks: list[int] = field(default_factory=list)  # updates after which mark() was called
    watch: Callable[[], None] = lambda: None  # called in the middle of whatever the counter does
    reached: threading.Condition = field(default_factory=threading.Condition)
    overlapping: threading.Lock = field(default_factory=threading.Lock)

    @property
    def step(self):
        return self.count

    @property
    def trainer(self):
        return SimpleNamespace(tokens=10 * self.count)

    def __next__(self):
        assert self.overlapping.acquire(blocking=False), "two updates at once"
        with self.reached:
            if self.count + 1 == self.fails_at:
                self.overlapping.release()
                raise self.error
            self.count += 1
            self.seen = self.seen._replace(update=self.count)
            self.watch()
            self.reached.notify_all()
        self.overlapping.release()

    def look(self):
        self.watch()
        return self.seen

    @property
    def enough(self):
        return "It is enough." if self.count >= self.enough_at else ""

    @property
    def settled(self):
        return self.seen.judged == self.count

    def settle(self):
        self.watch()
        self.seen = self.seen._replace(judged=self.count)
        self.watch()

    def catch_up(self):
        self.behind -= self.behind > 0
        self.watch()
        return self.behind > 0

    def refresh(self):
        self.watch()
        self.seen = self.seen._replace(written=self.count)
        self.watch()

    def leap(self):
        """Another network, though no update was done."""
        self.count += 100
        self.seen = self.seen._replace(update=self.count)

    def lift(self):
        """There is no end any more."""
        self.enough_at = 10**9

    def mark(self):
        self.marks.append(self.count)

    def wait_for(self, step):
        with self.reached:
            assert self.reached.wait_for(lambda: self.step >= step, LIMIT)


@pytest.fixture
def counter():
    return Counter()


@pytest.fixture
def run(counter):
    run = LiveRun(counter)
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
    assert run.snapshot().view.update == counter.step


def test_a_run_that_begins_in_the_middle_rests_there():
    assert LiveRun(Counter()).snapshot().state == "untrained"
    assert LiveRun(Counter(count=3)).snapshot().state == "paused"


def test_runs_to_an_update_exactly(run, counter):
    run.play(until=137)
    assert run.join(LIMIT)
    assert counter.step == 137
    assert run.snapshot().state == "paused"
    assert run.snapshot().reason == "Update 137 is reached."
    assert run.play(until=140, goal="Epoch 2")
    assert run.join(LIMIT)
    assert run.snapshot().reason == "Epoch 2 is reached."


@pytest.mark.parametrize("how", ["on and on", "to an update", "in slow motion"])
def test_pauses_by_itself_where_more_updates_are_worth_nothing(run, counter, how):
    counter.enough_at, run.speed = 37, 1e6 if how == "in slow motion" else 0.0
    run.play(until=50 if how == "to an update" else None)
    assert run.join(LIMIT)
    assert (run.snapshot().state, run.snapshot().reason) == ("paused", counter.enough)
    assert run.snapshot().view == Seen(37, 37, 37)
    run.play()
    assert run.join(LIMIT)
    assert (counter.step, run.snapshot().reason) == (37, counter.enough)
    run.step()  # who asks for one more is given it
    assert (counter.step, run.snapshot().reason) == (38, counter.enough)
    run.between_updates(counter.lift)
    assert run.snapshot().reason == ""
    run.play(until=50)
    assert run.join(LIMIT)
    assert counter.step == 50


def test_an_end_that_is_lifted_while_it_trains_is_none(run, counter):
    counter.enough_at = 37
    counter.watch = lambda: counter.step == 37 and run.between_updates(counter.lift)
    run.play(until=50)
    assert run.join(LIMIT)
    assert counter.step == 50


def test_an_update_that_is_reached_is_told_also_after_a_knob_was_moved(run, counter):
    run.play(until=7)
    assert run.join(LIMIT)
    run.between_updates(counter.mark)
    assert run.snapshot().reason == "Update 7 is reached."


@pytest.mark.parametrize("playing", [False, True])
def test_an_update_that_is_behind_is_refused_and_changes_nothing(run, counter, playing):
    run.step(5)
    if playing:
        run.play(until=500)
    assert not run.play(until=5)
    assert run.join(LIMIT)
    assert counter.step == (500 if playing else 5)
    assert run.snapshot().reason == ("Update 500 is reached." if playing else "")


def test_no_update_passes_between_the_look_and_the_goal(run, counter):
    """play() while it trains: whenever it comes, it stops at its goal and nowhere else."""
    run.play()
    counter.wait_for(1)
    for ahead in (1, 1, 1, 2, 3) * 20:
        goal = counter.step + ahead
        if run.play(until=goal):
            assert run.join(LIMIT)
            assert counter.step == goal
            assert run.snapshot().reason == f"Update {goal} is reached."
            run.play()


def test_steps_on_the_calling_thread(run, counter):
    run.step()
    run.step(2)
    assert counter.step == 3
    assert run.snapshot().view.update == 3


def test_stepping_pauses_a_playing_run(run, counter):
    run.play()
    counter.wait_for(1)
    run.step()
    assert run.join(LIMIT)
    assert not run.playing


def test_what_is_asked_for_while_it_trains_is_done_between_two_updates(run, counter):
    run.play()
    counter.wait_for(2)
    run.between_updates(counter.mark)
    counter.wait_for(counter.step + 2)
    run.pause()
    assert run.join(LIMIT)
    (mark,) = counter.marks
    assert 2 <= mark < counter.step


def test_what_is_asked_for_as_it_stops_is_done_all_the_same(run, counter):
    counter.watch = lambda: counter.step == 3 and not counter.marks and run.between_updates(counter.mark)
    run.play(until=3)
    assert run.join(LIMIT)
    assert counter.marks


def test_what_is_asked_for_while_it_rests_is_seen_at_once(run, counter):
    run.between_updates(counter.mark)
    assert counter.marks == [0]
    run.between_updates(counter.refresh)
    assert run.snapshot().view == counter.seen


def test_what_changes_the_network_while_it_rests_is_judged_and_written_before_it_is_seen(run, counter):
    run.step()
    run.between_updates(counter.leap)
    assert run.snapshot().view == (101, 101, 101)
    assert run.snapshot().state == "paused"


def test_what_could_wait_is_done_before_it_rests_unless_it_is_to_train_again(run, counter, monkeypatch):
    monkeypatch.setattr(module, "CATCH_UP", LIMIT)
    counter.behind = 5
    run.play(until=3)
    assert run.join(LIMIT)
    assert counter.behind == 0
    counter.behind = 5
    counter.watch = lambda: 0 < counter.behind < 5 and not run._wanted and run.play(until=7)
    run.play(until=6)
    counter.wait_for(7)
    counter.watch = lambda: None
    assert run.join(LIMIT)
    assert counter.step == 7


def test_what_is_asked_for_just_before_it_rests_is_judged_before_it_is_seen(run, counter):
    counter.behind, asked = 5, []

    def ask():
        if counter.behind == 2 and not asked:
            asked.append(counter.leap)
            run.between_updates(counter.leap)
            assert run.snapshot().state == "training"

    counter.watch = ask
    run.play(until=3)
    assert run.join(LIMIT)
    assert asked
    assert run.snapshot().view == Seen(103, 103, 103)


@pytest.mark.parametrize("stop", ["until", "pause", "step", "leave", "diverged"])
def test_nobody_ever_sees_a_resting_run_whose_picture_is_of_an_earlier_update(counter, stop):
    """Judged and written at the very update: at every moment at which a reader could look."""
    run = LiveRun(counter)
    unsettled = []

    def look():
        seen = run.snapshot().view
        if not run.playing and not seen.update == seen.judged == seen.written:
            unsettled.append(seen)
        if stop == "pause" and counter.step == 7:
            run.pause("enough")
        if stop == "leave" and counter.step == 7:
            run.leave("closed")

    counter.watch = look
    if stop == "diverged":
        counter.fails_at, counter.error = 8, Diverged(8, 7)
    if stop == "step":
        run.step(3)
    else:
        run.play(until=7 if stop == "until" else None)
        assert run.join(LIMIT)
    look()
    assert unsettled == []
    assert run.snapshot().view.update == counter.step


def test_goes_on_by_itself_when_somebody_looks_again(run, counter):
    run.play(until=10**9, goal="The end")
    counter.wait_for(5)
    run.leave("closed")
    assert run.join(LIMIT)
    assert run.snapshot().reason == "closed"
    run.leave("closed twice")
    left_at = counter.step
    run.back()
    assert run.playing
    counter.wait_for(left_at + 5)
    counter.count = 10**9 - 2
    assert run.join(LIMIT)
    assert run.snapshot().reason == "The end is reached."


@pytest.mark.parametrize("rest", ["untrained", "paused", "paused while nobody looks", "arrived", "stepped"])
def test_what_rested_when_nobody_looked_rests_when_somebody_does(run, counter, rest):
    if rest == "arrived":
        run.play(until=3)
        assert run.join(LIMIT)
    elif rest == "stepped":
        run.step()
    elif rest != "untrained":
        run.play()
        counter.wait_for(3)
    if rest == "paused":
        run.pause("enough")
        assert run.join(LIMIT)
    run.leave("closed")
    if rest == "paused while nobody looks":
        run.pause()
    assert run.join(LIMIT)
    before = run.snapshot()
    assert before.reason == {"paused": "enough", "arrived": "Update 3 is reached."}.get(rest, before.reason)
    run.back()
    assert run.join(LIMIT)
    assert run.snapshot() == before


def test_what_is_played_while_nobody_looks_begins_when_somebody_does(run, counter):
    run.leave("closed")
    assert run.play(until=7)
    assert run.join(LIMIT)
    assert counter.step == 0
    run.back()
    assert run.join(LIMIT)
    assert counter.step == 7


def test_who_is_left_at_the_very_goal_has_reached_it(run, counter):
    counter.watch = lambda: counter.step == 7 and run.leave("closed")
    run.play(until=7)
    assert run.join(LIMIT)
    assert run.snapshot().reason == "Update 7 is reached."
    run.back()
    assert run.join(LIMIT)
    assert counter.step == 7


def test_what_went_wrong_as_it_was_left_does_not_go_on_by_itself():
    class Left(Counter):
        def __next__(self):
            if self.count == 6:
                run.leave("closed")  # in the middle of the update that fails
            return super().__next__()

    run = LiveRun(Left(fails_at=7, error=Diverged(7, 5)))
    run.play()
    assert run.join(LIMIT)
    run.back()
    assert not run.playing
    assert run.snapshot().state == "diverged"


@pytest.mark.parametrize(("error", "state"), [(Diverged(7, 5), "diverged"), (MemoryError("no room"), "failed")])
def test_keeps_the_error_and_can_go_on(error, state):
    counter = Counter(fails_at=7, error=error)
    run = LiveRun(counter)
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


@pytest.mark.parametrize("slow", [True, False])
def test_samples_cost_little_of_what_a_run_computes_and_are_written_all_the_same_in_slow_motion(monkeypatch, slow):
    class Clocked(Counter):
        now, update, sample = 0.0, 0.125, 2.0  # seconds

        def __next__(self):
            self.now += self.update
            return super().__next__()

        def refresh(self):
            self.now += self.sample
            self.marks.append(self.count)

    counter = Clocked()
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: counter.now))
    run = LiveRun(counter, speed=1e6 if slow else 0.0)
    run.play(until=2000)
    assert run.join(LIMIT)
    first, second = counter.marks[:2]
    least = module.SAMPLE_EVERY if slow else counter.sample / module.WRITING
    assert first == module.SAMPLE_EVERY / counter.update
    assert second - first == least / counter.update


def test_one_computation_at_a_time_and_in_turn():
    """Runs that share the token all move on; none overlaps with who holds it."""
    counters = [Counter() for _ in range(4)]
    runs = [LiveRun(counter) for counter in counters]
    with compute():
        for run in runs:
            run.play()
        assert [counter.step for counter in counters] == [0] * 4
    for counter in counters:
        counter.wait_for(3)
    for run in runs:
        run.pause()
        assert run.join(LIMIT)


def test_who_computes_may_ask_to_compute_again(run, counter):
    """The turn ends with the outermost; and it can be given away within."""
    with compute():
        with compute():
            run.play()
        assert counter.step == 0
        with letting_others_compute():
            counter.wait_for(1)
            run.pause()
            assert run.join(LIMIT)
        stopped = counter.step
        run.play()
        assert counter.step == stopped
    with letting_others_compute():  # nothing to give away
        counter.wait_for(stopped + 1)


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
