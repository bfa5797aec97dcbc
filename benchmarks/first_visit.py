"""A first visit to Training: the seconds to its heading, its chart, the answer to a click and the next page; what is fetched.

Visits to two working copies alternate, so that a busy machine favours neither. Playwright is not used, as its debugger slows the
page: it requests the stack of every exception from V8, which then reads a script of 5 MB again, so that plotly.js takes twice as
long to load.
"""

import json
import re
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.request import urlopen

from websockets.sync.client import ClientConnection, connect

from benchmarks.browser import LIMIT, PAUSE, PLAY, print_row, serve, wait_until
from tests.browser.chromium import FLAGS, VIEWPORT

TIMES = 10
SLOW = {"offline": False, "latency": 40, "downloadThroughput": 10e6 / 8, "uploadThroughput": 10e6 / 8}  # ms, bytes a second
HEADING, PICTURE = "h1", ".run_view .live_figure .plot[data-drawn]"
MARKS = {"heading, s": "1.5", "picture, s": "2", "a press is answered, s": "", "requests": "", "kB": "", "next page, s": "0.5"}
# `seconds(selector)`: seconds from the request of the page, or from the last press, until such an element is on the page.
SECONDS = """
const inside = (root) => [
    root, ...[...root.querySelectorAll("*")].flatMap((one) => one.shadowRoot ? inside(one.shadowRoot) : []),
];
const find = (selector) => inside(document).map((root) => root.querySelector(selector)).find(Boolean);
let since = 0;
const seconds = async (selector) => {
    while (!find(selector)) await new Promise((resolve) => setTimeout(resolve, 50));  // not each frame: that would slow the page
    return (performance.now() - since) / 1000;
};
const press = (selector) => {
    since = performance.now();
    find(selector).click();
};
"""


class Visit(NamedTuple):
    """Seconds since the request of the page; what was fetched until ``answered``; and seconds from a click to the next page."""

    heading: float
    picture: float
    answered: float
    requests: int
    kilobytes: float
    next_page: float


def first_visits(chromium: str, roots: Sequence[Path]) -> None:
    """Print the first visits to the dashboards in these folders, with the network as it is and slowed."""
    for slowed in (False, True):
        visits: dict[Path, list[Visit]] = {root: [] for root in roots}
        for turn in range(TIMES):
            for root in roots if turn % 2 else reversed(roots):
                with serve(root=root) as (url, _), _browser(chromium) as browser:
                    visits[root].append(_visit(browser, url, slowed))
        print("first visit, at 10 Mbit/s and 40 ms" if slowed else "first visit")
        for number, (what, mark) in enumerate(MARKS.items()):
            for root in roots:
                where = f" ({root.name})" if len(roots) > 1 else ""
                print_row(f"    {what}{where}", [visit[number] for visit in visits[root]], mark)


class _DevTools:
    """A client of the Chrome DevTools Protocol for one page; only the domains that are used are enabled.

    Source: https://chromedevtools.github.io/devtools-protocol/
    """

    def __init__(self, socket: ClientConnection):
        self.socket, self.number = socket, 0
        self.fetched: list[int] = []  # bytes of each response, in the order of arrival

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while (message := json.loads(self.socket.recv(LIMIT))).get("id") != self.number:
            if message["method"] == "Network.loadingFinished":
                self.fetched.append(message["params"]["encodedDataLength"])
        return message["result"]

    def evaluate(self, expression: str) -> Any:
        """The value of a JavaScript expression or of its promise."""
        answer = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        return answer["result"].get("value")


@contextmanager
def _browser(chromium: str) -> Iterator[_DevTools]:
    """Start Chromium with an empty profile, and wait until it rests on an empty page."""
    size = f"--window-size={VIEWPORT['width']},{VIEWPORT['height']}"
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        options = ("--headless", *FLAGS, size, f"--user-data-dir={profile}", "--remote-debugging-port=0", "about:blank")
        process = subprocess.Popen([chromium, *options], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        try:
            port = next(found[1] for line in process.stderr if (found := re.search(r"ws://127.0.0.1:(\d+)/", line)))
            wait_until(lambda: _pages(port), bool)
            time.sleep(1)  # the browser's own start is no part of a visit
            with connect(_pages(port)[0], max_size=None) as socket:
                yield _DevTools(socket)
        finally:
            process.kill()
            process.wait(LIMIT)


def _pages(port: str) -> list[str]:
    """The WebSocket URLs of the browser's pages."""
    with urlopen(f"http://127.0.0.1:{port}/json", timeout=LIMIT) as answer:
        return [target["webSocketDebuggerUrl"] for target in json.load(answer) if target["type"] == "page"]


def _visit(browser: _DevTools, url: str, slowed: bool) -> Visit:
    """Measure the first visit to a new server."""
    browser.call("Network.enable")
    if slowed:
        browser.call("Network.emulateNetworkConditions", **SLOW)
    browser.call("Page.enable")
    browser.call("Page.addScriptToEvaluateOnNewDocument", source=SECONDS)
    browser.call("Page.navigate", url=f"{url}/training")
    heading, picture = (browser.evaluate(f"seconds({json.dumps(selector)})") for selector in (HEADING, PICTURE))
    answered = picture + _press(browser, _button(PLAY), _button(PAUSE))
    requests, kilobytes = len(browser.fetched), sum(browser.fetched) / 1000
    _press(browser, _button(PAUSE), _button(PLAY))
    next_page = _press(browser, 'a[href$="/unrolled"]', ".network .column")
    return Visit(heading, picture, answered, requests, kilobytes, next_page)


def _press(browser: _DevTools, pressed: str, answer: str) -> float:
    """Click an element; the seconds until the answer is on the page."""
    return browser.evaluate(f"press({json.dumps(pressed)}), seconds({json.dumps(answer)})")


def _button(name: str) -> str:
    return f'button[aria-label="{name}"]'
