"""The speed of the pages: `python -m benchmarks.page`. A real server and a real Chromium; needs no network.

Prints the median and the worst of five or more measurements. First visits (ten; alone with `--visits`) can alternate with those
to another copy (`--beside FOLDER`). Training: frame times while the run trains, the delay from a knob's move to its effect on
training and on the chart, throughput relative to the same run without a page, and closing a tab. Other pages (alone with
`--unrolled`): frame times while forty steps play, run paused and training, data sent, throughput. Nothing is asserted.
"""

import argparse
import subprocess
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.browser import PAUSE, PLAY, TIMES, launch, open_training, print_row, serve, wait_until
from benchmarks.first_visit import first_visits
from benchmarks.playing import gradient_flow, unrolled
from benchmarks.throughput import other_pages, throughput
from tests.browser.chromium import find_chromium
from tests.dashboard_server import ROOT

FRAMES = """
async (seconds) => {
    const gaps = [];
    const end = performance.now() + 1000 * seconds;
    let last = await new Promise(requestAnimationFrame), now;
    while ((now = await new Promise(requestAnimationFrame)) < end) { gaps.push(Math.max(0, now - last)); last = now; }
    return gaps;
}
"""
MOVE = """
(input, step) => {
    input.value = Number(input.value) + step;
    window.movedAt = performance.timeOrigin + performance.now();
    input.dispatchEvent(new Event("input", { bubbles: true }));
    return [input.getAttribute("aria-valuetext"), window.movedAt];
}
"""
SHOWN = """
(word) => {
    const plot = document.querySelector(".run_view .live_figure .plot");
    const flags = plot.layout.annotations.filter((a) => a.text.includes("→"));
    return flags.some((a) => a.text.endsWith(" " + word)) ? performance.timeOrigin + performance.now() - window.movedAt : false;
}
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--frames", type=float, default=12.0, help="seconds over which frames are measured")
    parser.add_argument("--unrolled", action="store_true", help="measure the Unrolled page only")
    parser.add_argument("--visits", action="store_true", help="measure first visits only")
    parser.add_argument("--beside", type=Path, help="another working copy, whose first visits are measured in turns with ours")
    options = parser.parse_args()
    print(f"{'':44}{'median':>9}{'worst':>9}   mark")
    with sync_playwright() as playwright:
        browser = launch(playwright)
        if not options.unrolled:
            first_visits(find_chromium(playwright), [options.beside.resolve(), ROOT] if options.beside else [ROOT])
        if options.visits:
            return
        if not options.unrolled:
            _training(browser, options.frames)
        with serve() as (url, _):
            unrolled(browser, url)
            gradient_flow(browser, url)
            other_pages(browser, url)
        browser.close()


def _training(browser: Browser, seconds: float) -> None:
    with tempfile.TemporaryDirectory() as folder, serve(Path(folder) / "rates") as (url, process):
        page = open_training(browser, url)
        _frames(page, seconds)
        _knob(page, Path(folder) / "rates")
        page.context.close()
        throughput(open_training(browser, url))
        _closing(browser, url, process)


def _frames(page: Page, seconds: float) -> None:
    page.get_by_role("button", name=PLAY).click()
    page.get_by_role("button", name=PAUSE).wait_for()
    before = _drawn(page)
    gaps = sorted(page.evaluate(FRAMES, seconds))
    rate = (_drawn(page) - before) / seconds
    p95, over = gaps[int(0.95 * len(gaps))], sum(gap > 50 for gap in gaps)
    print(f"{'frames while training: p95 and worst, ms':44}{p95:9.1f}{gaps[-1]:9.1f}   p95 < 34")
    print(f"    {len(gaps)} frames, {over} longer than 50 ms; the chart was drawn {rate:.1f} times a second")


def _knob(page: Page, rates: Path) -> None:
    """Drag the learning rate upward from its lowest value without releasing the slider, and time every move."""
    slider = page.get_by_role("slider", name="Learning rate")
    slider.dispatch_event("pointerdown")
    slider.evaluate("input => input.value = input.min")
    training, shown = [], []
    for move in range(2 * TIMES):
        logged = len(rates.read_text().splitlines())
        word, moved = slider.evaluate(MOVE, 1)
        shown.append(page.wait_for_function(SHOWN, arg=word, polling="raf").json_value())
        training.append(float(rates.read_text().splitlines()[logged]) - moved)
        page.wait_for_timeout(130 + 37 * move)  # ms: moves fall anywhere between two redraws of the chart
    slider.dispatch_event("pointerup")
    slider.dispatch_event("change")
    print_row("a knob's move, while dragged: training, ms", training, "300")
    print_row("a knob's move, while dragged: chart, ms", shown, "300")


def _closing(browser: Browser, url: str, process: subprocess.Popen) -> None:
    """Time from closing a tab whose run trains until its thread has ended, by counting the threads of the server."""
    if not Path("/proc/self/task").exists():
        print("a closed tab: threads cannot be counted here")
        return
    times = []
    for _ in range(TIMES):
        page = open_training(browser, url)
        page.wait_for_timeout(500)  # ms: until the threads that opened the page have ended
        idle = _threads(process)
        page.get_by_role("button", name=PLAY).click()
        page.get_by_role("button", name=PAUSE).wait_for()
        began = time.perf_counter()
        page.context.close()
        wait_until(lambda: _threads(process), lambda now, idle=idle: now <= idle)
        times.append(time.perf_counter() - began)
    print_row("a closed tab: its thread is gone after, s", times, "2")


def _threads(process: subprocess.Popen) -> int:
    return sum(1 for _ in Path(f"/proc/{process.pid}/task").iterdir())


def _drawn(page: Page) -> int:
    return int(page.locator(".run_view .live_figure .plot").get_attribute("data-drawn"))


if __name__ == "__main__":
    main()
