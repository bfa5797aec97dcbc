"""Many visitors at one server: fragments that rerun less often, dragged knobs, tabs that vanish."""

import asyncio
from pathlib import Path

import pytest

from pages.app.navigation.auto_refresh import RERUNS
from tests.server.test_serving import connected
from tests.websocket_client import TRAIN, WebSocketClient, until

CROWD = 10  # visitors
HANDS = 6  # visitors that drag a knob


async def test_fragments_rerun_less_often_while_many_train_and_as_usual_afterwards(server):
    crowded = CROWD / RERUNS  # seconds; intervals are renewed when they differ by more than a factor of two
    first = await WebSocketClient(server.url, TRAIN).open()
    await until(lambda: first.shortest_interval < crowded / 1.5)
    others = await asyncio.gather(*(WebSocketClient(server.url, TRAIN).open() for _ in range(CROWD - 1)))
    await until(lambda: first.shortest_interval >= crowded / 2)
    await asyncio.gather(*(other.close() for other in others))
    await until(lambda: first.shortest_interval < crowded / 1.5)
    assert not first.errors
    await first.close()


async def test_a_crowd_that_drags_knobs_stops_nobody_s_run_and_leaves_nothing_behind(server):
    async def drag(visitor: WebSocketClient, place: int) -> None:
        for i in range(40):
            await visitor.move_knob("learning_rate", (place + i) % 8)
            await visitor.answered("live_knobs")

    queries = [TRAIN, *[""] * HANDS]
    one, *others = await asyncio.gather(*(WebSocketClient(server.url, query).open() for query in queries))
    await until(lambda: connected(server) == len(queries))  # visitors of the test before may still be disconnecting
    await asyncio.gather(*(drag(other, place) for place, other in enumerate(others)))
    before = one.data("run_view")["readout"]["rows"]
    await until(lambda: one.data("run_view")["readout"]["rows"] != before)
    await others[0].move_knob("learning_rate", 9)
    await others[0].close()  # before the server answers
    await others[1].move_knob("learning_rate", 9, done=True)
    await until(lambda: others[1].position("learning_rate") == 9)
    assert not [other.errors for other in (one, *others) if other.errors]
    await asyncio.gather(*(other.close() for other in (one, *others[1:])))
    await until(lambda: connected(server) == 0)


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="threads are counted in /proc")
async def test_tabs_that_vanish_while_they_train_leave_no_thread(server):
    def threads() -> int:
        return sum(1 for _ in Path(f"/proc/{server.process.pid}/task").iterdir())

    async def come_and_vanish() -> None:
        visitors = await asyncio.gather(*(WebSocketClient(server.url, TRAIN).open() for _ in range(CROWD)))
        await until(lambda: all(visitor.data("run_view")["readout"]["state"] != "untrained" for visitor in visitors))
        for visitor in visitors:
            visitor.abort()
        await asyncio.gather(*(visitor.close() for visitor in visitors))

    await come_and_vanish()
    await until(lambda: connected(server) == 0)
    before = threads()
    for _ in range(3):
        await come_and_vanish()
        await until(lambda: connected(server) == 0)
    await until(lambda: threads() <= before + CROWD)
