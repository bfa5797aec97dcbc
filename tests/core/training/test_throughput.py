from types import SimpleNamespace

from core.training.run import throughput as module
from core.training.run.throughput import OVER, Throughput


def test_the_rate_is_over_the_last_second_and_since_the_beginning(monkeypatch):
    now, rate = 0.0, Throughput()
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: now))
    assert rate.of(500) == 0.0
    now = OVER / 2
    assert rate.of(600) == 100 / (OVER / 2)
    now = 10 * OVER
    assert rate.of(1600) == 1000 / (9.5 * OVER)  # there is nothing newer to compare with
    now = 10.5 * OVER
    assert rate.of(1700) == 100 / (OVER / 2)
    rate.begin()
    now = 11 * OVER
    assert rate.of(10**6) == 0.0
