"""A sweep: every network learns what it would learn alone, whatever becomes of the others, and no process is left behind."""

import json
import math
import os
import subprocess
import sys
import time
from dataclasses import asdict
from pathlib import Path

import joblib
import pytest

from core.settings import Settings
from core.text.corpus import load_corpus
from core.training.held_out import HeldOut
from core.training.leg import Budget, Member, Text, leg
from core.training.live_run import LiveRun
from core.training.sweep import Sweep
from core.training.tbptt import Trainer
from core.training.variation import best, grouped, plans

ROOT = Path(__file__).parents[3]
SMALL = Settings(corpus="lag", lag=3, max_tokens=4000, hidden_size=8, batch_size=4, num_steps=5)
OWN = "the cat sat on the mat. the dog sat on the log. " * 40
LIMIT = 60.0


def run_to_the_end(sweep):
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


def test_every_network_is_bit_for_bit_what_it_would_be_alone():
    rates = (0.001, 0.01, 0.1)
    members = run_to_the_end(Sweep(plans(SMALL, "learning_rate", rates, 2), Budget(tokens=20_000)))
    assert [member.ended for member in members] == ["finished"] * 6
    for member in members:
        assert curve(member) == alone(member.settings, 20_000)


@pytest.mark.parametrize("frozen", [(), ("W_hh",)])
def test_in_how_many_legs_changes_nothing(monkeypatch, frozen):
    monkeypatch.setattr("core.training.leg.LENGTH", 0.0)  # an update each
    member, legs, points = Member(SMALL, frozen=frozen), 0, ()
    while not member.ended:
        member, legs = leg(member._replace(points=()), Budget(tokens=1000), Text()), legs + 1
        points += member.points
    assert legs == member.step == 50
    assert curve(member._replace(points=points)) == alone(SMALL, 1000, frozen=frozen)


def test_what_diverges_or_cannot_be_trained_stops_nothing():
    base = SMALL.but(optimizer="sgd", activation="relu", num_steps=20, clip_norm=0.0)
    settings = [base, base.but(learning_rate=1e6), base.but(batch_size=1024), base.but(hidden_size=4096, num_steps=1000)]
    sound, diverged, *failed = run_to_the_end(Sweep(settings, Budget(tokens=2000)))
    assert (sound.ended, diverged.ended) == ("finished", "diverged")
    assert diverged.said
    assert diverged.points[0].update == 0
    assert [one.ended for one in failed] == ["failed"] * 2
    assert all(one.said.endswith(".") and not one.points for one in failed)
    assert best([sound, diverged, *failed]) is sound
    groups = grouped([sound, diverged], "learning_rate")
    assert [group.sound for group in groups] == [True, False]


def test_the_reader_s_own_text_is_learnt_as_well_and_nobody_else_s():
    own = SMALL.but(corpus="own", max_tokens=0)
    (member,) = run_to_the_end(Sweep([own], Budget(tokens=1000), OWN))
    assert curve(member) == alone(own, 1000, OWN)
    (other,) = run_to_the_end(Sweep([own], Budget(tokens=1000), OWN.upper() + "!"))
    assert other.points[0].nats != member.points[0].nats
    (none,) = run_to_the_end(Sweep([own], Budget(tokens=1000)))
    assert none.ended == "failed"


def test_what_is_frozen_is_so_in_every_process():
    (member,) = run_to_the_end(Sweep([SMALL], Budget(tokens=2000), frozen=("W_hh",)))
    assert curve(member) == alone(SMALL, 2000, frozen=("W_hh",))
    assert curve(member) != alone(SMALL, 2000)


def test_seconds_are_a_budget_too():
    members = run_to_the_end(Sweep(plans(SMALL, "hidden_size", (4, 16), 1), Budget(seconds=0.2)))
    assert all(member.ended == "finished" and member.seconds >= 0.2 for member in members)


def test_a_live_run_drives_it_stops_it_between_legs_and_goes_on():
    sweep = Sweep(plans(SMALL, "learning_rate", (0.001, 0.01, 0.1), 1), Budget(tokens=10**9))
    run = LiveRun(sweep)
    for _ in range(2):
        seen = [member.step for member in sweep.members]
        run.play(until=3)
        until(lambda seen=seen: all(member.step > before for member, before in zip(sweep.members, seen, strict=True)))
        run.pause()
        assert run.join(LIMIT)
    stopped = run.snapshot()
    assert (stopped.state, run.error) == ("paused", None)
    assert 0 < stopped.view.share < 1
    for member in stopped.view.members:
        assert curve(member) == alone(member.settings, member.reached.tokens, budget=10**9)


def test_the_start_of_the_processes_is_no_measure_of_the_time_left():
    sweep = Sweep([SMALL], Budget(tokens=10**9))
    next(sweep)
    assert sweep.look().left == math.inf
    before, began = sweep.look().share, time.monotonic()
    next(sweep)
    seen, took = sweep.look(), time.monotonic() - began
    assert 0 < seen.left <= took * (1 - seen.share) / (seen.share - before)


def test_what_there_is_to_see_is_plain():
    sweep = Sweep(plans(SMALL, "truncation", (1, None), 1), Budget(tokens=500))
    json.dumps([[asdict(member.settings), member.points, member.said] for member in run_to_the_end(sweep)], allow_nan=False)


def test_another_backend_of_joblib_trains_where_one_is_configured():
    with joblib.parallel_config("threading", n_jobs=2):
        members = run_to_the_end(Sweep(plans(SMALL, "seed", (3, 4), 1), Budget(tokens=2000)))
    assert [curve(member) for member in members] == [alone(SMALL.but(seed=seed), 2000) for seed in (3, 4)]


def test_what_does_not_fit_beside_the_others_is_told(monkeypatch):
    monkeypatch.setattr("core.training.sweep.LIMIT", 10)
    (member,) = run_to_the_end(Sweep([SMALL], Budget(tokens=10**9)))
    assert (member.ended, member.state) == ("failed", None)


PROGRAM = """
import sys, time
from core.settings import Settings
from core.training.leg import Budget
from core.training.sweep import Sweep
sweep = Sweep([Settings(hidden_size=8, seed=seed, corpus="lag", max_tokens=4000) for seed in range(2)], Budget(seconds=600))
next(sweep)
print("trains", flush=True)
for _ in sweep if sys.argv[1] == "on" else ():
    pass
time.sleep(600)
"""


def children(process):
    """Processes whose parent this is: (id, command)."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(status.read_text().rpartition(")")[2].split()[1])
            command = status.with_name("cmdline").read_bytes()
        except OSError:  # it has just ended
            continue
        if parent == process:
            found.append((int(status.parent.name), command))
    return found


def workers(process):
    return [pid for pid, command in children(process) if b"popen_loky" in command]


def alive(pid):
    return Path(f"/proc/{pid}").exists() and Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"


@pytest.fixture
def program(request):
    where = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", PROGRAM, request.param]
    with subprocess.Popen(command, env=where, cwd=ROOT, stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"trains\n"
        yield process
        process.kill()


def until(condition):
    give_up = time.monotonic() + LIMIT
    while not condition():
        assert time.monotonic() < give_up
        time.sleep(0.05)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are read from /proc")
@pytest.mark.parametrize("program", ["rests"], indirect=True)
def test_processes_with_nothing_to_do_end(program):
    assert len(workers(program.pid)) == 2
    until(lambda: not workers(program.pid))


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are read from /proc")
@pytest.mark.parametrize("program", ["on"], indirect=True)
def test_no_process_outlives_one_that_was_killed(program):
    began = [pid for pid, _ in children(program.pid)]
    assert len(began) > 1
    program.kill()
    until(lambda: not any(map(alive, began)))
