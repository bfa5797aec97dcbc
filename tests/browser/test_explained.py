"""Explanations of symbols: by pointer, keyboard and touch; and the notation of the other source."""

import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from tests.browser.places import visit_section
from tests.browser.waiting import until, wait_until_idle


def equation_and_card(page: Page) -> tuple[Locator, Locator]:
    """The equation of the present step on the Unrolled page, and the card that explains."""
    visit_section(page, "unrolled")
    equation = page.locator(".step_numbers .sums .law")
    expect(equation).to_contain_text("tanh")
    card = page.locator(".explain .card")
    card.wait_for(state="attached")  # from then on pointers and keys are handled
    return equation, card


def apart(one: dict, other: dict) -> bool:
    """Whether one box is all above the other."""
    return one["y"] + one["height"] < other["y"] or other["y"] + other["height"] < one["y"]


def test_pointer_and_keyboard_open_the_card_escape_closes_it(page: Page):
    equation, card = equation_and_card(page)
    symbol = equation.locator("[data-symbol=W_hh]").first
    symbol.hover()
    expect(card).to_contain_text("recurrent weights")
    expect(card.locator("[lang=ja]")).not_to_be_empty()
    until(page, lambda: (symbol.bounding_box(), card.bounding_box()), lambda boxes: apart(*boxes))
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    page.mouse.move(700, 60)
    page.locator(".step_numbers .sums tbody button").first.focus()
    page.keyboard.press("Shift+Tab")
    expect(equation).to_be_focused()
    expect(card).to_contain_text("bias of the state")
    expect(equation).to_have_attribute("aria-description", re.compile("recurrent weights"))
    page.keyboard.press("Shift+Tab")
    expect(card).to_be_hidden()
    page.get_by_role("combobox", name="Notation").select_option("second")
    expect(equation).to_contain_text("Wx")
    wait_until_idle(page)
    equation.locator("[data-symbol=W_h]").first.hover()
    expect(card).to_contain_text("Wh")
    expect(page.locator(".network .matrix.hh")).to_have_text("Wh")


def test_on_a_phone_a_tap_opens_a_card_within_the_window(new_page: Callable[..., Page]):
    page = new_page(viewport={"width": 390, "height": 844}, has_touch=True, color_scheme="dark")
    equation, card = equation_and_card(page)
    equation.locator("[data-symbol=W_hh]").first.tap()
    expect(card).to_contain_text("recurrent weights")
    until(page, card.bounding_box, lambda box: box["x"] >= 0 and box["x"] + box["width"] <= 390)
