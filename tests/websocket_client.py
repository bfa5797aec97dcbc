"""A client without a browser: Streamlit's own messages over a websocket. Hundreds of them fit beside a server.

It does what a browser does to a server: opens the page, tells that its tab was never here, looks again as often as the server
asks, and answers what it has heard. It draws nothing and fetches no file.
"""

import asyncio
import contextlib
import json
import math
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, TypeVar

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.util import calc_hash
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

Found = TypeVar("Found")
COOKIE = "dashboard_was_here"  # as components/tab/tab.js names it
PROTOCOLS = ("streamlit", "PLACEHOLDER")
PRESSED = "$$STREAMLIT_INTERNAL_KEY_{}__events"  # the widget by which Streamlit hears what happens in a component, by its id
TRAIN = "update=20000&cosine_until=0"  # a link that trains as soon as it is open
PATIENCE = 60.0  # seconds for an answer
RETRY = 0.2  # seconds between two attempts to come back
LOST = 5.0  # seconds after which a browser waits no longer for an answer, as components/shared/channel.js says


def run_async(journey: Coroutine[Any, Any, Found]) -> Found:
    """The result of a coroutine, run in a thread of its own: Playwright's event loop may be running in the calling one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, journey).result()


async def until(holds: Callable[[], object]) -> None:
    """Wait until ``holds`` returns something true; ``TimeoutError`` after ``PATIENCE`` seconds."""
    async with asyncio.timeout(PATIENCE):
        while not holds():
            await asyncio.sleep(0.05)


class Mounted(NamedTuple):
    """A component on the page: its id, what it was told to draw last, when that was, what it is, and in which fragment."""

    id: str
    data: bytes
    at: float
    name: str = ""
    fragment: str = ""

    @property
    def answered(self) -> int:
        """The highest count of its messages that the server has handled."""
        return int(self.data.split(b"\n", 1)[0].split()[1])


class WebSocketClient:
    """A tab at a ``page`` of ``url`` (http://...).

    ``opened``: seconds until its page stood; ``polls``: seconds that each look took.
    """

    def __init__(self, url: str, query: str = "", page: str = "training") -> None:
        self.url, self.query = url, query
        self.opened = 0.0
        self.finished = 0  # how often the page was drawn to its end
        self.polls: list[float] = []
        self.errors: list[str] = []
        self.mounted: dict[str, Mounted] = {}  # by the component's name (the last of that), and by its key
        self.told: list[str] = []  # the notices that the page showed
        self.icon = ""  # of the tab, as its page gave it
        self.cut = False  # the other side has ended the connection
        self.cookies: dict[str, str] = {}
        self.session = ""
        self._names: list[str] = []  # under which the server keeps what this tab has; the newest first
        self._page = calc_hash(page)
        self._every: dict[str, float] = {}  # seconds between two looks, of every fragment that asks for it
        self._asked: dict[str, float] = {}  # since when a look at it was asked for that is not answered yet
        self._count = 0  # of the last message from a component
        self._counts: dict[str, int] = {}  # that of each component, by its id
        self._held: dict[str, dict[str, Any]] = {}  # the state of each component, by its id: every message has all of it
        self._stood = asyncio.Event()
        self._changed = asyncio.Event()
        self._drawn = asyncio.Event()  # a component was
        self._tasks: list[asyncio.Task] = []

    async def open(self) -> "WebSocketClient":
        """Connect, and wait until the page stands."""
        began = time.perf_counter()
        self._wire: ClientConnection = await connect(
            f"ws{self.url.removeprefix('http')}/_stcore/stream",
            subprotocols=(*PROTOCOLS, self.session) if self.session else PROTOCOLS,
            additional_headers={"Cookie": "; ".join(map("=".join, self.cookies.items()))} if self.cookies else None,
            max_size=None,
            compression=None,
            open_timeout=PATIENCE,
            ping_interval=None,
        )
        for cookie in self._wire.response.headers.get_all("Set-Cookie"):
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        self._tasks = [asyncio.create_task(self._listen()), asyncio.create_task(self._look_again())]
        await self.ask()
        try:
            await asyncio.wait_for(self._stood.wait(), PATIENCE)
        except TimeoutError:
            raise TimeoutError(f"no page after {PATIENCE:g} s; {self.errors}") from None
        self.opened = time.perf_counter() - began
        return self

    async def come_back(self) -> "WebSocketClient":
        """As a tab whose connection was cut: it tries until there is somebody to answer."""
        await self.close()
        self.cut, self._stood = False, asyncio.Event()
        self._every.clear()
        self._asked.clear()
        self.mounted.clear()
        async with asyncio.timeout(PATIENCE):
            while True:
                with contextlib.suppress(OSError, InvalidHandshake):
                    return await self.open()
                await asyncio.sleep(RETRY)

    async def close(self) -> None:
        """As a tab is closed."""
        for task in self._tasks[1:]:
            task.cancel()
        await self._wire.close()  # it goes on listening: behind what nobody reads, the other side's good-bye would never come
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def vanish(self) -> None:
        """As a browser that is killed."""
        self._wire.transport.abort()

    def stop_reading(self) -> None:
        """As a computer that falls asleep: it says nothing and hears nothing, and its connection stays open."""
        for task in self._tasks[1:]:
            task.cancel()
        self._wire.transport.pause_reading()

    @property
    def connected(self) -> bool:
        return bool(self._tasks)

    @property
    def fastest(self) -> float:
        """Seconds between two looks at what is looked at most often; infinite where nothing is."""
        return min(self._every.values(), default=math.inf)

    async def ask(self, fragment: str = "") -> None:
        """Have the page drawn, or one fragment of it."""
        await self.send(self.asking(fragment))

    async def press(self, component: str, event: str, value: Any) -> None:
        """Tell what happened in a component that stands on the page."""
        name = self.mounted[component].id
        pressed = {"event": event, "value": self._counted(name, value)}
        self._held.setdefault(name, {})["count"] = self._count
        message = self.asking()
        message.rerun_script.widget_states.widgets.add(id=PRESSED.format(name), json_trigger_value=json.dumps([pressed]))
        await self.send(message)

    async def move(self, component: str, event: str, value: Any) -> None:
        """Tell what is held in a component, as a knob is while it is dragged."""
        self.hold(component, event, value)
        message = self.asking(self.mounted[component].fragment)
        message.rerun_script.is_auto_rerun = False
        await self.send(message)

    def hold(self, component: str, event: str, value: Any) -> None:
        """Have this in a component; the next message tells it."""
        name = self.mounted[component].id
        self._held.setdefault(name, {})[event] = self._counted(name, value)

    async def answered(self, component: str) -> None:
        """Wait as a browser does before it sends the next message of this component: for the answer to the last one, or 5 s."""
        name = self.mounted[component].id
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LOST):
                while self.mounted[component].answered < self._counts.get(name, 0):
                    await self._drawn.wait()

    async def turn(self, knob: str, place: int, *, done: bool = False) -> None:
        """Move a live knob to a place of its slider; ``done`` lets go of it."""
        await self.move("live_knobs", "move", {"name": knob, "value": place, "done": done})

    def stands(self, knob: str) -> int:
        """At which place the server says that this live knob is."""
        return next(one["at"] for row in self.data("live_knobs")["rows"] for one in row if one["name"] == knob)

    async def send(self, message: BackMsg) -> None:
        await self._wire.send(message.SerializeToString())

    def asking(self, fragment: str = "") -> BackMsg:
        """The message that has the page drawn, or one fragment of it."""
        message = BackMsg()
        state = message.rerun_script
        state.query_string, state.page_script_hash, state.fragment_id = self.query, self._page, fragment
        state.is_auto_rerun = bool(fragment)
        for name, held in self._held.items():
            state.widget_states.widgets.add(id=name, json_value=json.dumps(held))
        return message

    def data(self, component: str) -> Any:
        """What the server told this component to draw last."""
        return json.loads(self.mounted[component].data.split(b"\n")[1])

    def _counted(self, name: str, value: Any) -> dict[str, Any]:
        """A message from the component of this id, as components/shared/channel.js sends it."""
        self._count = self._counts[name] = max(self._count + 1, time.time_ns() // 1_000_000)
        return {"value": value, "count": self._count}

    async def _listen(self) -> None:
        with contextlib.suppress(ConnectionClosed):
            async for frame in self._wire:
                message = ForwardMsg.FromString(frame)
                hear = getattr(self, f"_hear_{message.WhichOneof('type')}", None)
                if hear:
                    await hear(message)
        self.cut = True

    async def _hear_new_session(self, message: ForwardMsg) -> None:
        self.session = message.new_session.initialize.session_id
        self._page = message.new_session.page_script_hash
        if not message.metadata.run.fragment_ids:
            self._every.clear()

    async def _hear_navigation(self, message: ForwardMsg) -> None:
        self._page = message.navigation.page_script_hash

    async def _hear_page_config_changed(self, message: ForwardMsg) -> None:
        self.icon = message.page_config_changed.favicon

    async def _hear_auto_rerun(self, message: ForwardMsg) -> None:
        self._every[message.auto_rerun.fragment_id] = message.auto_rerun.interval
        self._changed.set()

    async def _hear_stop_auto_rerun(self, message: ForwardMsg) -> None:
        for fragment in message.stop_auto_rerun.fragment_ids:
            self._every.pop(fragment, None)

    async def _hear_script_finished(self, message: ForwardMsg) -> None:
        fragments = message.metadata.run.fragment_ids
        if message.script_finished == ForwardMsg.FINISHED_EARLY_FOR_RERUN and not fragments:
            return  # of fragments it is also said where they have ended, and others begin before that is sent
        now = time.perf_counter()
        self.finished += not fragments
        for fragment in fragments or list(self._asked):
            if began := self._asked.pop(fragment, 0.0):
                self.polls.append(now - began)
        if "run_card" in self.mounted:
            self._stood.set()
        self._changed.set()

    async def _hear_delta(self, message: ForwardMsg) -> None:
        element = message.delta.new_element
        kind = element.WhichOneof("type")
        if kind == "exception":
            self.errors.append(f"{element.exception.type}: {element.exception.message}")
        elif kind == "bidi_component":
            drawn = element.bidi_component
            name = drawn.component_name.rpartition(".")[2]
            told, part = drawn.bytes, message.delta.fragment_id
            mounted = Mounted(drawn.id, told, time.perf_counter(), name, part)
            self.mounted[name] = self.mounted[drawn.id.split("-", 2)[-1]] = mounted
            self._drawn.set()  # wakes those who wait now
            self._drawn.clear()
            if name == "tab":
                await self._remember(**self.data("tab"))
        elif kind == "html" and element.html.body.startswith('<div class="page-notice"'):
            self.told.append(element.html.body)

    async def _remember(self, name: str, waits: bool) -> None:
        """As components/tab/tab.js does it."""
        known, before = self._names[:1], [one for one in self._names if one != name]
        self._names = [name, *before][:4]
        self.cookies[COOKIE] = "1"
        if waits or (before and known != [name]):
            await self.press("tab", "names", " ".join(before))

    async def _look_again(self) -> None:
        """Ask for every fragment that wants to be seen again, as often as it wants, answered or not."""
        due: dict[str, float] = {}
        while True:
            now = time.perf_counter()
            due = {one: due.get(one, now + every) for one, every in self._every.items()}
            for one in [one for one, when in due.items() if when <= now]:
                self._asked.setdefault(one, now)
                due[one] = now + self._every[one]
                await self.ask(one)
            waits = min(due.values(), default=now + 1.0) - now
            self._changed.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(max(waits, 0.001)):  # wait_for of Python 3.11 can lose what cancels it
                    await self._changed.wait()
