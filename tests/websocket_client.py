"""A client without a browser: Streamlit's own messages over a websocket. Hundreds of them fit beside a server.

It does what a browser does to a server: opens the page, sends the names in its tab's storage, and reruns fragments as often
as the server asks. It draws nothing and requests no files.
"""

import asyncio
import contextlib
import json
import math
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, TypeVar

import requests
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.util import calc_hash
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

Found = TypeVar("Found")
COOKIE = "dashboard_was_here"  # as components/tab/tab.js names it
PROTOCOLS = ("streamlit", "PLACEHOLDER")
PRESSED = "$$STREAMLIT_INTERNAL_KEY_{}__events"  # the widget id of a component's events, with the component's id
TRAIN = "update=20000&cosine_until=0"  # URL parameters of a run that trains as soon as the page is open
PATIENCE = 60.0  # seconds for an answer
RETRY = 0.2  # seconds between two attempts to reconnect
ANSWER_TIMEOUT = 5.0  # seconds after which a browser stops waiting for an answer, as in components/shared/channel.js


def run_async(coroutine: Coroutine[Any, Any, Found]) -> Found:
    """Run a coroutine in a separate thread and return its result: the calling thread may be running Playwright's event loop."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()


async def until(condition: Callable[[], object], seconds: float = PATIENCE) -> None:
    """Wait until ``condition`` returns something true; raise ``TimeoutError`` after ``seconds``."""
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.05)


class Mounted(NamedTuple):
    """A component on the page: its id, its newest data, when the data arrived, its name, and its fragment."""

    id: str
    data: bytes
    received_at: float
    name: str = ""
    fragment: str = ""

    @property
    def answered(self) -> int:
        """The highest count of this component's messages that the server has handled."""
        return int(self.data.split(b"\n", 1)[0].split()[1])


class WebSocketClient:
    """A browser tab at a ``page`` of ``url`` (http://...).

    ``opened``: seconds until its page was ready; ``polls``: seconds that each rerun of a fragment took.
    """

    def __init__(self, url: str, query: str = "", page: str = "training") -> None:
        self.url, self.query = url, query
        self.opened = 0.0
        self.finished = 0  # how often the page was drawn completely
        self.polls: list[float] = []
        self.errors: list[str] = []
        self.mounted: dict[str, Mounted] = {}  # by the component's name (the last one drawn) and by its key
        self.notices: list[str] = []  # the notices that the page showed
        self.disconnected = False  # the server closed the connection
        self.cookies: dict[str, str] = {}
        self.session = ""
        self._names: list[str] = []  # of this tab's sessions, as in its storage; the newest first
        self._page = calc_hash(page)
        self._intervals: dict[str, float] = {}  # seconds between two reruns, by fragment
        self._requested: dict[str, float] = {}  # when an unanswered rerun was requested, by fragment
        self._count = 0  # count of the last message from any component
        self._counts: dict[str, int] = {}  # count of the last message of each component, by its id
        self._states: dict[str, dict[str, Any]] = {}  # states of components, by id: every message contains all of them
        self._ready = asyncio.Event()
        self._changed = asyncio.Event()
        self._drawn = asyncio.Event()  # a component was drawn
        self._tasks: list[asyncio.Task] = []

    async def open(self) -> "WebSocketClient":
        """Connect, and wait until the page is ready."""
        began = time.perf_counter()
        stream, limits = f"ws{self.url.removeprefix('http')}/_stcore/stream", {"max_size": None, "open_timeout": PATIENCE}
        options = {"subprotocols": (*PROTOCOLS, self.session) if self.session else PROTOCOLS}
        if self.cookies:
            options["additional_headers"] = {"Cookie": "; ".join(map("=".join, self.cookies.items()))}
        self._socket: ClientConnection = await connect(stream, compression=None, ping_interval=None, **options, **limits)
        for cookie in self._socket.response.headers.get_all("Set-Cookie"):
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        self._tasks = [asyncio.create_task(self._listen()), asyncio.create_task(self._poll())]
        await self.rerun()
        try:
            await asyncio.wait_for(self._ready.wait(), PATIENCE)
        except TimeoutError:
            raise TimeoutError(f"no page after {PATIENCE:g} s; {self.errors}") from None
        self.opened = time.perf_counter() - began
        return self

    async def load_page(self) -> "WebSocketClient":
        """Load the page before connecting, with whose cookies it is connected: behind the proxy, that of a process."""
        page = await asyncio.to_thread(requests.get, f"{self.url}/", timeout=PATIENCE)
        self.cookies |= page.cookies.get_dict()
        return self

    async def reconnect(self) -> "WebSocketClient":
        """Reconnect like a disconnected tab: retry until a server answers."""
        await self.close()
        self.disconnected, self._ready = False, asyncio.Event()
        self._intervals.clear()
        self._requested.clear()
        self.mounted.clear()
        async with asyncio.timeout(PATIENCE):
            while True:
                with contextlib.suppress(OSError, InvalidHandshake):
                    return await self.open()
                await asyncio.sleep(RETRY)

    async def close(self) -> None:
        """Close the connection as a closed tab does."""
        for task in self._tasks[1:]:
            task.cancel()
        await self._socket.close()  # the listener still reads: the close frame arrives behind unread messages
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def abort(self) -> None:
        """Drop the connection as a killed browser does."""
        self._socket.transport.abort()

    def stop_reading(self) -> None:
        """Stop reading and sending as a suspended computer does; the connection stays open."""
        for task in self._tasks[1:]:
            task.cancel()
        self._socket.transport.pause_reading()

    @property
    def shortest_interval(self) -> float:
        """Seconds between two reruns of the fragment that is rerun most often; infinite without such fragments."""
        return min(self._intervals.values(), default=math.inf)

    async def rerun(self, fragment: str = "") -> None:
        """Request a rerun of the page, or of one fragment of it."""
        await self.send(self.rerun_message(fragment))

    async def open_page(self, page: str) -> None:
        """Open another page, as by its link in the sidebar."""
        self._page, self.query = calc_hash(page), ""
        await self.send_and_wait()

    async def press(self, component: str, event: str, value: Any) -> None:
        """Send an event of a component on the page."""
        name = self.mounted[component].id
        pressed = {"event": event, "value": self._counted(name, value)}
        self._states.setdefault(name, {})["count"] = self._count
        message = self.rerun_message()
        message.rerun_script.widget_states.widgets.add(id=PRESSED.format(name), json_trigger_value=json.dumps([pressed]))
        await self.send(message)

    def hold(self, component: str, event: str, value: Any) -> None:
        """Set a state of a component; the next message contains it."""
        name = self.mounted[component].id
        self._states.setdefault(name, {})[event] = self._counted(name, value)

    async def answered(self, component: str) -> None:
        """Wait as a browser does before this component's next message: until the last one is acknowledged, or 5 s."""
        name = self.mounted[component].id
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(ANSWER_TIMEOUT):
                while self.mounted[component].answered < self._counts.get(name, 0):
                    await self._drawn.wait()

    async def move_knob(self, knob: str, place: int, *, done: bool = False) -> None:
        """Move the slider of a live knob to a position; ``done`` releases it."""
        self.hold("live_knobs", "move", {"name": knob, "value": place, "done": done})
        message = self.rerun_message(self.mounted["live_knobs"].fragment)
        message.rerun_script.is_auto_rerun = False
        await self.send(message)

    def position(self, knob: str) -> int:
        """The position of a live knob's slider in the newest data."""
        return next(one["at"] for row in self.data("live_knobs")["rows"] for one in row if one["name"] == knob)

    async def send(self, message: BackMsg) -> None:
        await self._socket.send(message.SerializeToString())

    async def send_and_wait(self, message: BackMsg | None = None) -> None:
        """Send a message, by default a rerun of the page, and wait until the page is drawn completely."""
        drawn = self.finished
        await self.send(message or self.rerun_message())
        await until(lambda: self.finished > drawn)

    def rerun_message(self, fragment: str = "") -> BackMsg:
        """The message that reruns the page, or one of its fragments."""
        message = BackMsg()
        state = message.rerun_script
        state.query_string, state.page_script_hash, state.fragment_id = self.query, self._page, fragment
        state.is_auto_rerun = bool(fragment)
        state.context_info.url = self.url
        for name, held in self._states.items():
            state.widget_states.widgets.add(id=name, json_value=json.dumps(held))
        return message

    def data(self, component: str) -> Any:
        """The newest data of this component."""
        return json.loads(self.mounted[component].data.split(b"\n")[1])

    def _counted(self, name: str, value: Any) -> dict[str, Any]:
        """A message from the component of this id, as components/shared/channel.js sends it."""
        self._count = self._counts[name] = max(self._count + 1, time.time_ns() // 1_000_000)
        return {"value": value, "count": self._count}

    async def _listen(self) -> None:
        with contextlib.suppress(ConnectionClosed):
            async for frame in self._socket:
                message = ForwardMsg.FromString(frame)
                if handler := getattr(self, f"_on_{message.WhichOneof('type')}", None):
                    await handler(message)
        self.disconnected = True

    async def _on_new_session(self, message: ForwardMsg) -> None:
        self.session = message.new_session.initialize.session_id
        self._page = message.new_session.page_script_hash
        if not message.metadata.run.fragment_ids:
            self._intervals.clear()

    async def _on_navigation(self, message: ForwardMsg) -> None:
        self._page = message.navigation.page_script_hash

    async def _on_auto_rerun(self, message: ForwardMsg) -> None:
        self._intervals[message.auto_rerun.fragment_id] = message.auto_rerun.interval
        self._changed.set()

    async def _on_stop_auto_rerun(self, message: ForwardMsg) -> None:
        for fragment in message.stop_auto_rerun.fragment_ids:
            self._intervals.pop(fragment, None)

    async def _on_script_finished(self, message: ForwardMsg) -> None:
        fragments = message.metadata.run.fragment_ids
        if message.script_finished == ForwardMsg.FINISHED_EARLY_FOR_RERUN and not fragments:
            return  # fragments send it at their end, too, when others have begun
        now = time.perf_counter()
        self.finished += not fragments
        for fragment in fragments or list(self._requested):
            if began := self._requested.pop(fragment, 0.0):
                self.polls.append(now - began)
        if "run_card" in self.mounted:
            self._ready.set()
        self._changed.set()

    async def _on_delta(self, message: ForwardMsg) -> None:
        element = message.delta.new_element
        kind = element.WhichOneof("type")
        if kind == "exception":
            self.errors.append(f"{element.exception.type}: {element.exception.message}")
        elif kind == "bidi_component":
            drawn = element.bidi_component
            name = drawn.component_name.rpartition(".")[2]
            mounted = Mounted(drawn.id, drawn.bytes, time.perf_counter(), name, message.delta.fragment_id)
            self.mounted[name] = self.mounted[drawn.id.split("-", 2)[-1]] = mounted
            self._drawn.set()  # wakes the tasks that are waiting now
            self._drawn.clear()
            if name == "tab":
                await self._remember(**self.data("tab"))
        elif kind == "html" and element.html.body.startswith('<div class="page-notice"'):
            self.notices.append(element.html.body)

    async def _remember(self, name: str, waits: bool) -> None:
        """Store the session's name in the tab as components/tab/tab.js does."""
        known, before = self._names[:1], [one for one in self._names if one != name]
        self._names = [name, *before][:4]
        self.cookies[COOKIE] = "1"
        if waits or (before and known != [name]):
            await self.press("tab", "names", " ".join(before))

    async def _poll(self) -> None:
        """Request every fragment that has an interval at that interval, whether or not the last request was answered."""
        due: dict[str, float] = {}
        while True:
            now = time.perf_counter()
            due = {one: due.get(one, now + every) for one, every in self._intervals.items()}
            for one in [one for one, when in due.items() if when <= now]:
                self._requested.setdefault(one, now)
                due[one] = now + self._intervals[one]
                await self.rerun(one)
            waits = min(due.values(), default=now + 1.0) - now
            self._changed.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(max(waits, 0.001)):  # wait_for of Python 3.11 can lose a cancellation
                    await self._changed.wait()
