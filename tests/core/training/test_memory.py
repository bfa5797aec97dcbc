import re
import tracemalloc
from types import SimpleNamespace

import numpy as np
import pytest

from core.config.limits import MEGABYTE
from core.config.settings import Settings
from core.training import memory
from core.training.memory import MOST_MOMENTS, estimate_bytes, object_bytes
from core.training.run.monitored_trainer import MonitoredTrainer
from core.training.tbptt import Trainer
from tests.core.training.runs import advance, lag_text

TEXT = lag_text(Settings(corpus="lag", max_tokens=400_000))
FIRST_SOURCE = Settings(num_steps=35, hidden_size=512, init="normal001", optimizer="sgd", learning_rate=1.0)
SIZE, LITTLE = 1_000_000, 5_000  # bytes of an array; bytes of objects, names and numbers


def trained(settings):
    """A run of 11 updates, which has stored some moments."""
    return advance(MonitoredTrainer(Trainer(settings, TEXT), TEXT), 11)


@pytest.mark.parametrize("settings", [
    Settings(), Settings(optimizer="sgd", dtype="float64"), Settings(weight_decay=0.1, cosine_until=10), FIRST_SOURCE,
    Settings(batch_size=128, num_steps=100, hidden_size=64), Settings(hidden_size=300, optimizer="adagrad", num_steps=5),
    Settings(hidden_size=32, embedding_size=128, batch_size=128, num_steps=300, optimizer="adagrad"),
    Settings(hidden_size=8, embedding_size=128, carry_state=False, optimizer="sgd"),
    Settings(hidden_size=1, num_steps=35, batch_size=32, optimizer="sgd"),
])  # fmt: skip
def test_a_run_takes_at_most_the_estimate_and_at_least_two_thirds_of_it(settings):
    settings = settings.but(corpus="lag")
    tracemalloc.start()
    run = trained(settings)
    moments = run.history.moments
    later = min(MOST_MOMENTS * moments.first.bytes, moments.budget) - sum(one.bytes for one in moments.kept)
    peak = tracemalloc.get_traced_memory()[1] + later
    tracemalloc.stop()
    assert peak <= estimate_bytes(settings, 2) <= 1.5 * peak, estimate_bytes(settings, 2) / peak


def test_every_array_is_counted_once_and_a_view_as_its_base():
    array, shared = np.zeros(SIZE, np.uint8), np.zeros(SIZE, np.uint8)
    thing = SimpleNamespace(one=array, other=[array, array[10:][::2], array.reshape(10, -1).T], text="x" * SIZE)
    thing.itself = thing
    assert 0 <= object_bytes(thing) - 2 * SIZE < LITTLE
    assert object_bytes(array[:3]) >= SIZE
    assert 0 <= object_bytes({"a": shared[5:], "b": array}, [{"c": shared}]) - SIZE < LITTLE
    assert object_bytes(SimpleNamespace(library=np, kind=Trainer, call=object_bytes, method=Settings().but)) < LITTLE


@pytest.mark.parametrize("hidden_size", [16, 200])
def test_the_counted_bytes_are_those_that_python_allocated(hidden_size):
    settings = Settings(corpus="lag", hidden_size=hidden_size)
    trained(settings)  # allocations that Python makes once and keeps belong to no run
    tracemalloc.start()
    run = trained(settings)
    allocated = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert object_bytes(run, [TEXT, settings]) == pytest.approx(allocated, rel=0.15)


@pytest.mark.skipif(not memory.PAGES.exists(), reason="read from /proc")
def test_the_memory_of_the_process_grows_with_what_it_allocates():
    before = memory.used_bytes()
    taken = np.ones(256 * MEGABYTE, np.uint8)  # more than glibc keeps of what earlier tests have freed: 64 MB at most
    assert memory.used_bytes() - before == pytest.approx(taken.nbytes, rel=0.2)
    assert 0 < memory.used_bytes() < memory.allowed_bytes() < 2**63


def test_a_large_run_is_refused_with_the_figures_and_a_small_one_has_room(monkeypatch):
    monkeypatch.setattr(memory, "used_bytes", lambda: 900 * MEGABYTE)
    monkeypatch.setattr(memory, "allowed_bytes", lambda: 1000 * MEGABYTE)
    assert memory.is_room()
    memory.check_room(99 * MEGABYTE)
    with pytest.raises(ValueError, match="101 MiB") as refused:
        memory.check_room(101 * MEGABYTE)
    assert re.findall(r"[\d,]+ MiB", str(refused.value)) == ["101 MiB", "900 MiB", "1,000 MiB"]
    monkeypatch.setattr(memory, "used_bytes", lambda: 1000 * MEGABYTE)
    assert not memory.is_room()
    memory.check_room(memory.LARGE)


def test_the_limit_of_a_container_counts_where_it_is_less(tmp_path, monkeypatch):
    monkeypatch.setattr(memory, "CONTAINER", tmp_path / "memory.max")
    machine = memory._machine_bytes()
    for limit, there in (("max\n", machine), ("104857600\n", 100 * MEGABYTE)):
        memory.CONTAINER.write_text(limit)
        assert memory._machine_bytes() == there
