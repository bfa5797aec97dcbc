"""The parameters of a run that trains are read between two updates, whoever computes; driven by a source that only counts."""

import threading
from collections.abc import Callable
from types import SimpleNamespace

import numpy as np
import pytest

from core.models.initialisation import init_params
from core.models.params import Params
from core.training.source import Source
from core.training.turns import compute
from core.training.watched_run import WatchedRun

LIMIT = 20.0  # seconds after which a wait has failed
CHANCE = 0.2  # seconds given to a reader who does not wait


class Halves(Source):
    """An update adds 1 to all parameters: to some, and then to the others; ``between`` is called in the middle."""

    def __init__(self) -> None:
        self.done = 0
        self.between: Callable[[], None] = lambda: None
        self.trainer = SimpleNamespace(tokens=0, params=init_params(3, 2, init="xavier", rng=np.random.default_rng(0)))
        self.trainer.params.flat[:] = 0

    @property
    def step(self) -> int:
        return self.done

    def __next__(self) -> None:
        flat = self.trainer.params.flat
        flat[:5] += 1
        self.between()
        flat[5:] += 1
        self.done += 1

    def by_hand(self) -> None:
        next(self)


def numbers(params: Params) -> set[float]:
    """All that there are in it."""
    return set(params.flat.tolist())


@pytest.mark.parametrize("change", ["update", "by hand"])
def test_never_in_the_middle_of_a_change(change):
    source, read = Halves(), []
    run = WatchedRun(source)
    reader = threading.Thread(target=lambda: read.append(numbers(run.params())))

    def look() -> None:
        source.between = lambda: None
        reader.start()
        reader.join(CHANCE)

    source.between = look
    run.step() if change == "update" else run.between_updates(source.by_hand)
    reader.join(LIMIT)
    assert read == [{1.0}]


def test_without_waiting_for_whoever_computes():
    run, read = WatchedRun(Halves()), []
    reader = threading.Thread(target=lambda: read.append(numbers(run.params())), daemon=True)
    with compute():
        reader.start()
        reader.join(LIMIT)
        assert read == [{0.0}]
