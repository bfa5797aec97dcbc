"""What it looks like: ``python -m docs.take_pictures`` makes the README's pictures in ``docs/pictures/``, light and dark.

It starts the dashboard, draws what is expected into the chart, trains, and turns the pages: all that is seen was computed then.
"""

import io
import tempfile
from collections.abc import Iterator
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.chromium import FLAGS, VIEWPORT, find_chromium
from tests.browser.layout_checks import wait_until_still
from tests.browser.waiting import LIMIT, until, visit, wait_until_idle
from tests.dashboard_server import serving

PICTURES = Path(__file__).parent / "pictures"
WIDE = (960, 540)  # px of a picture
PAGES = {  # by name: the file, and what must be seen
    "Unrolled": ("unrolled", ".step_numbers"),
    "Perplexity": ("perplexity", ".surprise .token"),
    "Gradient flow": ("gradient_flow", ".triangle .cells"),
    "Truncation": ("truncation", ".kept_share"),
}
EXPECTED = ((0.03, 0.12), (0.45, 0.3), (0.99, 0.72))  # of the chart: what somebody might draw
SLOW, UNTIL_SLOW, UNTIL = 6, 14, 1500  # updates a second at first, up to which update; and where the film ends
EVERY, FIRST, LAST = 200, 1200, 3500  # ms that a frame is seen


def shot(page: Page) -> Image.Image:
    """The window as it is now."""
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    return picture.resize(WIDE, Image.Resampling.LANCZOS)


def update(page: Page) -> int:
    """At which update the run is, as the page says."""
    row = page.locator(".readout dl .line").filter(has=page.get_by_text("update", exact=True))
    return int("".join(filter(str.isdigit, row.locator("dd").inner_text())))


def draw(page: Page) -> Iterator[Image.Image]:
    """A hand draws what it expects."""
    page.get_by_role("button", name="Draw what you expect").click()
    chart = page.locator(".run_view .plot")
    until(page, lambda: chart.evaluate("plot => plot.layout.xaxis.range[1]"), lambda end: end >= 3)
    box, mouse = page.locator(".run_view .canvas").bounding_box(), page.mouse
    places = [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in EXPECTED]
    mouse.move(*places[0])
    mouse.down()
    for place in places[1:]:
        mouse.move(*place, steps=8)
        yield shot(page)
    mouse.up()
    mouse.move(700, 690)
    page.get_by_role("button", name="Clear").wait_for()


def train(page: Page) -> Iterator[Image.Image]:
    """Slowly at first, then as fast as it goes."""
    page.get_by_role("button", name="Play: train the network").click()
    page.mouse.move(700, 690)
    while update(page) < UNTIL_SLOW:
        yield shot(page)
    page.get_by_role("slider", name="Speed").press("End")
    while update(page) < UNTIL:
        yield shot(page)
    page.get_by_role("button", name="Pause training").click()
    page.get_by_role("button", name="Play: train the network").wait_for()
    wait_until_idle(page)
    yield shot(page)


def film(page: Page, theme: str) -> None:
    """One short animation: expected, and what came."""
    visit(page, "training", speed=SLOW)
    page.locator(".run_view .plot[data-drawn]").wait_for()
    page.evaluate("document.fonts.ready")
    wait_until_still(page)
    first, *frames = [shot(page), *draw(page), *train(page)]
    durations = [FIRST, *[EVERY] * (len(frames) - 1), LAST]
    how = {"save_all": True, "append_images": frames, "duration": durations, "loop": 0}
    first.save(PICTURES / f"training-{theme}.webp", quality=55, method=5, **how)


def stills(page: Page, theme: str) -> None:
    """The other pages, with the network that was just trained."""
    for name, (file, part) in PAGES.items():
        page.get_by_test_id("stSidebarNav").get_by_role("link", name=name).click()
        expect(page.get_by_role("heading", name=name, exact=True)).to_be_visible()
        page.locator(part).first.wait_for()
        wait_until_still(wait_until_idle(page))
        shot(page).save(PICTURES / f"{file}-{theme}.webp", quality=78, method=6)


def look(browser: Browser, url: str, theme: str) -> None:
    """All pictures in one theme."""
    context = browser.new_context(base_url=url, viewport=VIEWPORT, color_scheme=theme)
    context.set_default_timeout(LIMIT * 1000)
    page = context.new_page()
    film(page, theme)
    stills(page, theme)
    context.close()


def main() -> None:
    """Light and dark, and how large they are together."""
    PICTURES.mkdir(exist_ok=True)
    expect.set_options(timeout=LIMIT * 1000)
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder), "streamlit") as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(playwright), args=FLAGS)
        for theme in ("light", "dark"):
            look(browser, server.url, theme)
    for path in sorted(PICTURES.iterdir()):
        print(f"{path.name:28} {path.stat().st_size / 1000:6.0f} kB")


if __name__ == "__main__":
    main()
