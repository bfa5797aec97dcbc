"""The dashboard in a real browser: one server and one Chromium for all tests, a fresh session for each.

The first visitor of a test has a browser that has been to the dashboard before: it knows the scripts, and nothing else. Reading
them anew would be most of the time of most tests. A second visitor's browser knows nothing.

A test takes ``page`` (or ``new_page``, to choose the theme or to have two visitors) and opens it with
:func:`tests.browser.waiting.visit`. It fails on a console error, an uncaught JavaScript error, a request that leaves this
machine, or a traceback in the server's log; a failing test leaves a picture of every page in ``.artefacts/``.
"""

import contextlib
import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect, sync_playwright
from playwright.sync_api import Error as PlaywrightError

from tests.browser.page_errors import Watch
from tests.browser.waiting import LIMIT
from tests.dashboard_server import ROOT, Server, free_port, serving

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
VIEWPORT, EMULATED = {"width": 1280, "height": 720}, {"viewport", "color_scheme", "reduced_motion"}
WATCH = pytest.StashKey[Watch]()


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


@pytest.fixture(scope="session")
def port() -> int:
    """Where the dashboard is served to all tests."""
    return free_port()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory, port: int) -> Iterator[Server]:
    """The dashboard as everybody starts it."""
    with serving(tmp_path_factory.mktemp("server"), "streamlit", port=port) as server:
        yield server


@pytest.fixture(scope="module")
def window() -> int:
    """Where a server that is ``looked_into`` tells of its runs."""
    return free_port()


@pytest.fixture(scope="module")
def looked_into(tmp_path_factory: pytest.TempPathFactory, window: int) -> Iterator[Server]:
    """The dashboard with a window into its runs (``tests/browser/introspection_server.py``): a module's own server."""
    with serving(tmp_path_factory.mktemp("inside"), "tests.browser.introspection_server", str(window)) as server:
        yield server


def _chromium(playwright: Playwright) -> str | None:
    """The system's Chromium or Chrome, or else the one that Playwright has installed."""
    found = next(filter(None, map(shutil.which, NAMES)), None) or playwright.chromium.executable_path
    return found if Path(found).exists() else None


@pytest.fixture(scope="session")
def profile(tmp_path_factory: pytest.TempPathFactory, port: int) -> Iterator[BrowserContext]:
    """One Chromium. Without one the test is skipped, or fails where ``RNN_REQUIRE_BROWSER`` is set."""
    expect.set_options(timeout=LIMIT * 1000)
    with sync_playwright() as playwright:
        executable = _chromium(playwright)
        if executable is None:
            reason = "no Chromium here: install your system's, or run `python -m playwright install chromium`"
            pytest.fail(reason) if os.environ.get(REQUIRED) else pytest.skip(reason)
        # With scroll bars, as every reader's browser has them.
        with playwright.chromium.launch_persistent_context(
            tmp_path_factory.mktemp("profile"),
            executable_path=executable,
            args=FLAGS,
            ignore_default_args=["--hide-scrollbars"],
            base_url=f"http://127.0.0.1:{port}",
        ) as context:
            yield context


@pytest.fixture(scope="session")
def browser(profile: BrowserContext) -> Browser:
    """The same Chromium, for visitors who have never been here."""
    return profile.browser


@pytest.fixture
def new_page(profile: BrowserContext, server: Server, port: int, request: pytest.FixtureRequest) -> Iterator[Callable[..., Page]]:
    """``new_page(color_scheme="dark", reduced_motion="reduce", ...)``: another visitor, 1280 x 720 unless told."""
    watch = request.node.stash[WATCH] = Watch(server)
    contexts = []
    server.tracebacks()  # those of the test before are told already

    def new_page(**options: object) -> Page:
        known = not contexts and server.url.endswith(f":{port}") and options.keys() <= EMULATED
        stranger = {"base_url": server.url, "viewport": VIEWPORT, **options}
        contexts.append(profile if known else profile.browser.new_context(**stranger))
        contexts[-1].set_default_timeout(LIMIT * 1000)
        contexts[-1].on("page", watch.follow)
        page = contexts[-1].new_page()
        if known:
            page.set_viewport_size(options.pop("viewport", VIEWPORT))
            page.emulate_media(**options)
        return page

    yield new_page
    for context in contexts:
        context.remove_listener("page", watch.follow)
        _forget(context, server) if context is profile else context.close()


def _forget(profile: BrowserContext, server: Server) -> None:
    """Close all that this visitor opened; of the visit, only the scripts stay known."""
    first, *opened = profile.pages
    for page in opened:
        page.close()
    profile.set_offline(False)
    profile.unroute_all()
    kinds = {"origin": server.url, "storageTypes": "cookies,local_storage,indexeddb,cache_storage,service_workers"}
    profile.new_cdp_session(first).send("Storage.clearDataForOrigin", kinds)


@pytest.fixture
def page(new_page: Callable[..., Page]) -> Page:
    """A visitor with a light theme who has never been here."""
    return new_page(color_scheme="light")
