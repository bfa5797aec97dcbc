"""Symbols explain themselves to a pointer, to the keyboard and to a finger; and the other source's names are a choice away."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.layout_checks import SMALL_NETWORK
from tests.browser.waiting import settled, until, visit


def opened(page: Page, **more: object) -> tuple[Locator, Locator]:
    """The law of the present step on the Unrolled page, and the card."""
    visit(page, "unrolled", **SMALL_NETWORK, **more)
    law = page.locator(".step_numbers .sums .law")
    expect(law).to_contain_text("tanh")
    card = page.locator(".explain .card")
    card.wait_for(state="attached")  # from then on pointers and keys are heard
    return law, card


def apart(one: dict, other: dict) -> bool:
    """Whether one box is all above the other."""
    return one["y"] + one["height"] < other["y"] or other["y"] + other["height"] < one["y"]


def test_a_symbol_explains_itself_beside_the_pointer_and_escape_closes_it(page):
    law, card = opened(page)
    law.locator("[data-symbol=b_h]").first.hover()
    expect(card).to_contain_text("bias of the state")
    symbol = law.locator("[data-symbol=W_hh]").first
    symbol.hover()
    expect(card).to_be_visible()
    expect(card).to_contain_text("recurrent weights")
    expect(card.locator("[lang=ja]")).not_to_be_empty()
    until(page, lambda: (symbol.bounding_box(), card.bounding_box()), lambda boxes: apart(*boxes))
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    page.mouse.move(700, 60)
    page.get_by_role("combobox", name="Notation").select_option("second")
    expect(law).to_contain_text("Wx")
    settled(page)
    law.locator("[data-symbol=W_h]").first.hover()
    expect(card).to_contain_text("Wh")
    expect(page.locator(".network .matrix.hh")).to_have_text("Wh")
    page.mouse.move(700, 60)
    expect(card).to_be_hidden()


def test_the_keyboard_stops_once_at_a_formula_and_hears_of_all_its_symbols(page):
    law, card = opened(page)
    page.locator(".step_numbers .sums tbody button").first.focus()
    page.keyboard.press("Shift+Tab")
    expect(law).to_be_focused()
    for word in ("hidden state", "input weights", "recurrent weights", "bias of the state"):
        expect(card).to_contain_text(word)
    expect(law).to_have_attribute("aria-description", re.compile("recurrent weights"))
    page.keyboard.press("Shift+Tab")
    expect(card).to_be_hidden()


def test_on_a_narrow_window_a_tap_opens_a_card_within_it(new_page):
    page = new_page(viewport={"width": 390, "height": 844}, has_touch=True, color_scheme="dark")
    law, card = opened(page)
    law.locator("[data-symbol=W_hh]").first.tap()
    expect(card).to_contain_text("recurrent weights")
    until(page, card.bounding_box, lambda box: box["x"] >= 0 and box["x"] + box["width"] <= 390)
