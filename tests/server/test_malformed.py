"""Malformed messages to every component of every page: no traceback, and the page still works afterwards."""

import itertools
import json
import math
from collections.abc import Iterator, Mapping
from typing import Any

from streamlit.proto.BackMsg_pb2 import BackMsg

from core.config.link import PAGE_PATHS
from pages.app.widgets.component_factory import EVENTS
from pages.content.scenes import SCENES
from tests.browser.places import PLACES
from tests.dashboard_server import Server
from tests.javascript.data_types import components
from tests.websocket_client import PRESSED, WebSocketClient, until

SCENE, *_, LAST = SCENES.values()
ADDRESSES = [
    ("start", ""),
    (SCENE.page, f"scene={SCENE.key}"),
    (LAST.page, f"scene={LAST.key}"),
    *((page, f"section={one}" if one else "") for page, sections in PLACES.items() for one in sections),
]
TIMES = 3  # messages to all components of a page at once
OF_A_TYPE = {
    str: ("", "x", "-1", "nan", "\ud800", "<b>", "seed", "9" * 5000, "play", "none"),
    int: (-1, 0, 10**30, 7, -(10**30), 1000),
    float: (-1.0, 1e308, math.nan, 0.5, -math.inf, 0.0),
    bool: (True, False),
    list: ([], [[]], [1], [[1, "x"]], [[math.nan, -1]] * 3, [{}]),
    object: (None, {}, [], "x", -1, {"name": "seed"}),
}
OF_NO_TYPE = (None, True, -1, 10**30, math.nan, "x", [], {}, {"name": "seed", "text": {}}, {"name": 1})
OF_ANOTHER_FORM = (None, "x", 3, [], {}, {"value": "x"}, {"count": 1}, {"value": 1, "count": "1"}, {"value": 1, "count": True})


def values(kind: Any) -> Iterator[Any]:
    """An infinite sequence: values of the right type without meaning, alternating with values of a wrong type."""
    of = {name: itertools.cycle(OF_A_TYPE[one]) for name, one in (kind.items() if isinstance(kind, Mapping) else ())}
    alone = itertools.cycle(OF_A_TYPE.get(kind, OF_NO_TYPE) if not of else OF_NO_TYPE)
    for wrong in itertools.cycle(OF_NO_TYPE):
        yield {name: next(one) for name, one in of.items()} if of else next(alone)
        yield wrong


def messages(kind: Any) -> Iterator[Any]:
    """An infinite sequence: the values in the form that components send; after every fourth, a message of another form."""
    wrong = itertools.cycle(OF_ANOTHER_FORM)
    for count, value in enumerate(values(kind), 1):
        yield {"value": value, "count": count}
        if not count % 4:
            yield next(wrong)


def malformed(visitor: WebSocketClient) -> Iterator[tuple[BackMsg, int]]:
    """Messages to all components on the page at once and to ids that are no widgets; the number of malformed values in each."""
    message = visitor.rerun_message()
    for name in (*PAGE_PATHS, "session", "this_tab", "model", "", "$$ID", "\n" * 99):
        message.rerun_script.widget_states.widgets.add(id=name, string_value="x")
    yield message, 6 + len(PAGE_PATHS)
    mounted_names = {one.id: one.name for one in visitor.mounted.values()}
    sent = {name: {event: messages(kind) for event, kind in EVENTS.get(of, {}).items()} for name, of in mounted_names.items()}
    for _ in range(TIMES):
        message = visitor.rerun_message()
        widgets = message.rerun_script.widget_states.widgets
        for name, events in sent.items():
            pressed = [{"event": event, "value": next(values)} for event, values in events.items() for _ in range(2)]
            held = {event: next(values) for event, values in events.items()}
            widgets.add(id=name, json_value=json.dumps(held | {"nothing": 1}))
            widgets.add(id=PRESSED.format(name), json_trigger_value=json.dumps([*pressed, {"event": "nothing", "value": 1}]))
        yield message, sum(3 * len(events) + 2 for events in sent.values())


async def send(server: Server, page: str, query: str) -> tuple[set[str], int]:
    """Send malformed messages to one page; return the names of its components and the number of messages."""
    visitor = await WebSocketClient(server.url, query, page).open()
    if query == f"scene={LAST.key}":
        await visitor.open_page("")  # the closing slide
    met, number = {one.name for one in visitor.mounted.values()}, 0
    for message, count in malformed(visitor):
        await visitor.send_and_wait(message)
        number += count
        assert not visitor.errors, (page, query, visitor.errors)
    await visitor.press("run_card", "command", "play")
    await until(lambda: visitor.data("run_card")["state"] == "training")
    await visitor.close()
    return met, number


async def test_three_thousand_malformed_messages_end_no_page(server):
    """The server fixture also fails on a traceback in the log."""
    assert components()  # the import has declared all components
    sent, met, expected = [], set(), {name for name, events in EVENTS.items() if events}
    while not expected <= met:  # what is computed beside a page for the first visitor is there for the next one
        assert len(sent) < 5 * len(ADDRESSES), expected - met
        sent += [await send(server, page, query) for page, query in ADDRESSES]
        met = set().union(*(there for there, _ in sent))
    assert sum(number for _, number in sent) >= 3000
