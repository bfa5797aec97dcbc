"""The dashboard in a browser: one server and one Chromium for all tests of a worker, a new session for each test.

The first page of a test has the dashboard's scripts in the browser's cache, and no other data of an earlier test: loading the
scripts would take most of the time of most tests. Further pages of a test have their own browser context with an empty cache.

A test takes ``page`` (or ``new_page``, to choose the theme or to open several) and opens it with
:func:`tests.browser.waiting.visit`. It fails on a console error, an uncaught JavaScript error, a request to another host or a
traceback in the server's log; a failing test leaves a screenshot of every page in ``.artefacts/``.
"""

import contextlib
import json
import os
import re
from collections.abc import Callable, Iterator
from typing import Any
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, BrowserContext, Error as PlaywrightError, Page, expect, sync_playwright

from tests.browser.chromium import FLAGS, VIEWPORT, find_chromium
from tests.browser.page_errors import PageErrorCollector
from tests.browser.training_tab import RECORD_UPDATES, Ask, TrainingTab
from tests.browser.waiting import LIMIT
from tests.dashboard_server import ROOT, Server, free_port, serving

ARTEFACTS = ROOT / ".artefacts"
REQUIRED = "RNN_REQUIRE_BROWSER"  # when set, a missing Chromium is a failure instead of a skip
EMULATED = {"viewport", "color_scheme", "reduced_motion"}
COLLECTOR = pytest.StashKey[PageErrorCollector]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Fail on errors in the browser or on the server; take screenshots of a failure."""
    try:
        result = yield
        if collector := item.stash.get(COLLECTOR, None):
            for page in collector.pages():
                page.evaluate("0")  # a round trip: earlier events of the browser have arrived
            if errors := collector.errors + collector.server.tracebacks():
                pytest.fail("\n".join(errors), pytrace=False)
        return result
    except (Exception, pytest.fail.Exception):
        if collector := item.stash.get(COLLECTOR, None):
            item.add_report_section("call", "screenshots", "\n".join(_screenshots(item.name, collector)))
        raise


def _screenshots(name: str, collector: PageErrorCollector) -> Iterator[str]:
    ARTEFACTS.mkdir(exist_ok=True)
    for number, page in enumerate(collector.pages(), 1):
        path = ARTEFACTS / f"{re.sub(r'[^A-Za-z0-9_.-]+', '-', name)}-{number}.png"
        with contextlib.suppress(PlaywrightError):  # a crashed page has no screenshot
            page.screenshot(path=path)
            yield f"{path.relative_to(ROOT)}  {page.url}"


@pytest.fixture(scope="session")
def port() -> int:
    return free_port()


@pytest.fixture(scope="session")
def introspection_port() -> int:
    """The port at which ``server`` answers questions about its runs."""
    return free_port()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory, port: int, introspection_port: int) -> Iterator[Server]:
    """The dashboard, in a process that also answers questions about its runs (``tests/browser/introspection_server.py``)."""
    program = ("tests.browser.introspection_server", str(introspection_port))
    with serving(tmp_path_factory.mktemp("server"), *program, port=port) as server:
        yield server


@pytest.fixture(scope="session")
def profile(tmp_path_factory: pytest.TempPathFactory, port: int) -> Iterator[BrowserContext]:
    """The browser context of one Chromium. Without Chromium the test is skipped, or fails if ``RNN_REQUIRE_BROWSER`` is set."""
    expect.set_options(timeout=LIMIT * 1000)
    with sync_playwright() as playwright:
        executable = find_chromium(playwright)
        if executable is None:
            reason = "no Chromium here: install your system's, or run `python -m playwright install chromium`"
            pytest.fail(reason) if os.environ.get(REQUIRED) else pytest.skip(reason)
        # Playwright hides scroll bars by default.
        options = {"executable_path": executable, "args": FLAGS, "ignore_default_args": ["--hide-scrollbars"]}
        folder, url = tmp_path_factory.mktemp("profile"), f"http://127.0.0.1:{port}"
        with playwright.chromium.launch_persistent_context(folder, base_url=url, **options) as context:
            yield context


@pytest.fixture(scope="session")
def browser(profile: BrowserContext) -> Browser:
    return profile.browser


@pytest.fixture
def new_page(profile: BrowserContext, server: Server, port: int, request: pytest.FixtureRequest) -> Iterator[Callable[..., Page]]:
    """``new_page(color_scheme="dark", reduced_motion="reduce", ...)``: a page of a new visitor, 1280 x 720 by default."""
    collector = request.node.stash[COLLECTOR] = PageErrorCollector(server)
    contexts = []
    server.tracebacks()  # discard those of the test before

    def new_page(**options: object) -> Page:
        cached = not contexts and server.url.endswith(f":{port}") and options.keys() <= EMULATED
        own = {"base_url": server.url, "viewport": VIEWPORT, **options}
        contexts.append(profile if cached else profile.browser.new_context(**own))
        contexts[-1].set_default_timeout(LIMIT * 1000)
        contexts[-1].on("page", collector.follow)
        page = contexts[-1].new_page()
        if cached:
            page.set_viewport_size(options.pop("viewport", VIEWPORT))
            page.emulate_media(**options)
        return page

    yield new_page
    for context in contexts:
        context.remove_listener("page", collector.follow)
        _reset(context, server) if context is profile else context.close()


def _reset(profile: BrowserContext, server: Server) -> None:
    """Close the pages of a test and clear all of its data except the cache."""
    first, *opened = profile.pages
    for page in opened:
        page.close()
    profile.set_offline(False)
    profile.unroute_all()
    kinds = {"origin": server.url, "storageTypes": "cookies,local_storage,indexeddb,cache_storage,service_workers"}
    profile.new_cdp_session(first).send("Storage.clearDataForOrigin", kinds)


@pytest.fixture
def page(new_page: Callable[..., Page]) -> Page:
    """A page of a new visitor, in the light theme."""
    return new_page(color_scheme="light")


@pytest.fixture(scope="session")
def ask(introspection_port: int, server: Server) -> Ask:
    """``ask("runs")``: the server's JSON answer."""

    def ask(what: str) -> Any:
        with urlopen(f"http://127.0.0.1:{introspection_port}/{what}", timeout=LIMIT) as answer:
            return json.load(answer)

    ask(f"patience?seconds={LIMIT}")
    return ask


@pytest.fixture
def tab(new_page: Callable[..., Page], ask: Ask) -> TrainingTab:
    """A browser tab whose run trains."""
    page = new_page()
    page.add_init_script(RECORD_UPDATES)
    return TrainingTab(page, ask).start()
