import math
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import joblib
import pytest

from core.text.corpus import load_corpus
from core.training.experiments import sweep as module
from core.training.experiments.sweep import Sweep, plans
from core.training.experiments.sweep_worker import Budget, Member, Text, train_slice
from core.training.held_out import HeldOut
from core.training.run.live_run import LiveRun
from core.training.tbptt import Trainer
from tests.core.training.runs import SMALL
from tests.core.training.waiting import rested, until

ROOT = Path(__file__).parents[3]
OWN = "the cat sat on the mat. the dog sat on the log. " * 40


def swept(settings, own_text="", frozen=(), **budget):
    """The members of a sweep that has ended."""
    sweep = Sweep(settings, Budget(**budget), own_text, frozen=frozen)
    for _ in sweep:
        pass
    return sweep.members


def alone(settings, tokens, own_text="", budget=0, frozen=()):
    """The update and loss of every judgement of a network that is trained on its own, in one go."""
    corpus = load_corpus(settings, own_text)
    trainer, held_out, due = Trainer(settings, corpus, frozen), HeldOut(settings, corpus), 0
    judged = [(0, held_out.judge(trainer.params, settings))]
    while trainer.tokens < tokens:
        next(trainer)
        if trainer.step >= due or trainer.tokens >= tokens:
            judged.append((trainer.step, held_out.judge(trainer.params, settings)))
            due = Budget(tokens=budget or tokens).next_judgement(settings, trainer.step, held_out.cost)
    return judged


def curve(member):
    return [(point.update, point.nats) for point in member.points]


@pytest.mark.parametrize("frozen", [(), ("W_hh",)])
def test_the_number_of_legs_changes_nothing(monkeypatch, frozen):
    monkeypatch.setattr("core.training.experiments.sweep_worker.LENGTH", 0.0)  # an update each
    member, points = Member(SMALL, frozen=frozen), ()
    for _ in range(50):
        assert not member.ended
        member = train_slice(member._replace(points=()), Budget(tokens=1000), Text())
        points += member.points
    assert (member.ended, member.step) == ("finished", 50)
    (other,) = swept([SMALL], frozen=frozen, tokens=1000)
    assert curve(member._replace(points=points)) == curve(other) == alone(SMALL, 1000, frozen=frozen)
    assert alone(SMALL, 1000) != alone(SMALL, 1000, frozen=("W_hh",))


def test_every_network_is_bit_for_bit_what_it_would_be_alone():
    members = swept(plans(SMALL, "learning_rate", (0.001, 0.1), 2), tokens=10_000)
    assert [member.ended for member in members] == ["finished"] * 4
    for member in members:
        assert curve(member) == alone(member.settings, 10_000)


def test_a_network_that_diverges_or_cannot_be_trained_stops_no_other():
    base = SMALL.but(optimizer="sgd", activation="relu", num_steps=20, clip_norm=0.0)
    settings = [base, base.but(learning_rate=1e6), base.but(batch_size=1024), base.but(hidden_size=4096, num_steps=1000)]
    sound, diverged, *failed = swept(settings, tokens=2000)
    assert (sound.ended, diverged.ended) == ("finished", "diverged")
    assert diverged.said
    assert [(one.ended, one.points, one.said[-1:]) for one in failed] == [("failed", (), ".")] * 2


def test_a_readers_own_text_is_learnt_and_not_that_of_another_reader():
    own = SMALL.but(corpus="own", max_tokens=0)
    (member,) = swept([own], OWN, tokens=1000)
    assert curve(member) == alone(own, 1000, OWN)
    (other,) = swept([own], OWN.upper() + "!", tokens=1000)
    assert other.points[0].nats != member.points[0].nats
    (none,) = swept([own], tokens=1000)
    assert none.ended == "failed"


def test_a_budget_of_seconds_is_spent():
    members = swept(plans(SMALL, "hidden_size", (4, 16), 1), seconds=0.2)
    assert [member.ended for member in members] == ["finished"] * 2
    assert min(member.seconds for member in members) >= 0.2


def test_a_live_run_drives_it_stops_it_between_legs_and_goes_on():
    sweep = Sweep(plans(SMALL, "learning_rate", (0.001, 0.1), 1), Budget(tokens=10**9))
    run = LiveRun(sweep)
    for _ in range(2):
        seen = [member.step for member in sweep.members]
        run.play(until=3)
        until(lambda seen=seen: all(member.step > before for member, before in zip(sweep.members, seen, strict=True)))
        run.pause()
        rested(run)
    stopped = run.snapshot()
    assert (stopped.state, run.error) == ("paused", None)
    assert 0 < stopped.view.share < 1
    for member in stopped.view.members:
        assert curve(member) == alone(member.settings, member.reached.tokens, budget=10**9)


def test_the_time_left_is_estimated_without_the_start_of_the_processes(monkeypatch):
    now = iter([0.0, 100.0, 100.0, 107.0])  # the first leg takes 100 s, the second 7
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: next(now)))
    sweep = Sweep([SMALL], Budget(tokens=10**9))
    next(sweep)
    assert sweep.view().left == math.inf
    before = sweep.view().share
    next(sweep)
    seen = sweep.view()
    assert seen.left == pytest.approx(7 * (1 - seen.share) / (seen.share - before))


def test_a_configured_backend_of_joblib_is_used_and_the_memory_of_all_is_limited(monkeypatch):
    with joblib.parallel_config("threading", n_jobs=2):
        members = swept(plans(SMALL, "seed", (3, 4), 1), tokens=2000)
        assert [curve(member) for member in members] == [alone(SMALL.but(seed=seed), 2000) for seed in (3, 4)]
        monkeypatch.setattr(module, "LIMIT", 10)
        (member,) = swept([SMALL], tokens=10**9)
        assert (member.ended, member.state) == ("failed", None)


PROGRAM = """
from core.config.settings import Settings
from core.training.experiments.sweep_worker import Budget
from core.training.experiments.sweep import Sweep
for _ in Sweep([Settings(hidden_size=8, seed=seed, corpus="lag", max_tokens=4000) for seed in range(2)], Budget(seconds=600)):
    print("trains", flush=True)
"""


def runs(pid: str) -> bool:
    """Whether this process has not ended, nor is a zombie."""
    with suppress(OSError):
        return Path("/proc", pid, "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


@pytest.mark.skipif(not [*Path("/proc/self/task").glob("*/children")], reason="processes are read from /proc")
def test_no_process_outlives_one_that_was_killed():
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen([sys.executable, "-c", PROGRAM], env=env, cwd=ROOT, stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout.readline() == b"trains\n"
            children = Path("/proc", str(process.pid), "task").glob("*/children")
            began = [pid for thread in children for pid in thread.read_text().split()]
            assert len(began) >= 2  # that train
        finally:
            process.kill()
    until(lambda: not any(map(runs, began)))
