"""Frames while the drawing of a network plays, forward and backward, and the amount of data sent to draw it."""

from playwright.sync_api import Browser, Page, expect

from benchmarks.browser import IDLE, PLAY, TIMES, open_training, print_row

# Plays the unrolled network from the first step to the end; returns the ms between frames.
PLAYED = """
async (whole) => {
    const gaps = [];
    whole.querySelector(".play").click();
    let last = await new Promise(requestAnimationFrame), now;
    while (whole.dataset.playing === "true") {
        now = await new Promise(requestAnimationFrame);
        gaps.push(Math.max(0, now - last));
        last = now;
    }
    return gaps;
}
"""


def unrolled(browser: Browser, url: str) -> None:
    """Measure forty steps of the default network with the drawing in view and, paused, also with the opened cell in view."""
    received: list[bytes] = []
    page = open_training(browser, url, received)
    page.get_by_role("link", name="Unrolled").click()
    page.locator(".network .column").first.wait_for(state="attached")
    _choose(page, "Network", "the network")
    expect(page.get_by_text("A network of 24 units")).to_have_count(0)
    page.locator(IDLE).wait_for()
    received.clear()
    _choose(page, "Text", "a window of the text")
    expect(page.locator(".network .column")).to_have_count(40)
    page.locator(IDLE).wait_for()
    drawn = sum(len(message) for message in received if b'"link":"unrolled"' in message)
    print(f"{'unrolled, 40 steps: sent to draw them, kB':44}{drawn / 1000:9.1f}{'':9}   60")
    print(f"    {sum(map(len, received)) / 1000:.1f} kB with the sidebar, the code and the style")
    _played(page, "unrolled, run paused", "25")
    page.locator(".cell .stage").scroll_into_view_if_needed()
    _played(page, "unrolled, paused, cell in view", "25")
    page.locator(".network .whole").scroll_into_view_if_needed()
    page.get_by_role("button", name=PLAY).click()
    page.locator(".run_card").get_by_role("button", name="Pause").wait_for()
    _played(page, "unrolled, run training", "34")
    page.context.close()


def gradient_flow(browser: Browser, url: str) -> None:
    """Measure forty steps of the default network, backward, from the last to the first."""
    page = open_training(browser, url)
    page.get_by_role("link", name="Gradient flow").click()
    page.locator(".network .column").first.wait_for(state="attached")
    _choose(page, "Text", "a long window")
    expect(page.locator(".network .column")).to_have_count(40)
    page.locator(IDLE).wait_for()
    _played(page, "gradient flow, run paused", "25")
    page.get_by_role("button", name=PLAY).click()
    page.locator(".run_card").get_by_role("button", name="Pause").wait_for()
    _played(page, "gradient flow, run training", "34")
    page.context.close()


def _choose(page: Page, label: str, option: str) -> None:
    page.get_by_role("combobox", name=label).click()
    page.get_by_role("option", name=option, exact=True).click()


def _played(page: Page, what: str, mark: str) -> None:
    """Play all steps several times; print the median and the worst 95th percentile and longest frame."""
    runs = [sorted(page.locator(".network .whole").evaluate(PLAYED)) for _ in range(TIMES)]
    print_row(f"{what}: p95 frame, ms", [gaps[int(0.95 * len(gaps))] for gaps in runs], mark)
    print_row("    longest frame, ms", [gaps[-1] for gaps in runs], "")
