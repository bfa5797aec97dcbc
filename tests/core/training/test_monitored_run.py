"""The parameters of a run that trains, read by another thread."""

import threading
from collections.abc import Callable
from types import SimpleNamespace

import numpy as np
import pytest

from core.models.initialisation import init_params
from core.training.run.monitored_run import MonitoredRun
from core.training.run.runnable import Runnable
from core.training.run.scheduler import compute
from tests.core.training.waiting import LIMIT

CHANCE = 0.2  # seconds to wait for a reader that may be blocked


class Halves(Runnable):
    """An update adds 1 to some parameters, and then to the others; ``between`` is called in the middle."""

    step = 0

    def __init__(self) -> None:
        self.between: Callable[[], None] = lambda: None
        self.trainer = SimpleNamespace(tokens=0, params=init_params(3, 2, init="xavier", rng=np.random.default_rng(0)))
        self.trainer.params.flat[:] = 0

    def __next__(self) -> None:
        flat = self.trainer.params.flat
        flat[:5] += 1
        self.between()
        flat[5:] += 1
        self.step += 1


def reading(run: MonitoredRun) -> tuple[threading.Thread, list[set[float]]]:
    """A thread that reads the parameters, and the list to which it appends the set of their values."""
    read = []
    return threading.Thread(target=lambda: read.append(set(run.params().flat.tolist())), daemon=True), read


@pytest.mark.parametrize("change", ["update", "command"])
def test_parameters_are_not_read_in_the_middle_of_a_change(change):
    source = Halves()
    run = MonitoredRun(source)
    reader, read = reading(run)

    def look() -> None:
        source.between = lambda: None
        reader.start()
        reader.join(CHANCE)

    source.between = look
    run.step() if change == "update" else run.between_updates(lambda: next(source))
    reader.join(LIMIT)
    assert read == [{1.0}]


def test_parameters_are_read_without_waiting_for_whoever_computes():
    reader, read = reading(MonitoredRun(Halves()))

    def look() -> None:
        reader.start()
        reader.join(LIMIT)

    compute(look)
    assert read == [{0.0}]
