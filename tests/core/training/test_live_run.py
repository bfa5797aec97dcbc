"""The live run, driven by a source that only counts: without a network and without a clock."""

import itertools
import random
import threading
import weakref
from collections import namedtuple
from collections.abc import Callable
from dataclasses import dataclass, field
from types import SimpleNamespace

import pytest

from core.training.run import live_run as module
from core.training.run.live_run import THROUGHPUT_PERIOD, LiveRun, Throughput
from core.training.run.runnable import Runnable
from core.training.tbptt import Diverged
from tests.core.training.waiting import LIMIT, rested, until

NEVER = 10**9  # an update that no run reaches
Seen = namedtuple("Seen", "update judged written")


@dataclass
class Counter(Runnable):
    """A source whose update is an increment. ``watch`` is called in updates, evaluations, samples and views."""

    step: int = 0
    judged: int = 0  # the updates of the last judgement and the last sample
    written: int = 0
    fails_at: int = 0
    enough_at: int = NEVER
    error: Exception | None = None
    marks: list[int] = field(default_factory=list)  # updates after which mark() was called
    watch: Callable[[], object] = lambda: None
    reached: threading.Condition = field(default_factory=threading.Condition)
    overlapping: threading.Lock = field(default_factory=threading.Lock)

    @property
    def trainer(self):
        return SimpleNamespace(tokens=10 * self.step)

    def __next__(self):
        assert self.overlapping.acquire(blocking=False), "two updates at once"
        with self.reached:
            if self.step + 1 == self.fails_at:
                self.overlapping.release()
                raise self.error
            self.step += 1
            self.watch()
            self.reached.notify_all()
        self.overlapping.release()

    def view(self):
        self.watch()
        return Seen(self.step, self.judged, self.written)

    @property
    def stop_reason(self):
        return "It is enough." if self.step >= self.enough_at else ""

    @property
    def is_evaluated(self):
        return self.judged == self.step

    def evaluate(self):
        self.watch()
        self.judged = self.step
        self.watch()

    def resample(self):
        self.watch()
        self.written = self.step
        self.watch()

    def replace_network(self):
        self.step += 100  # without an update

    def never_enough(self):
        self.enough_at = NEVER

    def mark(self):
        self.marks.append(self.step)

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
    paused(run)


def paused(run):
    run.pause()
    return rested(run)


def played(run, **goal):
    """Train the run until it pauses by itself, and return it."""
    assert run.play(**goal)
    return rested(run)


def state_of(run):
    return run.snapshot().state, run.snapshot().reason


def test_plays_until_paused(run, counter):
    before = module.how_many_train()
    run.play()
    counter.wait_for(5)
    run.pause("enough")
    rested(run)
    until(lambda: module.how_many_train() == before)
    assert state_of(run) == ("paused", "enough")
    assert run.snapshot().view.update == counter.step
    assert [LiveRun(Counter(step=step)).snapshot().state for step in (0, 3)] == ["untrained", "paused"]


def test_runs_to_an_update_exactly(run, counter):
    played(run, until=137).between_updates(counter.mark)
    assert counter.step == 137
    assert state_of(run) == ("paused", "Update 137 is reached.")
    assert state_of(played(run, until=140, goal="Epoch 2")) == ("paused", "Epoch 2 is reached.")


@pytest.mark.parametrize("playing", [False, True])
def test_an_update_that_is_not_ahead_is_refused_and_changes_nothing(run, counter, playing):
    run.step(5)
    if playing:
        run.play(until=500)
    assert not run.play(until=5)
    rested(run)
    assert counter.step == (500 if playing else 5)
    assert run.snapshot().reason == ("Update 500 is reached." if playing else "")


def test_a_goal_set_while_it_trains_is_reached_exactly(run, counter):
    run.play()
    counter.wait_for(1)
    for ahead in (1, 1, 1, 2, 3) * 20:
        goal = counter.step + ahead
        if run.play(until=goal):
            rested(run)
            assert (counter.step, run.snapshot().reason) == (goal, f"Update {goal} is reached.")
            run.play()


@pytest.mark.parametrize("how", ["on and on", "to an update", "in slow motion"])
def test_pauses_by_itself_where_the_source_has_enough(run, counter, how):
    counter.enough_at, run.speed = 37, 1e6 if how == "in slow motion" else 0.0
    assert state_of(played(run, until=50 if how == "to an update" else None)) == ("paused", counter.stop_reason)
    assert run.snapshot().view == Seen(37, 37, 37)
    played(run)
    assert (counter.step, run.snapshot().reason) == (37, counter.stop_reason)
    run.step()  # a single update is still done
    assert (counter.step, run.snapshot().reason) == (38, counter.stop_reason)
    run.between_updates(counter.never_enough)
    assert run.snapshot().reason == ""
    counter.enough_at, counter.watch = 45, lambda: counter.step == 45 and run.between_updates(counter.never_enough)
    run.speed = 0.0
    played(run, until=50)
    assert counter.step == 50


def test_steps_and_pauses_a_playing_run(run, counter):
    run.step()
    run.step(2)
    assert counter.step == run.snapshot().view.update == 3
    run.play()
    counter.wait_for(4)
    run.step()
    rested(run)
    assert not run.playing


def test_play_during_a_step_trains_on_after_it(run, counter):
    played_at = []
    counter.watch = lambda: counter.step == 2 and not played_at and run.play() and played_at.append(counter.step)
    run.step(3)
    assert run.playing
    assert counter.step >= 3
    counter.wait_for(5)


def test_an_error_of_a_step_during_which_play_is_pressed_is_met_again(run, counter):
    counter.fails_at, counter.error = 3, Diverged(3, 2)
    counter.watch = lambda: counter.step == 2 and not run.playing and run.play()
    run.step(3)
    rested(run)
    assert state_of(run) == ("diverged", str(counter.error))


def test_play_is_not_blocked_by_a_slow_command_on_a_paused_run(run, counter):
    begun, done = threading.Event(), threading.Event()

    def command():
        begun.set()
        assert done.wait(LIMIT)

    commander = threading.Thread(target=run.between_updates, args=(command,), daemon=True)
    commander.start()
    assert begun.wait(LIMIT)
    player = threading.Thread(target=run.play, daemon=True)
    player.start()
    player.join(LIMIT)
    assert not player.is_alive()
    run.pause()
    done.set()
    commander.join()


def test_play_after_pause_always_trains(run, counter):
    for _ in range(50):
        run.play()
        run.pause()
    run.play()
    counter.wait_for(counter.step + 1)


def test_slow_motion_does_one_update_and_wakes_for_a_pause(run, counter):
    run.speed = 1e-3  # one update in a thousand seconds
    run.play()
    counter.wait_for(1)
    paused(run)
    assert counter.step <= 2


def test_the_first_updates_can_be_slow_enough_to_talk_about(run, counter, monkeypatch):
    monkeypatch.setattr(module, "TALKING", 1e-3)
    run.step(5)
    run.slow_until = 5
    played(run, until=40)  # they are done already
    run.slow_until = 50
    assert run.pace == module.TALKING
    run.play()
    paused(run)
    assert counter.step <= 41
    run.speed = 1e-4
    assert run.pace == 1e-4  # never faster than the chosen speed


def test_a_run_follows_its_leader_is_never_ahead_and_pauses_at_the_same_update(run, counter):
    leading, ahead = counter, []
    following = Counter(watch=lambda: ahead.append(following.step > leading.step))
    follower = LiveRun(following)
    follower.leader = run
    run.play()
    follower.play()
    following.wait_for(20)
    paused(run)
    rested(follower)
    assert following.step == leading.step >= 20
    run.step(3)  # alone: it catches up
    played(follower)
    assert following.step == leading.step
    assert state_of(follower)[0] == "paused"
    run.speed = 1e-3  # one update in a thousand seconds
    run.play()
    follower.play()
    following.wait_for(leading.step)
    paused(run)
    rested(follower)
    assert following.step == leading.step
    assert not any(ahead)


def test_a_command_is_done_between_two_updates(run, counter):
    run.play()
    counter.wait_for(2)
    run.between_updates(counter.mark)
    counter.wait_for(counter.step + 2)
    paused(run)
    (mark,) = counter.marks
    assert 2 <= mark < counter.step
    last = counter.step + 3
    counter.watch = lambda: counter.step == last and not counter.marks[1:] and run.between_updates(counter.mark)
    played(run, until=last)
    assert counter.marks[1] == last


def test_a_command_while_paused_is_done_at_once(run, counter):
    run.between_updates(counter.mark)
    assert counter.marks == [0]
    run.between_updates(counter.resample)
    assert run.snapshot().view == counter.view()
    run.step()
    run.between_updates(counter.replace_network)
    assert run.snapshot().view == (101, 101, 101)  # evaluated and sampled before it is shown
    assert run.snapshot().state == "paused"


def test_a_command_just_before_the_pause_is_judged_before_it_is_seen(run, counter):
    asked = []

    def ask():
        if counter.written == 3 and not asked:
            asked.append(counter.replace_network)
            run.between_updates(counter.replace_network)
            assert run.snapshot().state == "training"

    counter.watch = ask
    played(run, until=3)
    assert asked
    assert run.snapshot().view == Seen(103, 103, 103)


@pytest.mark.parametrize("stop", ["until", "pause", "step", "leave", "diverged"])
def test_a_paused_run_never_shows_a_judgement_or_sample_of_an_earlier_update(counter, stop):
    """Checked at every moment at which another thread could read a snapshot."""
    run = LiveRun(counter)
    seen = []

    def look():
        if not run.playing:
            seen.append(run.snapshot().view)
        if stop == "pause" and counter.step == 7:
            run.pause("enough")
        if stop == "leave" and counter.step == 7:
            run.suspend("closed")

    counter.watch = look
    if stop == "diverged":
        counter.fails_at, counter.error = 8, Diverged(8, 7)
    if stop == "step":
        run.step(3)
    else:
        played(run, until=7 if stop == "until" else None)
    look()
    assert {len(set(view)) for view in seen} == {1}
    assert run.snapshot().view.update == counter.step


def test_resume_continues_a_suspended_run(run, counter):
    run.play(until=NEVER, goal="The end")
    counter.wait_for(5)
    run.suspend("closed")
    rested(run)
    assert run.snapshot().reason == "closed"
    run.suspend("closed twice")
    left_at = counter.step
    run.resume()
    assert run.playing
    counter.wait_for(left_at + 5)
    counter.step = NEVER - 2
    rested(run)
    assert run.snapshot().reason == "The end is reached."


@pytest.mark.parametrize("rest", ["untrained", "paused", "paused after leaving", "arrived", "stepped"])
def test_a_paused_run_stays_paused_when_the_reader_is_back(run, counter, rest):
    if rest == "arrived":
        played(run, until=3)
    elif rest == "stepped":
        run.step()
    elif rest.startswith("paused"):
        run.play()
        counter.wait_for(3)
    if rest == "paused":
        run.pause("enough")
    run.suspend("closed")
    if rest == "paused after leaving":
        run.pause()
    before = rested(run).snapshot()
    assert before.reason == {"paused": "enough", "arrived": "Update 3 is reached."}.get(rest, before.reason)
    run.resume()
    rested(run)
    assert run.snapshot() == before


def test_a_run_played_while_left_begins_when_the_reader_is_back(run, counter):
    run.suspend("closed")
    played(run, until=7)
    assert counter.step == 0
    counter.watch = lambda: counter.step == 7 and run.suspend("closed")  # at its goal
    for _ in range(2):
        run.resume()
        rested(run)
        assert (counter.step, run.snapshot().reason) == (7, "Update 7 is reached.")


def test_a_run_that_fails_as_it_is_left_does_not_go_on():
    class Left(Counter):
        def __next__(self):
            if self.step == 6:
                run.suspend("closed")  # during the update that fails
            return super().__next__()

    run = LiveRun(Left(fails_at=7, error=Diverged(7, 5)))
    played(run).resume()
    assert not run.playing
    assert run.snapshot().state == "diverged"


@pytest.mark.parametrize(("error", "state"), [(Diverged(7, 5), "diverged"), (MemoryError("no room"), "failed")])
def test_an_error_is_shown_and_the_run_can_go_on(error, state):
    counter = Counter(fails_at=7, error=error)
    run = LiveRun(counter)
    assert state_of(played(run)) == (state, str(error))
    counter.fails_at = 0
    played(run, until=9)
    assert counter.step == 9


@pytest.mark.parametrize("slow", [True, False])
def test_samples_take_a_small_share_of_the_time_except_in_slow_motion(monkeypatch, slow):
    class Clocked(Counter):
        now, update, sample = 0.0, 0.125, 2.0  # seconds

        def __next__(self):
            self.now += self.update
            return super().__next__()

        def resample(self):
            self.now += self.sample
            self.marks.append(self.step)

    counter = Clocked()
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: counter.now))
    run = LiveRun(counter, speed=1e6 if slow else 0.0)
    played(run, until=2000)
    first, second = counter.marks[:2]
    least = module.SAMPLE_EVERY if slow else counter.sample / module.SAMPLING_SHARE
    assert first == module.SAMPLE_EVERY / counter.update
    assert second - first == least / counter.update


def test_a_run_that_nobody_refers_to_ends():
    run = LiveRun(Counter())
    counter = run.source
    run.play()
    counter.wait_for(3)
    gone = weakref.ref(run)
    del run
    until(lambda: gone() is None)
    assert module.how_many_train() == 0


def test_nothing_but_join_step_and_commands_waits_for_an_update(run, counter):
    """The server's event loop calls these methods."""
    begun, go_on = threading.Event(), threading.Event()
    counter.watch = lambda: counter.step == 1 and not begun.is_set() and (begun.set(), go_on.wait(LIMIT))
    run.play()
    assert begun.wait(LIMIT)
    run.between_updates(counter.mark)
    for act in (run.suspend, run.pause):
        act("closed")
        run.resume()
        run.play()
        assert run.snapshot().state in ("training", "waiting")
    assert not run.join(0.0)
    run.speed = 5.0
    go_on.set()
    counter.wait_for(2)


@pytest.mark.parametrize("seed", range(20))
def test_whatever_several_threads_press_nothing_is_lost(counter, seed):
    run, marks = LiveRun(counter, speed=1e6 if seed % 2 else 0.0), itertools.count()

    def press(seed: int) -> None:
        chance = random.Random(seed)
        presses = (
            lambda: run.play(until=counter.step + chance.randrange(1, 50)), run.play, run.pause, run.step, run.resume,
            lambda: run.suspend("closed"), lambda: (next(marks), run.between_updates(counter.mark)), run.snapshot,
        )  # fmt: skip
        for _ in range(30):
            chance.choice(presses)()

    threads = [threading.Thread(target=press, args=(3 * seed + i,)) for i in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LIMIT)
        assert not thread.is_alive()
    run.resume()
    paused(run)
    assert run.snapshot().state in ("untrained", "paused")
    assert run.snapshot().view == (counter.step, counter.step, counter.step) if counter.step else True
    assert len(counter.marks) == next(marks)
    assert module.how_many_train() == 0
    played(run, until=counter.step + 3)
    assert run.snapshot().view.update == counter.step


class InPieces(Counter):
    """A source that is judged in pieces, until ``other`` has ended."""

    other = None

    def pieces(self):
        yield next(self)
        yield from self.judging()

    def judging(self):
        step, self.other = self.step, self.other or module.scheduler.start(_piece for _piece in ())
        for _piece in range(10**6):  # of many slices
            if self.other.done:
                break
            yield
        assert self.step == step, "the network changed while it was judged"
        self.judged = step
        yield


@pytest.mark.parametrize("how", ["to an update", "in slow motion", "paused", "step", "command"])
def test_others_compute_while_a_network_is_judged_which_does_not_change_meanwhile(how):
    counter = InPieces()
    run = LiveRun(counter, speed=5.0 if how == "in slow motion" else 0.0)
    if how in ("to an update", "in slow motion"):
        played(run, until=1)
    elif how == "paused":
        run.play()
        run.between_updates(counter.replace_network)
        paused(run)
    elif how == "step":
        run.step()
    else:
        run.between_updates(counter.replace_network)
    assert counter.other.done
    assert run.snapshot().view == (counter.step, counter.step, counter.step)


def test_the_rate_is_over_the_last_second(monkeypatch):
    now, rate = 0.0, Throughput()
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: now))
    assert rate.of(500) == 0.0
    now = THROUGHPUT_PERIOD / 2
    assert rate.of(600) == 100 / (THROUGHPUT_PERIOD / 2)
    now = 10 * THROUGHPUT_PERIOD
    assert rate.of(1600) == 1000 / (9.5 * THROUGHPUT_PERIOD)  # no newer measurement to compare with
    now = 10.5 * THROUGHPUT_PERIOD
    assert rate.of(1700) == 100 / (THROUGHPUT_PERIOD / 2)
