"""The throughput of a run with a page open, relative to the same run without a page."""

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

from playwright.sync_api import Browser, Locator, Page

from benchmarks.browser import PLAY, TIMES, open_training, print_row
from tests.dashboard_server import ROOT

SECONDS = 6.0  # of a measurement
HEADLESS = """
import sys, time
from core.config.settings import Settings
from core.text.corpus import load_corpus
from core.training.run.live_run import LiveRun
from core.training.tbptt import Trainer
from core.training.run.monitored_trainer import MonitoredTrainer

settings = Settings(cosine_until=0)
corpus = load_corpus(settings)
run = LiveRun(MonitoredTrainer(Trainer(settings, corpus), corpus))
for seconds in sys.stdin:
    run.play()
    began, before = time.perf_counter(), run.source.step
    while (elapsed := time.perf_counter() - began) < float(seconds):
        time.sleep(0.2)
    done = run.source.step - before
    run.pause()
    run.join()
    print(done / elapsed, flush=True)
"""
# The time in ms and the update in the sidebar's card, once it is another update than at the last call.
CHANGED = """
() => {
    const root = [...document.querySelectorAll("*")].map((e) => e.shadowRoot).find((r) => r?.querySelector(".run_card"));
    const shown = root?.querySelector(".run_card").innerText.match(/update ([\\d\\u2009]+)/);
    const update = shown ? Number(shown[1].replace(/\\D/g, "")) : null;
    if (update === null || update === window.lastUpdate) return false;
    window.lastUpdate = update;
    return [performance.now(), update];
}
"""


def throughput(page: Page) -> None:
    """Updates per second with the page open, relative to those without one."""
    with _headless() as ask:
        shares = [_share(page, page.locator(".transport"), ask, _shown_pace) for _ in range(TIMES)]
    print_row("throughput with a page, % of without", shares, "90", worst=min)


def _share(page: Page, bar: Locator, ask: Callable[[float], float], pace: Callable[[Page], float]) -> float:
    """The throughput with a page in percent of that without; both alternate, so that a busy machine favours neither."""
    alone = ask(SECONDS)
    bar.get_by_role("button", name=PLAY).click()
    bar.get_by_role("button", name="Pause").wait_for()
    share = 100 * pace(page) / alone
    bar.get_by_role("button", name="Pause").click()
    bar.get_by_role("button", name=PLAY).wait_for()
    return share


def other_pages(browser: Browser, url: str) -> None:
    """Print the updates per second with each of the other pages open, in percent of those without a page."""
    with _headless() as ask:
        for name in ("Unrolled", "Perplexity", "Gradient flow", "Truncation"):
            page = open_training(browser, url)
            page.get_by_role("link", name=name).click()
            page.locator(f".{'surprise' if name == 'Perplexity' else 'network'}").first.wait_for(state="attached")
            shares = [_share(page, page.locator(".run_card"), ask, _pace) for _ in range(TIMES)]
            print_row(f"throughput with {name} open, % of without", shares, "90", worst=min)
            page.context.close()


def _pace(page: Page) -> float:
    """Updates per second, from one change of the sidebar's card to another."""
    (began, before), _ = _change(page), page.wait_for_timeout(1000 * SECONDS)
    ended, after = _change(page)
    return 1000 * (after - before) / (ended - began)


def _change(page: Page) -> list[float]:
    """The time of the next change of the card's update, in ms, and the new update. A change since the last call is skipped."""
    page.wait_for_function(CHANGED, polling="raf")
    return page.wait_for_function(CHANGED, polling="raf").json_value()


def _shown_pace(page: Page) -> float:
    """Updates per second, from the update that the readout shows."""
    began, before = time.perf_counter(), _update(page)
    page.wait_for_timeout(1000 * SECONDS)
    return (_update(page) - before) / (time.perf_counter() - began)


def _update(page: Page) -> int:
    row = page.locator(".readout dl .line").filter(has=page.get_by_text("update", exact=True))
    return int("".join(filter(str.isdigit, row.locator("dd").inner_text())))


@contextlib.contextmanager
def _headless() -> Iterator[Callable[[float], float]]:
    """Start the same run in another process, without a page. Yields ``ask(seconds)``, which measures its updates per second."""
    process = subprocess.Popen(
        [sys.executable, "-c", HEADLESS],
        cwd=ROOT,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )

    def ask(seconds: float) -> float:
        process.stdin.write(f"{seconds}\n")
        process.stdin.flush()
        return float(process.stdout.readline())

    try:
        ask(0.5)  # warm-up: imports and caches
        yield ask
    finally:
        process.kill()
        process.communicate()
