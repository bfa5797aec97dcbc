"""Tokens per second, by a clock that is told the time."""

import pytest

from core.training import rate as module
from core.training.rate import OVER, Rate


@pytest.fixture
def clock(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(module.time, "monotonic", lambda: now[0])
    return now


def test_it_is_what_was_read_over_the_last_second(clock):
    rate = Rate()
    assert rate.of(500) == 0.0
    clock[0] = OVER / 2
    assert rate.of(600) == 100 / (OVER / 2)
    clock[0] = 10 * OVER
    assert rate.of(1600) == 1000 / (9.5 * OVER)  # nothing newer is there to compare with
    clock[0] = 10.5 * OVER
    assert rate.of(1700) == 100 / (OVER / 2)


def test_what_was_before_a_beginning_does_not_count(clock):
    rate = Rate()
    rate.of(500)
    rate.begin()
    clock[0] = 1.0
    assert rate.of(10**6) == 0.0
