"""Every page from a phone to a projector: what is drawn grows with the window, and no text is cut or lies over other text."""

from itertools import product

import pytest
from playwright.sync_api import Locator, Page, expect

import pages.gradient_flow.sections
import pages.perplexity.sections
import pages.recurrent_step.sections
import pages.truncation.sections
from tests.browser.layout_checks import SMALL_NETWORK, at_rest, fits, open_section, unreadable
from tests.browser.waiting import settled, until, visit

LARGE = {"width": 1920, "height": 1080}
WINDOWS, ZOOMS, LEAST = (360, 390, 1024, 1280, 1440, 1920), (1, 1.5, 2), 360  # px; what is narrower is no window
PLACES = {
    "recurrent_step": pages.recurrent_step.sections.SECTIONS,
    "unrolled": (),
    "training": (),
    "perplexity": pages.perplexity.sections.SECTIONS,
    "gradient_flow": pages.gradient_flow.sections.SECTIONS,
    "truncation": pages.truncation.sections.SECTIONS,
}


def sizes() -> dict[int, float]:
    """Widths in CSS px, and a zoom that makes a window so narrow."""
    return {int(width / zoom): zoom for zoom, width in product(ZOOMS, WINDOWS) if width / zoom >= LEAST}


@pytest.mark.parametrize("path", PLACES)
def test_at_every_width_and_zoom_all_text_can_be_read(page: Page, path: str):
    visit(page, path, **SMALL_NETWORK)
    window, found = page.context.new_cdp_session(page), []
    for section in PLACES[path] or [""]:
        if section:
            open_section(page, section)
        at_rest(settled(page))
        for width, zoom in sizes().items():
            metrics = {"width": width, "height": int(720 / zoom), "deviceScaleFactor": zoom, "mobile": False}
            window.send("Emulation.setDeviceMetricsOverride", metrics)
            fits(page)
            found += [f"{path} {section}, {width} px: {trouble}" for trouble in unreadable(page)]
        window.send("Emulation.clearDeviceMetricsOverride")
        fits(page)  # before the next press: what moves under the mouse is not clicked
    assert not found, "\n".join(found)


def middle(place: Locator) -> tuple[float, float]:
    box = place.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_in_a_large_window_the_drawing_grows_and_answers_where_it_is_clicked(page: Page):
    visit(page, "unrolled", **SMALL_NETWORK)
    stage, law = page.locator(".network .stage"), page.locator(".step_numbers .sums .law")
    law.wait_for()
    at_rest(page)
    before = stage.bounding_box()
    page.set_viewport_size(LARGE)
    until(page, stage.bounding_box, lambda box: box["width"] > 1.6 * before["width"] and box["height"] > 1.6 * before["height"])
    at_rest(page)
    assert stage.evaluate("stage => stage.scrollWidth - stage.clientWidth") <= 0
    assert not page.get_by_test_id("stMain").evaluate("main => main.scrollWidth - main.clientWidth")
    page.mouse.click(*middle(page.locator(".network .column .letter").nth(2)))
    page.mouse.move(1, 1)
    until(page, lambda: law.inner_text().replace("\n", ""), lambda words: words.startswith("h3"))


def test_in_a_large_window_a_bar_and_a_point_of_a_chart_answer_where_they_are(page: Page):
    page.set_viewport_size(LARGE)
    visit(page, "perplexity", section="surprise", **SMALL_NETWORK)
    columns = page.locator(".surprise .column")
    columns.nth(9).wait_for()
    at_rest(page)
    page.mouse.click(*middle(columns.nth(9).locator(".cell")))
    expect(columns.nth(9)).to_have_class("column picked")
    open_section(page, "length")
    plot = page.locator(".live_figure .plot[data-drawn]").first
    plot.wait_for()
    at_rest(page)
    plot.scroll_into_view_if_needed()
    hovered = "plot => (plot._hoverdata ?? []).map((point) => (point.x - plot._fullLayout.xaxis.range[0]) / "
    hovered += "(plot._fullLayout.xaxis.range[1] - plot._fullLayout.xaxis.range[0]))"

    def pointed() -> list[float]:
        x, y = middle(plot.locator(".nsewdrag"))
        for by in (2, 0):  # px
            page.mouse.move(x + by, y)
        return plot.evaluate(hovered)

    until(page, pointed, lambda shares: shares and all(abs(share - 0.5) < 0.1 for share in shares))
