"""Explanations of symbols, by touch; by pointer and keyboard, ``tests/javascript/explain.test.js`` has them."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.places import visit_section
from tests.browser.waiting import until


def test_on_a_phone_a_tap_opens_a_card_beside_the_symbol_and_within_the_window(new_page: Callable[..., Page]):
    page = new_page(viewport={"width": 390, "height": 844}, has_touch=True, color_scheme="dark")
    visit_section(page, "unrolled")
    equation, card = page.locator(".step_numbers .sums .law"), page.locator(".explain .card")
    expect(equation).to_contain_text("tanh")
    card.wait_for(state="attached")  # from then on pointers and keys are handled
    symbol = equation.locator("[data-symbol=W_hh]").first
    symbol.tap()
    expect(card).to_contain_text("recurrent weights")
    expect(card.locator("[lang=ja]")).not_to_be_empty()
    until(page, card.bounding_box, lambda box: box["x"] >= 0 and box["x"] + box["width"] <= 390)

    def gap() -> float:  # px between the two, whichever is above
        upper, lower = sorted((symbol.bounding_box(), card.bounding_box()), key=lambda box: box["y"])
        return lower["y"] - upper["y"] - upper["height"]

    until(page, gap, lambda px: px > 0)
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()
