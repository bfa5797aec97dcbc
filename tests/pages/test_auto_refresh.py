"""A fragment that shows a run is rerun less often, the more runs train."""

import pytest
from hypothesis import given, strategies as st

from pages.app.navigation import auto_refresh as module
from pages.app.navigation.auto_refresh import JITTER, RERUNS, is_outdated, jittered, poll_interval


@given(runs=st.integers(0, 1000), usual=st.floats(0.1, 4.0))
def test_all_runs_together_rerun_a_fragment_no_more_often_than_the_limit(runs, usual):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "how_many_train", lambda: runs)
        assert runs / poll_interval(usual) <= max(RERUNS, runs / usual) * (1 + 1e-9)
        assert poll_interval(usual) >= usual
        assert runs > 3 or poll_interval(0.2) == 0.2
        interval = jittered(poll_interval(usual), usual)
        assert poll_interval(usual) <= interval <= (1 + JITTER) * poll_interval(usual)
        assert not is_outdated(interval, usual)


def test_an_interval_is_outdated_when_far_more_or_far_fewer_runs_train(monkeypatch):
    monkeypatch.setattr(module, "how_many_train", lambda: 30)
    drawn = poll_interval(0.2)
    for runs, outdated in ((31, False), (20, False), (61, True), (14, True), (1, True)):
        monkeypatch.setattr(module, "how_many_train", lambda runs=runs: runs)
        assert is_outdated(drawn, 0.2) == outdated
