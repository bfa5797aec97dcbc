"""Bytes that are held, counted once."""

import tracemalloc
from types import SimpleNamespace

import numpy as np
import pytest

from core.settings import Settings
from core.text.corpus import Corpus
from core.training.footprint import held_bytes
from core.training.tbptt import Trainer
from core.training.watched import Watched
from tests.core.training.corpora import lag_text

SIZE = 1_000_000
LITTLE = 5_000  # bytes of objects, names and numbers


def test_each_is_counted_once_and_a_view_is_what_it_looks_at():
    array = np.zeros(SIZE, np.uint8)
    thing = SimpleNamespace(one=array, other=[array, array[10:][::2], array.reshape(10, -1).T], text="x" * SIZE)
    thing.itself = thing
    assert 0 <= held_bytes(thing) - 2 * SIZE < LITTLE
    assert held_bytes(array[:3]) >= SIZE


def test_what_is_shared_is_not_counted():
    shared, own = np.zeros(SIZE, np.uint8), np.zeros(SIZE, np.uint8)
    assert 0 <= held_bytes({"a": shared[5:], "b": own}, [{"c": shared}]) - SIZE < LITTLE


def test_the_program_is_not_counted():
    thing = SimpleNamespace(library=np, kind=Trainer, call=held_bytes, method=Settings().but)
    assert held_bytes(thing) < LITTLE


def trained(settings: Settings, text: Corpus) -> Watched:
    run = Watched(Trainer(settings, text), text)
    for _ in range(11):
        next(run)
    return run


@pytest.mark.parametrize("hidden_size", [16, 400])
def test_it_agrees_with_the_memory_that_python_gave_out(hidden_size):
    settings = Settings(corpus="lag", hidden_size=hidden_size)
    text = lag_text(settings)
    trained(settings, text)  # what Python makes once and keeps is no run's
    tracemalloc.start()
    run = trained(settings, text)
    given = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert held_bytes(run, [text, settings]) == pytest.approx(given, rel=0.15)
