"""The dashboard in a real browser: one server and one Chromium for all tests, a fresh session for each.

A test takes ``page`` (or ``new_page``, to choose the theme or to have two visitors) and opens it with
:func:`tests.browser.waiting.visit`. It fails on a console error, an uncaught JavaScript error, a request that leaves this
machine, or a traceback in the server's log; a failing test leaves a picture of every page in ``.artefacts/``.
"""

import contextlib
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Playwright, Request, expect, sync_playwright
from playwright.sync_api import Error as PlaywrightError

from tests.browser.waiting import LIMIT

ROOT = Path(__file__).parents[2]
ARTEFACTS = ROOT / ".artefacts"
REQUIRED = "RNN_REQUIRE_BROWSER"  # when set, a missing Chromium is a failure instead of a skip
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = (
    "--no-sandbox",  # containers have no user namespaces
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
HARMLESS = (  # console errors that are not ours: what they say, where, and why they come
    # on a deep link Streamlit's own script first asks below the page's path where the server is
    ("404 (Not Found)", re.compile(r"/[^/]+/_stcore/(health|host-config)$")),
    # while a test has cut the connection, Streamlit's own timers go on asking
    ("Cannot send rerun backMessage when disconnected from server", re.compile(r"/static/js/index\.[^/]*\.js$")),
)


@dataclass
class Server:
    """The running dashboard; ``tracebacks`` gives those logged since it was last asked."""

    url: str
    process: subprocess.Popen
    log: Path
    read_to: int = 0

    def tracebacks(self) -> list[str]:
        log = self.log.read_text(errors="replace")
        new, self.read_to = log[self.read_to :], len(log)
        return [f"the server's log has a traceback:\n{new}"] if "Traceback (most recent call last)" in new else []


@dataclass
class Watch:
    """What one test opened, and what went wrong in it without the test noticing."""

    server: Server
    contexts: list[BrowserContext] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def pages(self) -> list[Page]:
        return [page for context in self.contexts for page in context.pages]

    def follow(self, page: Page) -> None:
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.complaints.append(f"uncaught in the page: {error}"))
        page.on("request", self._request)

    def _console(self, message: ConsoleMessage) -> None:
        where = message.location.get("url", "")
        harmless = any(words in message.text and place.search(where) for words, place in HARMLESS)
        if message.type == "error" and not harmless:
            self.complaints.append(f"console: {message.text}  {where}")

    def _request(self, request: Request) -> None:
        parts = urlsplit(request.url)
        if parts.scheme in ("http", "https", "ws", "wss") and parts.netloc != urlsplit(self.server.url).netloc:
            self.complaints.append(f"a request to another host: {request.url}")


WATCH = pytest.StashKey[Watch]()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browser tests last: the quick ones speak first, and Playwright's event loop starts when nothing else needs one."""
    items.sort(key=lambda item: Path(__file__).parent in item.path.parents)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Fail on what the browser or the server complained about, and keep pictures of a failure."""
    try:
        result = yield
        if watch := item.stash.get(WATCH, None):
            for page in watch.pages():
                page.evaluate("0")  # a round trip: what the browser reported before it has arrived
            if complaints := watch.complaints + watch.server.tracebacks():
                pytest.fail("\n".join(complaints), pytrace=False)
        return result
    except (Exception, pytest.fail.Exception):
        if watch := item.stash.get(WATCH, None):
            item.add_report_section("call", "pictures", "\n".join(_pictures(item.name, watch)))
        raise


def _pictures(name: str, watch: Watch) -> Iterator[str]:
    ARTEFACTS.mkdir(exist_ok=True)
    for number, page in enumerate(watch.pages(), 1):
        path = ARTEFACTS / f"{re.sub(r'[^A-Za-z0-9_.-]+', '-', name)}-{number}.png"
        with contextlib.suppress(PlaywrightError):  # a page that has crashed has no picture, and its failure is told anyway
            page.screenshot(path=path)
            yield f"{path.relative_to(ROOT)}  {page.url}"


@contextlib.contextmanager
def serving(folder: Path, *program: str) -> Iterator[Server]:
    """``streamlit run dashboard.py`` on a free port, by this interpreter; ``program`` is what it runs as ``streamlit``."""
    port, log = free_port(), folder / "server.log"
    options = ("--server.headless=true", "--server.address=127.0.0.1", "--server.fileWatcherType=none", f"--server.port={port}")
    with log.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", *program, "run", "dashboard.py", *options],
            cwd=ROOT,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
        )
    server = Server(f"http://127.0.0.1:{port}", process, log)
    try:
        _await_health(server)
        yield server
        assert process.poll() is None, f"the server ended during the tests:\n{log.read_text(errors='replace')}"
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    assert not (late := server.tracebacks()), late[0]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The dashboard as everybody starts it."""
    with serving(tmp_path_factory.mktemp("server"), "streamlit") as server:
        yield server


def _await_health(server: Server) -> None:
    give_up = time.monotonic() + LIMIT
    while True:
        try:
            with urlopen(f"{server.url}/_stcore/health", timeout=LIMIT):
                return
        except (URLError, ConnectionError):
            log = server.log.read_text(errors="replace")
            assert server.process.poll() is None, f"the server did not start:\n{log}"
            assert time.monotonic() < give_up, f"the server did not answer within {LIMIT:g} s:\n{log}"
            time.sleep(0.05)


def _chromium(playwright: Playwright) -> str | None:
    """The system's Chromium or Chrome, or else the one that Playwright has installed."""
    found = next(filter(None, map(shutil.which, NAMES)), None) or playwright.chromium.executable_path
    return found if Path(found).exists() else None


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium. Without one the test is skipped, or fails where ``RNN_REQUIRE_BROWSER`` is set."""
    expect.set_options(timeout=LIMIT * 1000)
    with sync_playwright() as playwright:
        executable = _chromium(playwright)
        if executable is None:
            reason = "no Chromium here: install your system's, or run `python -m playwright install chromium`"
            pytest.fail(reason) if os.environ.get(REQUIRED) else pytest.skip(reason)
        # With scroll bars, as every reader's browser has them.
        browser = playwright.chromium.launch(executable_path=executable, args=FLAGS, ignore_default_args=["--hide-scrollbars"])
        yield browser
        browser.close()


@pytest.fixture
def new_page(browser: Browser, server: Server, request: pytest.FixtureRequest) -> Iterator[Callable[..., Page]]:
    """``new_page(color_scheme="dark", reduced_motion="reduce", ...)``: another visitor, 1280 x 720 unless told."""
    watch = request.node.stash[WATCH] = Watch(server)
    server.tracebacks()  # those of the test before are told already

    def new_page(**options: object) -> Page:
        context = browser.new_context(**{"base_url": server.url, "viewport": {"width": 1280, "height": 720}, **options})
        context.set_default_timeout(LIMIT * 1000)
        context.on("page", watch.follow)
        watch.contexts.append(context)
        return context.new_page()

    yield new_page
    for context in watch.contexts:
        context.close()


@pytest.fixture
def page(new_page: Callable[..., Page]) -> Page:
    """A visitor with a light theme who has never been here."""
    return new_page(color_scheme="light")
