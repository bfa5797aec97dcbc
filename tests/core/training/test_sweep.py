import math
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import joblib
import numpy as np
import pytest

from core.config.settings import KNOBS, Settings
from core.text.corpus import load_corpus
from core.training.curves import Point
from core.training.experiments import sweep as module
from core.training.experiments.sweep import Sweep, best, default_values, grouped, plans, rival
from core.training.experiments.sweep_worker import Budget, Member, Text, train_slice
from core.training.held_out import HeldOut, Judgement
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
    """The update and loss of every judgement of a network that is trained alone, without pauses."""
    corpus = load_corpus(settings, own_text)
    trainer, held_out, due = Trainer(settings, corpus, frozen), HeldOut(settings, corpus), 0
    judged = [(0, held_out.judge(trainer.params, settings))]
    while trainer.tokens < tokens:
        next(trainer)
        if trainer.step >= due or trainer.tokens >= tokens:
            judged.append((trainer.step, held_out.judge(trainer.params, settings)))
            due = Budget(tokens=budget or tokens).next_judgement(settings, trainer.step, held_out.next_update(trainer.step))
    return judged


def curve(member):
    return [(point.update, point.nats) for point in member.points]


@pytest.mark.parametrize("frozen", [(), ("W_hh",)])
def test_the_number_of_slices_changes_nothing(monkeypatch, frozen):
    monkeypatch.setattr("core.training.experiments.sweep_worker.LENGTH", 0.0)  # one update per slice
    member, points = Member(SMALL, frozen=frozen), ()
    for _ in range(50):
        assert not member.ended
        member = train_slice(member._replace(points=()), Budget(tokens=1000), Text())
        points += member.points
    assert (member.ended, member.step) == ("finished", 50)
    (other,) = swept([SMALL], frozen=frozen, tokens=1000)
    assert curve(member._replace(points=points)) == curve(other) == alone(SMALL, 1000, frozen=frozen)
    assert alone(SMALL, 1000) != alone(SMALL, 1000, frozen=("W_hh",))


def test_a_network_that_diverges_or_cannot_be_trained_stops_no_other():
    base = SMALL.but(optimizer="sgd", activation="relu", num_steps=20, clip_norm=0.0)
    settings = [base, base.but(learning_rate=1e6), base.but(batch_size=1024), base.but(hidden_size=4096, num_steps=1000)]
    sound, diverged, *failed = swept(settings, tokens=2000)
    assert (sound.ended, diverged.ended) == ("finished", "diverged")
    assert diverged.message
    assert [(one.ended, one.points, one.message[-1:]) for one in failed] == [("failed", (), ".")] * 2


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


def test_a_live_run_stops_a_sweep_between_slices_and_resumes_it():
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
    now = iter([0.0, 100.0, 100.0, 107.0])  # the first slice takes 100 s, the second 7 s
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
    """Whether this process exists and is not a zombie."""
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
            assert len(began) >= 2  # worker processes
        finally:
            process.kill()
    until(lambda: not any(map(runs, began)))


@pytest.mark.parametrize("name", module.VARIED)
@pytest.mark.parametrize("settings", [Settings(), Settings(learning_rate=7.0, hidden_size=7, truncation=5, seed=2**31 - 1)])
def test_offered_values_are_valid_and_include_the_present_one(name, settings):
    values = default_values(settings, name)
    assert 2 <= len(values) == len(set(values)) <= module.MOST_VALUES
    members = plans(settings, name, values, 2)
    assert [getattr(member, name) for member in members[:: 1 if name == "seed" else 2]] == values
    (identity,) = plans(settings, "init", ["identity"], 1)  # sets its own scales
    assert (identity.input_scale, identity.output_scale) == (None, None)
    assert getattr(Settings(), name) not in KNOBS[name].stops or getattr(Settings(), name) in default_values(Settings(), name)


def reached(value, seed, *nats, ended="finished"):
    points = (Point(9 * i, 9 * i, 0.1 * i, loss) for i, loss in enumerate((4.0, *nats)))
    return Member(Settings(learning_rate=value, seed=seed), tuple(points), None, 9, 9, 0.1, 0, ended, "")


def test_the_mean_over_seeds_is_of_their_losses_and_a_diverged_one_has_none():
    members = [reached(0.1, 0, 1.0), reached(0.1, 1, 2.0), reached(0.2, 0, 0.5), reached(0.2, 1, 0.1, ended="diverged")]
    first, second = groups = grouped(members, "learning_rate")
    assert [point.nats for point in first.curve] == [4.0, 1.5]
    assert first.perplexity == pytest.approx(math.exp(1.5))
    slower = members[1]._replace(points=(Point(0, 0, 0.0, 4.0), Point(5, 5, 0.1, 3.0), Point(7, 7, 0.1, 2.0)))
    assert [point.update for point in module.Group(0.1, (members[0], slower)).curve] == [0]
    assert math.isnan(second.perplexity)
    assert [group.sound for group in groups] == [True, False]
    assert module.leading(groups) is first
    assert best(members) is members[2]
    assert best([Member(Settings())]) is module.leading([]) is None


def test_a_rival_has_another_value_and_cannot_be_told_from_the_best():
    rows = np.linspace(1.0, 2.0, 10)
    noise = np.random.default_rng(0).normal(0.01, 0.1, 10)
    members = [reached(0.1, 0, 1.0), reached(0.1, 1, 1.0), reached(0.2, 0, 1.01), reached(0.4, 0, 1.1)]
    others = (0, noise, noise, 0.1)
    judged = [member._replace(judgement=Judgement(rows + other, 9)) for member, other in zip(members, others, strict=True)]
    assert rival(judged, "learning_rate") is judged[2]
    assert rival([judged[0], judged[1], judged[3]], "learning_rate") is None  # a difference of 0.1 in every row is not noise
    assert rival(members, "learning_rate") is rival([], "learning_rate") is None
