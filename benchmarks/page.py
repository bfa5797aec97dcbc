"""The speed of any page or section: `python -m benchmarks.page [ADDRESS ...]`. Needs Chromium, and no network.

An address is a page with what is open there, such as ``training`` (the default), ``unrolled`` or
``"gradient_flow?view=history"``.
For each, in turns with another working copy (``--beside FOLDER``), each time with a new server and a new browser: the seconds of
a first visit until its heading, its picture, the end of the page's script and the answer to Play; then, while the run trains and
a drawing that can be played plays, the times of frames; on Training the delay from a knob's move to its effect on training and on
the chart; and the updates per second, in percent of those of the same run without a page. Nothing is asserted.

Playwright is not used, as its debugger slows the page: it requests the stack of every exception from V8, which then reads a
script of 5 MB again, so that plotly.js takes twice as long to load.
"""

import argparse
import contextlib
import json
import mmap
import os
import re
import statistics
import struct
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

from playwright.sync_api import sync_playwright
from websockets.sync.client import ClientConnection, connect

from tests.browser.chromium import FLAGS, VIEWPORT, find_chromium
from tests.dashboard_server import ROOT, free_port

LIMIT = 60.0  # seconds: timeout of a measurement
FRAME_SECONDS, PACE_SECONDS = 8.0, 6.0
MOVES = 10  # of the timed knob
SLOW = {"offline": False, "latency": 40, "downloadThroughput": 10e6 / 8, "uploadThroughput": 10e6 / 8}  # ms, bytes a second
HEADING, DONE = "h1", '[data-testid="stApp"][data-test-script-state="notRunning"]'
PICTURE = ".plot[data-drawn], .network .column, .surprise, svg.drawing"
PLAY = 'button[aria-label="Play: train the network"]'
PAUSE = '.run_card button[aria-label^="Pause"], .transport button[aria-label^="Pause"]'
RATE = 'input[type=range][aria-label^="Learning rate"]'
# Runs the program of the arguments in this process, and writes the number of updates, the last learning rate and the time of its
# first update into the shared memory. `time.monotonic` is one clock for all processes of a machine.
COUNTING = """
import mmap, struct, sys, time
from core.training.tbptt import Trainer

file = open(sys.argv.pop(1), "r+b")
shared = mmap.mmap(file.fileno(), 24)
train, updates, rate, since = Trainer.__next__, 0, None, 0.0

def counting(trainer):
    global updates, rate, since
    update = train(trainer)
    updates += 1
    if trainer.settings.learning_rate != rate:
        rate, since = trainer.settings.learning_rate, time.monotonic()
    struct.pack_into("3d", shared, 0, updates, rate, since)
    return update

Trainer.__next__ = counting
"""
SERVE = COUNTING + "from streamlit.web.cli import main\nsys.exit(main())"
ALONE = (
    COUNTING
    + """
from core.config.settings import Settings
from core.text.corpus import load_corpus

trainer = Trainer(Settings(cosine_until=0), load_corpus(Settings()))
for seconds in sys.stdin:
    end, before = time.monotonic() + float(seconds), updates
    while time.monotonic() < end:
        next(trainer)
    print((updates - before) / float(seconds), flush=True)
"""
)
# `find(selector)`: an element, also within shadow roots; `seconds(selector)`: until there is one, from the request of the page or
# the last press on.
SCRIPT = """
const inside = (root) => [
    root, ...[...root.querySelectorAll("*")].flatMap((one) => one.shadowRoot ? inside(one.shadowRoot) : []),
];
const find = (selector) => inside(document).map((root) => root.querySelector(selector)).find(Boolean);
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
let since = 0;
const seconds = async (selector) => {
    while (!find(selector)) await wait(50);  // not each frame: that would slow the page
    return (performance.now() - since) / 1000;
};
const press = (selector) => {
    since = performance.now();
    find(selector)?.click();
};
const frames = async (seconds) => {
    const gaps = [];
    const end = performance.now() + 1000 * seconds;
    let last = await new Promise(requestAnimationFrame), now;
    while ((now = await new Promise(requestAnimationFrame)) < end) { gaps.push(Math.max(0, now - last)); last = now; }
    return gaps;
};
const move = async (selector, step) => {
    const input = find(selector);
    if (step) input.value = Number(input.value) + step;
    else {
        input.dispatchEvent(new Event("pointerdown", { bubbles: true }));
        input.value = input.min;
    }
    const moved = performance.now();
    input.dispatchEvent(new Event("input", { bubbles: true }));
    const word = input.getAttribute("aria-valuetext");
    const flags = () => find(".run_view .live_figure .plot").layout.annotations.filter((one) => one.text.includes("→"));
    while (!flags().some((one) => one.text.endsWith(" " + word))) await new Promise(requestAnimationFrame);
    return performance.now() - moved;
};
"""


class Tab:
    """A tab of Chromium, as a client of the Chrome DevTools Protocol; only the domains that are used are enabled.

    Source: https://chromedevtools.github.io/devtools-protocol/
    """

    def __init__(self, socket: ClientConnection) -> None:
        self.socket, self.number = socket, 0
        self.fetched: list[int] = []  # bytes of each response, in the order of arrival

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while (message := json.loads(self.socket.recv(LIMIT))).get("id") != self.number:
            if message["method"] == "Network.loadingFinished":
                self.fetched.append(message["params"]["encodedDataLength"])
        return message["result"]

    def do(self, function: str, *given: object) -> Any:
        """The result of a function of ``SCRIPT``, also of an asynchronous one."""
        call = f"{function}({', '.join(map(json.dumps, given))})"
        answer = self.call("Runtime.evaluate", expression=call, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{call}: {answer['exceptionDetails']}")
        return answer["result"].get("value")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("addresses", nargs="*", default=["training"], metavar="ADDRESS")
    parser.add_argument("--beside", type=Path, help="another working copy, which is measured in turns with this one")
    parser.add_argument("--times", type=int, default=5, help="how often each is measured")
    parser.add_argument("--visits", action="store_true", help="measure first visits only")
    parser.add_argument("--slowed", action="store_true", help="at 10 Mbit/s and 40 ms")
    options = parser.parse_args()
    roots = [options.beside.resolve(), ROOT] if options.beside else [ROOT]
    with sync_playwright() as playwright:
        chromium = find_chromium(playwright)
    for address in options.addresses:
        rows: dict[tuple[str, Path], list[float]] = defaultdict(list)
        for turn in range(options.times):
            for root in roots if turn % 2 else reversed(roots):
                with _counter() as (file, read), serve(root, file) as url, _tab(chromium) as tab:
                    measured = _visit(tab, f"{url}/{address}", options.slowed)
                    measured |= {} if options.visits else _training(tab, address, read)
                for name, value in measured.items():
                    rows[name, root].append(value)
        print(f"{address:44}{'median':>9}{'worst':>9}")
        for name, root in product(dict.fromkeys(name for name, _ in rows), roots):
            values, where = rows[name, root], f" ({root.name})" if len(roots) > 1 else ""
            worst = (min if "%" in name else max)(values)
            print(f"    {name + where:40}{statistics.median(values):9.3g}{worst:9.3g}", flush=True)


def _visit(tab: Tab, url: str, slowed: bool) -> dict[str, float]:
    """Open the page as a new visitor of a new server; at the end the run trains."""
    tab.call("Network.enable")
    if slowed:
        tab.call("Network.emulateNetworkConditions", **SLOW)
    tab.call("Page.enable")
    tab.call("Page.addScriptToEvaluateOnNewDocument", source=SCRIPT)
    tab.call("Page.navigate", url=f"{url}{'&' if '?' in url else '?'}cosine_until=0")  # no schedule, which would end training
    measured = {
        f"{name}, s": tab.do("seconds", one) for name, one in (("heading", HEADING), ("picture", PICTURE), ("script", DONE))
    }
    measured |= {"fetched, kB": sum(tab.fetched) / 1000}
    tab.do("seconds", PLAY)
    tab.do("press", PLAY)
    return measured | {"Play is answered, s": tab.do("seconds", PAUSE)}


def _training(tab: Tab, address: str, read: Callable[[], tuple[float, float, float]]) -> dict[str, float]:
    """Measure the page while its run trains."""
    tab.do("press", ".network .whole .play")  # no effect on a page without such a drawing
    gaps = sorted(tab.do("frames", FRAME_SECONDS))
    measured = {"frames, p95, ms": gaps[int(0.95 * len(gaps))], "longest frame, ms": gaps[-1]}
    if address.partition("?")[0] == "training":
        shown, trained = zip(*(_move(tab, read, step=number > 0) for number in range(MOVES)), strict=True)
        measured |= {"knob to training, ms": statistics.median(trained[1:]), "knob to chart, ms": statistics.median(shown[1:])}
    before = read()[0]
    time.sleep(PACE_SECONDS)
    pace = (read()[0] - before) / PACE_SECONDS
    tab.do("press", PAUSE)
    tab.do("seconds", PLAY)
    return measured | {"updates, % of those without a page": 100 * pace / _pace_alone()}


def _move(tab: Tab, read: Callable[[], tuple[float, float, float]], step: bool) -> tuple[float, float]:
    """Drag the learning rate one stop upward; milliseconds until the chart shows the move, and until an update is made with it
    (by the clock of the server's machine, from the request to the browser on, which takes about one of them)."""
    began = time.monotonic()
    shown = tab.do("move", RATE, int(step))
    since = read()[2]
    time.sleep(0.13 + 0.3 * (began % 1))  # moves fall anywhere between two redraws of the chart
    return shown, 1000 * (since - began)


def _pace_alone() -> float:
    """Updates per second of the same network trained in another process, without a page and without judgements."""
    with _counter() as (file, _):
        command, asked = [sys.executable, "-c", ALONE, str(file)], f"0.5\n{PACE_SECONDS}\n"
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
        ran = subprocess.run(command, cwd=ROOT, env=environment, input=asked, capture_output=True, text=True, check=True)
    return float(ran.stdout.split()[1])  # the first is a warm-up


@contextmanager
def _counter() -> Iterator[tuple[Path, Callable[[], tuple[float, float, float]]]]:
    """A file of shared memory, and a function that reads the numbers of ``COUNTING`` from it."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(bytes(24))
        file.flush()
        with mmap.mmap(file.fileno(), 24) as shared:
            yield Path(file.name), lambda: struct.unpack("3d", shared[:24])


@contextmanager
def serve(root: Path, counter: Path) -> Iterator[str]:
    """Start the dashboard of the working copy ``root`` on a free port; yields its URL."""
    port = free_port()
    options = ("--server.headless=true", "--server.address=127.0.0.1", "--server.fileWatcherType=none", f"--server.port={port}")
    command = [sys.executable, "-c", SERVE, str(counter), "run", "dashboard.py", *options]
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen(command, cwd=root, env={**os.environ, "OPENBLAS_NUM_THREADS": "1"}, **streams)
    try:
        _wait_until(lambda: _answers(f"http://127.0.0.1:{port}/_stcore/health"))
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(LIMIT)


@contextmanager
def _tab(chromium: str) -> Iterator[Tab]:
    """Start Chromium with an empty profile, and wait until it rests on an empty page."""
    size = f"--window-size={VIEWPORT['width']},{VIEWPORT['height']}"
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        options = ("--headless", *FLAGS, size, f"--user-data-dir={profile}", "--remote-debugging-port=0", "about:blank")
        process = subprocess.Popen([chromium, *options], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        try:
            port = next(found[1] for line in process.stderr if (found := re.search(r"ws://127.0.0.1:(\d+)/", line)))
            time.sleep(1)  # the browser's own start is no part of a visit
            with connect(_wait_until(lambda: _pages(port))[0], max_size=None) as socket:
                yield Tab(socket)
        finally:
            process.kill()
            process.wait(LIMIT)


def _pages(port: str) -> list[str]:
    """The WebSocket URLs of the browser's pages."""
    with urlopen(f"http://127.0.0.1:{port}/json", timeout=LIMIT) as answer:
        return [target["webSocketDebuggerUrl"] for target in json.load(answer) if target["type"] == "page"]


def _wait_until(read: Callable[[], Any]) -> Any:
    """The first true value of ``read()``."""
    give_up = time.monotonic() + LIMIT
    while not (value := read()):
        if time.monotonic() > give_up:
            raise TimeoutError(f"not within {LIMIT:g} s")
        time.sleep(0.005)
    return value


def _answers(url: str) -> bool:
    with contextlib.suppress(URLError, ConnectionError), urlopen(url, timeout=LIMIT):
        return True
    return False


if __name__ == "__main__":
    main()
