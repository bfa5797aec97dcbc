"""Explanations of symbols, by pointer and touch."""

from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from tests.browser.places import visit_section
from tests.browser.waiting import until


def equation_and_card(page: Page) -> tuple[Locator, Locator]:
    """The equation of the present step on the Unrolled page, and the card that explains."""
    visit_section(page, "unrolled")
    equation = page.locator(".step_numbers .sums .law")
    expect(equation).to_contain_text("tanh")
    card = page.locator(".explain .card")
    card.wait_for(state="attached")  # from then on pointers and keys are handled
    return equation, card


def test_a_pointer_opens_the_card_beside_the_symbol_and_escape_closes_it(page: Page):
    equation, card = equation_and_card(page)
    symbol = equation.locator("[data-symbol=W_hh]").first
    symbol.hover()
    expect(card).to_contain_text("recurrent weights")
    expect(card.locator("[lang=ja]")).not_to_be_empty()

    def gap() -> float:  # px between the two, whichever is above
        upper, lower = sorted((symbol.bounding_box(), card.bounding_box()), key=lambda box: box["y"])
        return lower["y"] - upper["y"] - upper["height"]

    until(page, gap, lambda px: px > 0)
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()


def test_on_a_phone_a_tap_opens_a_card_within_the_window(new_page: Callable[..., Page]):
    page = new_page(viewport={"width": 390, "height": 844}, has_touch=True, color_scheme="dark")
    equation, card = equation_and_card(page)
    equation.locator("[data-symbol=W_hh]").first.tap()
    expect(card).to_contain_text("recurrent weights")
    until(page, card.bounding_box, lambda box: box["x"] >= 0 and box["x"] + box["width"] <= 390)
