"""The cost of going back in a run: `python -m benchmarks.rewind`; with `--pages` also the time until pages show another moment.

Throughput with and without stored moments, alternating in one process; the moments' memory after 200 000 updates of a tiny
network, beside its budget; in Chromium, the time from a move of the card's slider to the drawn page. Nothing is asserted.
"""

import argparse
import statistics
import time
from collections.abc import Callable

from playwright.sync_api import Page, sync_playwright

from benchmarks.browser import PLAY, TIMES, launch, open_training, print_row, serve
from core.config.settings import Settings
from core.text.corpus import load_corpus
from core.training.run.monitored_trainer import MonitoredTrainer
from core.training.snapshots import Moments
from core.training.tbptt import Trainer

SLICE, ROUNDS = 1.0, 12  # seconds of a measurement, and measurements of each
TINY = Settings(corpus="lag", hidden_size=16, batch_size=16, num_steps=10)
UPDATES = 200_000
PAGES = ("Training", "Recurrent step", "Unrolled", "Perplexity", "Gradient flow", "Truncation")
MOVE = """
(input, place) => {
    input.value = place;
    window.movedAt = performance.now();
    input.dispatchEvent(new Event("input", { bubbles: true }));
    return input.getAttribute("aria-valuetext");
}
"""
# ms from the move until the card shows these words and no script runs, returned once this has lasted for 120 ms.
DRAWN = """
(words) => {
    const root = [...document.querySelectorAll("*")].map((e) => e.shadowRoot).find((r) => r?.querySelector(".run_card"));
    const there = root?.querySelector(".run_card .head").innerText.includes(words);
    const resting = document.querySelector('[data-testid="stApp"][data-test-script-state="notRunning"]');
    const now = performance.now();
    if (!there || !resting) { window.since = null; return false; }
    window.since ??= now;
    return now - window.since > 120 ? window.since - window.movedAt : false;
}
"""


class FirstMomentOnly(Moments):
    """Moments of which only the first is stored."""

    def due(self, update: int) -> bool:
        return not self.kept


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", action="store_true", help="measure the pages, too")
    options = parser.parse_args()
    _throughput()
    _memory()
    if options.pages:
        print(f"{'':44}{'median':>9}{'worst':>9}   mark")
        with sync_playwright() as playwright, serve() as (url, _):
            browser = launch(playwright)
            _pages(open_training(browser, url))
            browser.close()


def _throughput() -> None:
    """Measure new runs over their first updates, in which most moments are stored."""
    for name, settings in (("defaults", Settings()), ("tiny", TINY)):
        corpus = load_corpus(settings)
        shares = [100 * _pace(settings, corpus, Moments) / _pace(settings, corpus, FirstMomentOnly) for _ in range(ROUNDS)]
        print(f"throughput with moments, % of without: {name:10}{statistics.median(shares):6.1f}   mark 97")


def _pace(settings: Settings, corpus: object, keep: Callable[[int], Moments]) -> float:
    """Updates per second of a new run."""
    run = MonitoredTrainer(Trainer(settings, corpus), corpus)
    run.history.moments = keep(run.trainer.params.flat.nbytes)
    began = time.perf_counter()
    while (elapsed := time.perf_counter() - began) < SLICE:
        next(run)
    return run.step / elapsed


def _memory() -> None:
    corpus = load_corpus(TINY)
    run = MonitoredTrainer(Trainer(TINY, corpus), corpus)
    for _ in range(UPDATES):
        next(run)
    moments = run.history.moments
    print(
        f"after {UPDATES} updates of a tiny network: {len(moments.kept)} moments, {moments.bytes / 1000:.0f} kB "
        f"of {moments.budget / 1000:.0f} kB that they may take"
    )


def _pages(page: Page) -> None:
    page.get_by_label("Update to run to").fill("300")
    page.get_by_role("button", name="Run to update").click()
    page.get_by_text("Update 300 is reached").wait_for()
    page.get_by_role("button", name=PLAY).wait_for()
    for name in PAGES:
        page.get_by_role("link", name=name).click()
        bar = page.get_by_role("slider", name="Go back in the run")
        page.wait_for_timeout(3000)  # ms: until the whole page is drawn
        stops, times = int(bar.get_attribute("max")), []
        for move in range(2 * TIMES):
            words = bar.evaluate(MOVE, (3 + 7 * move) % stops)
            times.append(page.wait_for_function(DRAWN, arg=words, polling="raf").json_value())
            page.wait_for_timeout(150)  # ms: as while dragging by hand
        print_row(f"another moment on {name}, ms", times, "300")


if __name__ == "__main__":
    main()
