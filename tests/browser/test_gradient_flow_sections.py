"""The deeper views of Gradient flow in a browser: sliders act while dragged, weights are picked by hand, and it all fits."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.layout_checks import SMALL_NETWORK, turn_to
from tests.browser.waiting import same_node, until, visit

PARTS = {  # what of each section can be seen
    "what_if": ".controls .knob input",
    "shares": ".triangle .cells rect",
    "jacobian": ".cards .formula",
    "gradient_check": ".weight_map canvas",
    "history": ".comparison table",
    "cost": ".page-heading",
}
SENTENCE = ".comparison .sentence"


@pytest.fixture
def opened(page: Page) -> Page:
    return open_page(page)


def open_page(page: Page, **query: object) -> Page:
    visit(page, "gradient_flow", **SMALL_NETWORK | query)
    page.locator(".sections").wait_for()
    return page


def go(page: Page, section: str) -> None:
    turn_to(page, section, PARTS[section])


def said(page: Page) -> str:
    """The section's sentence, as soon as that of the section before is gone."""
    expect(page.locator(SENTENCE)).to_have_count(1)
    return page.locator(SENTENCE).inner_text()


def chart(page: Page) -> Locator:
    """The section's chart, which says in words what the sentence beside it says."""
    last = page.locator(".live_figure .plot[data-drawn]").last
    expect(last).to_have_attribute("aria-label", said(page))
    return last


def test_the_radius_acts_while_it_is_dragged_and_the_chart_stays(opened):
    go(opened, "what_if")
    slider = opened.get_by_role("slider", name="spectral radius of W_hh")
    slider.scroll_into_view_if_needed()
    kept, before = same_node(chart(opened)), said(opened)
    assert "radius 1.1 " in before
    box = slider.bounding_box()
    y, left, wide = box["y"] + box["height"] / 2, box["x"] + 9, box["width"] - 18
    opened.mouse.move(left + wide * 1.0 / 2.4, y)
    opened.mouse.down()
    opened.mouse.move(left + wide * 1.7 / 2.4, y, steps=6)
    during = until(opened, lambda: said(opened), lambda words: words != before)
    assert "radius 1.1 " not in during
    opened.mouse.move(left + wide * 0.2 / 2.4, y, steps=6)
    until(opened, lambda: said(opened), lambda words: "radius 0." in words)
    opened.mouse.up()
    assert kept()


def test_a_chip_sets_the_radius_and_the_button_alone_changes_the_run(opened):
    go(opened, "what_if")
    opened.locator('.controls [data-value="2.0"]').click()
    until(opened, lambda: said(opened), lambda words: "radius 2 " in words)
    slider = opened.get_by_role("slider", name="spectral radius of W_hh")
    expect(slider).to_have_attribute("aria-valuetext", "2")
    apply = opened.locator('.controls [data-value="apply"]')
    before = until(opened, apply.inner_text, lambda words: "→ 2" in words)
    apply.click()
    until(opened, apply.inner_text, lambda words: words != before and "2.00 → 2" in words)


def test_a_weight_is_picked_by_click_by_keys_and_by_its_numbers(opened):
    go(opened, "gradient_check")
    cells, row, column = (
        opened.locator(".weight_map .cells"),
        opened.get_by_role("spinbutton", name="Row"),
        opened.get_by_role("spinbutton", name="Column"),
    )
    cells.scroll_into_view_if_needed()
    box = cells.bounding_box()
    cells.click(position={"x": box["width"] * 10.5 / 32, "y": box["height"] * 20.5 / 32})
    expect(row).to_have_value("20")
    expect(column).to_have_value("10")
    until(opened, lambda: said(opened), lambda words: "W_hh[20, 10]" in words)
    cells.press("ArrowUp")
    cells.press("ArrowRight")
    until(opened, lambda: said(opened), lambda words: "W_hh[19, 11]" in words)
    column.fill("3")
    column.press("Enter")
    until(opened, lambda: said(opened), lambda words: "W_hh[19, 3]" in words)
    opened.get_by_label("Matrix", exact=True).select_option("b_q")
    until(opened, lambda: said(opened), lambda words: "b_q[" in words)
    expect(row).to_be_disabled()


def test_nothing_is_built_anew_while_the_run_trains(opened):
    go(opened, "history")
    before = until(opened, lambda: said(opened), lambda words: "press play" in words)  # no longer those of another section
    kept = same_node(chart(opened))
    opened.get_by_role("button", name="Play: train the network").click()
    until(opened, lambda: said(opened), lambda words: words != before)
    until(opened, lambda: opened.locator(".comparison tbody tr").count(), lambda rows: rows >= 3)
    assert kept()
    opened.get_by_role("button", name="Pause", exact=True).first.click()
