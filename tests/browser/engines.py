"""Firefox and WebKit, the engine of Safari, as their distributors built them, which Playwright cannot drive.

Firefox is driven by WebDriver BiDi, WebKit by the requests of WebDriver. Both are packages of Debian: ``firefox-esr``, and
``webkit2gtk-driver`` with ``xvfb``.
"""

import contextlib
import itertools
import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol
from urllib.request import Request, urlopen

from websockets.sync.client import ClientConnection, connect

from tests.dashboard_server import free_port

LIMIT = 60.0  # seconds
ATTEMPTS = 3  # how often a driver is started that does not answer
WEBKIT_BROWSERS = (
    "/usr/lib/*/webkit2gtk-4.1/MiniBrowser",
    "/usr/lib*/webkit2gtk-4.1/MiniBrowser",
    "/usr/libexec/webkit2gtk-4.1/MiniBrowser",
)
Actions = list[dict[str, Any]]  # input sources of WebDriver's "perform actions"


class Engine(Protocol):
    def open(self, url: str) -> None: ...
    def resize(self, width: int, height: int) -> None: ...
    def perform(self, actions: Actions) -> None: ...
    def run(self, function: str, *arguments: object) -> Any:
        """Call a JavaScript function in the page; arguments and result are JSON."""


class Firefox:
    """A session of WebDriver BiDi: commands and their answers over one WebSocket."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket, self.numbers = socket, itertools.count()
        self.send("session.new", capabilities={})
        self.context = self.send("browsingContext.getTree")["contexts"][0]["context"]

    def send(self, method: str, **params: object) -> dict[str, Any]:
        number = next(self.numbers)
        self.socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while (answer := json.loads(self.socket.recv(LIMIT))).get("id") != number:
            pass  # an event
        assert answer["type"] == "success", answer
        return answer["result"]

    def open(self, url: str) -> None:
        self.send("browsingContext.navigate", context=self.context, url=url, wait="complete")

    def resize(self, width: int, height: int) -> None:
        self.send("browsingContext.setViewport", context=self.context, viewport={"width": width, "height": height})

    def perform(self, actions: Actions) -> None:
        self.send("input.performActions", context=self.context, actions=actions)

    def run(self, function: str, *arguments: object) -> Any:
        expression = f"JSON.stringify(({function})(...{json.dumps(arguments)})) ?? 'null'"
        target = {"context": self.context}
        answer = self.send("script.evaluate", expression=expression, target=target, awaitPromise=False)
        assert answer["type"] == "success", answer
        return json.loads(answer["result"]["value"])


class WebKit:
    """A session of WebDriver."""

    def __init__(self, url: str, browser: str) -> None:
        self.url = url
        options = {"webkitgtk:browserOptions": {"binary": browser, "args": ["--automation"]}}
        self.url += f"/session/{self.send('/session', capabilities={'alwaysMatch': options})['sessionId']}"

    def send(self, path: str, method: str = "POST", **body: object) -> Any:
        headers = {"Content-Type": "application/json"}
        request = Request(self.url + path, json.dumps(body).encode() if method == "POST" else None, headers, method=method)
        with urlopen(request, timeout=LIMIT) as answer:
            return json.load(answer)["value"]

    def open(self, url: str) -> None:
        self.send("/url", url=url)

    def resize(self, width: int, height: int) -> None:
        """Resize the window until the viewport, without the window's bar, has this size."""
        for _ in range(3):
            rect, (wide, high) = self.send("/window/rect", "GET"), self.run("() => [innerWidth, innerHeight]")
            self.send("/window/rect", width=rect["width"] + width - wide, height=rect["height"] + height - high)
        wait(lambda: self.run("() => [innerWidth, innerHeight]") == [width, height])

    def perform(self, actions: Actions) -> None:
        self.send("/actions", actions=actions)

    def run(self, function: str, *arguments: object) -> Any:
        return json.loads(
            self.send("/execute/sync", script=f"return JSON.stringify(({function})(...arguments)) ?? 'null'", args=arguments)
        )


def wait(accept: Callable[[], object]) -> None:
    give_up = time.monotonic() + LIMIT
    while not accept():
        assert time.monotonic() < give_up, "the browser did not reach this state"
        time.sleep(0.05)


@contextlib.contextmanager
def firefox(folder: Path) -> Iterator[Engine | None]:
    """Firefox without a window; None where it is missing."""
    program, port = shutil.which("firefox-esr") or shutil.which("firefox"), free_port()
    if program is None:
        yield None
        return
    command = [program, "--headless", "--no-remote", "--profile", folder, f"--remote-debugging-port={port}"]
    with running(command, {"HOME": str(folder)}), dialled(f"ws://127.0.0.1:{port}/session") as socket:
        yield Firefox(socket)


@contextlib.contextmanager
def webkit(folder: Path) -> Iterator[Engine | None]:
    """WebKitGTK's small browser on a display of its own; None where it is missing."""
    driver, display = shutil.which("WebKitWebDriver"), shutil.which("Xvfb")
    browsers = [str(path) for pattern in WEBKIT_BROWSERS for path in Path("/").glob(pattern[1:])]
    if not (driver and display and browsers):
        yield None
        return
    read, write = os.pipe()
    screen = [display, "-displayfd", str(write), "-screen", "0", "2200x1500x24", "-nolisten", "tcp"]
    with running(screen, {}, pass_fds=(write,)), contextlib.ExitStack() as stack:
        os.close(write)  # so that reading ends if the display does not start
        with open(read) as answer:
            number = answer.readline().strip()  # written in two pieces: the display ends if nobody reads the second
        settings = {"DISPLAY": f":{number}", "HOME": str(folder), "LIBGL_ALWAYS_SOFTWARE": "1"}
        for attempt in range(1, ATTEMPTS + 1):
            try:
                engine = stack.enter_context(driven(driver, browsers[0], settings))
                break
            except (OSError, AssertionError):
                if attempt == ATTEMPTS:
                    raise
        yield engine


@contextlib.contextmanager
def driven(driver: str, browser: str, settings: dict[str, str]) -> Iterator[WebKit]:
    """A browser and its driver, which on a busy machine sometimes never answers."""
    port = free_port()
    with running([driver, f"--port={port}"], settings):
        wait(lambda: answers(f"http://127.0.0.1:{port}/status"))
        engine = WebKit(f"http://127.0.0.1:{port}", browser)
        try:
            yield engine
        finally:
            engine.send("", "DELETE")


def answers(url: str) -> bool:
    try:
        with urlopen(url, timeout=1):
            return True
    except OSError:
        return False


@contextlib.contextmanager
def dialled(url: str) -> Iterator[ClientConnection]:
    """A WebSocket to a browser that is starting."""
    give_up = time.monotonic() + LIMIT
    while True:
        try:
            socket = connect(url, max_size=None, origin=None)
            break
        except OSError:
            assert time.monotonic() < give_up, "the browser did not start"
            time.sleep(0.05)
    with socket:
        yield socket


@contextlib.contextmanager
def running(command: list, settings: dict[str, str], **options: Any) -> Iterator[None]:
    quiet = {name: subprocess.DEVNULL for name in ("stdin", "stdout", "stderr")}
    environment = {**os.environ, **settings}
    process = subprocess.Popen([*map(str, command)], env=environment, start_new_session=True, **quiet, **options)
    try:
        yield
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)  # with the browser that a driver has started
        process.wait(LIMIT)


def key(value: str) -> Actions:
    presses = [{"type": "keyDown", "value": value}, {"type": "keyUp", "value": value}]
    return [{"type": "key", "id": "keys", "actions": presses}]


def drag(*places: tuple[float, float]) -> Actions:
    """Press the mouse at the first of these points of the viewport, and release it at the last one."""
    moves = [{"type": "pointerMove", "x": round(x), "y": round(y), "duration": 50} for x, y in places]
    actions = [moves[0], {"type": "pointerDown", "button": 0}, *moves[1:], {"type": "pointerUp", "button": 0}]
    return [{"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": actions}]
