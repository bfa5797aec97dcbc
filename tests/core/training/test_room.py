"""What is large finds room or is refused with the figures; what is small finds room always."""

import re

import numpy as np
import pytest

from core.limits import MEGABYTE
from core.training import room


def test_what_is_held_is_what_the_process_takes():
    if not room.PAGES.exists():
        pytest.skip("read from /proc")
    before = room.held()
    taken = np.ones(64 * MEGABYTE, np.uint8)  # so large that the system gives new memory, whatever the process has by it
    assert room.held() - before == pytest.approx(taken.nbytes, rel=0.2)


def test_a_machine_has_memory():
    assert 0 < room.held() < room.most() < 2**63


@pytest.fixture
def nearly_full(monkeypatch):
    monkeypatch.setattr(room, "held", lambda: 900 * MEGABYTE)
    monkeypatch.setattr(room, "most", lambda: 1000 * MEGABYTE)


def test_a_large_run_is_refused_with_the_figures(nearly_full):
    room.check_room(99 * MEGABYTE)
    with pytest.raises(ValueError, match="101 MiB") as refused:
        room.check_room(101 * MEGABYTE)
    assert re.findall(r"[\d,]+ MiB", str(refused.value)) == ["101 MiB", "900 MiB", "1,000 MiB"]


def test_a_small_one_finds_room_and_a_visitor_until_nothing_is_left(nearly_full, monkeypatch):
    assert room.is_room()
    monkeypatch.setattr(room, "held", lambda: 1000 * MEGABYTE)
    assert not room.is_room()
    room.check_room(room.LARGE)


def test_a_container_s_limit_counts_where_it_is_less(tmp_path, monkeypatch):
    room.most.cache_clear()
    monkeypatch.setattr(room, "CONTAINER", tmp_path / "memory.max")
    machine = room._machine()
    for says, there in (("max\n", machine), ("104857600\n", 100 * MEGABYTE)):
        (tmp_path / "memory.max").write_text(says)
        assert room._machine() == there
