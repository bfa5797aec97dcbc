"""Many visitors at one server: who looks seldom, who leaves, who sends what no page of ours would send."""

import asyncio
import json
from collections.abc import Callable, Iterator

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg

from pages.ui.pace import PACES
from tests.browser.conftest import serving
from tests.browser.watch import Server
from tests.visitor import PRESSED, Visitor, meet

TRAIN = "update=20000&cosine_until=0"  # a link that trains as soon as it is open
LIMIT = 60.0  # seconds
VALUES = ({"json_trigger_value": "{"}, {"json_value": "[1]"}, {"string_value": "x"}, {"int_value": 7}, {"bytes_value": b"\xff"})
EVENTS = ("command", "press", "go", "speed", "move", "type", "choose", "ask", "names", "nothing")
TOLD = (None, True, -1, 10**30, float("nan"), 1e308, "x", "-1", "\ud800", [], {}, {"name": "seed", "text": {}}, {"name": 1})


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("crowd"), "streamlit") as server:
        yield server


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(LIMIT):
        while not holds():
            await asyncio.sleep(0.05)


def test_looks_are_fewer_while_many_train_and_as_many_as_before_when_they_have_gone(server):
    usual, crowded = PACES[:2]

    async def visit() -> None:
        first = await Visitor(server.url, TRAIN).open()
        await until(lambda: first.fastest < crowded.least)
        others = await asyncio.gather(*(Visitor(server.url, TRAIN).open() for _ in range(usual.runs)))
        await until(lambda: first.fastest == crowded.least)
        await asyncio.gather(*(other.close() for other in others))
        await until(lambda: first.fastest < crowded.least)
        assert not first.errors
        await first.close()

    meet(visit())


def malformed(visitor: Visitor) -> Iterator[BackMsg]:
    """What no page of ours sends: to every component, of a kind that it has not, and of values that it does not know."""
    for mounted in visitor.mounted.values():
        for name in (mounted.id, PRESSED.format(mounted.id)):
            for value in VALUES:
                message = visitor.asking()
                message.rerun_script.widget_states.widgets.add(id=name, **value)
                yield message
        for event in EVENTS:
            events = json.dumps([{"event": event, "value": value} for value in TOLD])
            message = visitor.asking()
            message.rerun_script.widget_states.widgets.add(id=PRESSED.format(mounted.id), json_trigger_value=events)
            yield message


def test_what_no_page_sends_ends_no_page(server):
    """A traceback in the server's log fails the fixture, too."""

    async def send() -> None:
        visitor = await Visitor(server.url).open()
        for message in malformed(visitor):
            drawn = visitor.finished
            await visitor.send(message)
            await until(lambda drawn=drawn: visitor.finished > drawn)
        await visitor.press("transport", "press", "play")
        await until(lambda: visitor.data("run_view")["readout"]["state"] == "training")
        assert not visitor.errors
        await visitor.close()

    meet(send())


def test_no_visitor_pauses_anothers_run(server):
    async def send() -> None:
        one, other = await Visitor(server.url, TRAIN).open(), await Visitor(server.url).open()
        await until(lambda: one.data("run_view")["readout"]["state"] == "training")
        one.mounted.clear()
        await other.send(BackMsg(clear_cache=True))
        await other.ask()
        await until(lambda: "run_view" in one.mounted and "run_card" in one.mounted)
        assert one.data("run_view")["readout"]["state"] == "training"
        await asyncio.gather(one.close(), other.close())

    meet(send())
