"""Shared by the benchmarks of pages: a server, a browser on the Training page, and a row of the printed tables."""

import contextlib
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from playwright.sync_api import Browser, Page, Playwright, expect

from tests.browser.chromium import FLAGS, VIEWPORT, find_chromium
from tests.dashboard_server import ROOT

TIMES = 5
LIMIT = 60.0  # seconds: timeout of a measurement
PLAY, PAUSE = "Play: train the network", "Pause training"
IDLE = '[data-testid="stApp"][data-test-script-state="notRunning"]'
# Starts the server like `streamlit run`, and logs the time (ms) of the first update with each new learning rate.
SERVE = """
import sys, time
from streamlit.web.cli import main
from core.training.tbptt import Trainer

log, train, last = open(sys.argv.pop(1), "w", buffering=1), Trainer.__next__, [None]

def told(trainer):
    update = train(trainer)
    if trainer.settings.learning_rate != last[0]:
        last[0] = trainer.settings.learning_rate
        print(1000 * time.time(), file=log)
    return update

Trainer.__next__ = told
sys.exit(main())
"""


def launch(playwright: Playwright) -> Browser:
    return playwright.chromium.launch(executable_path=find_chromium(playwright), args=FLAGS)


def print_row(what: str, values: list[float], mark: str, worst: Callable = max) -> None:
    print(f"{what:44}{statistics.median(values):9.3g}{worst(values):9.3g}   {mark}", flush=True)


def open_training(browser: Browser, url: str, received: list[bytes] | None = None) -> Page:
    """Open the Training page as a new visitor; ``received`` collects every message of the server."""
    page = browser.new_context(viewport=VIEWPORT).new_page()
    if received is not None:
        page.on("websocket", lambda socket: socket.on("framereceived", lambda payload: received.append(_bytes(payload))))
    page.set_default_timeout(1000 * LIMIT)
    page.goto(f"{url}/training?cosine_until=0")  # no schedule, which would end training
    page.locator(".run_view .live_figure .plot[data-drawn]").wait_for()
    expect(page.get_by_role("button", name=PLAY)).to_be_enabled()
    return page


def _bytes(payload: str | bytes) -> bytes:
    return payload if isinstance(payload, bytes) else payload.encode()


def wait_until(read: Callable[[], int], accept: Callable[[int], bool]) -> None:
    give_up = time.perf_counter() + LIMIT
    while not accept(read()):
        if time.perf_counter() > give_up:
            raise TimeoutError(f"not within {LIMIT:g} s")
        time.sleep(0.005)


@contextlib.contextmanager
def serve(rates: Path | None = None, root: Path = ROOT) -> Iterator[tuple[str, subprocess.Popen]]:
    """Start a server of the dashboard in ``root`` on a free port; it logs the times of new learning rates to ``rates``."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    options = ("--server.headless=true", "--server.address=127.0.0.1", "--server.fileWatcherType=none", f"--server.port={port}")
    start = ["-c", SERVE, str(rates)] if rates else ["-m", "streamlit"]
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(
            [sys.executable, *start, "run", "dashboard.py", *options],
            cwd=root,
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        try:
            wait_until(lambda: _answers(f"http://127.0.0.1:{port}/_stcore/health"), bool)
            yield f"http://127.0.0.1:{port}", process
        finally:
            process.terminate()
            process.wait(LIMIT)


def _answers(url: str) -> bool:
    with contextlib.suppress(URLError, ConnectionError), urlopen(url, timeout=LIMIT):
        return True
    return False
