"""Symbols explain themselves to a pointer, to the keyboard and to a finger; and the other source's names are a choice away."""

from playwright.sync_api import Locator, Page, expect

from tests.browser.looking import SMALL_NETWORK
from tests.browser.waiting import visit


def opened(page: Page, **more: object) -> tuple[Locator, Locator]:
    """The law of the present step on the Unrolled page, and the card."""
    visit(page, "unrolled", **SMALL_NETWORK, **more)
    law = page.locator(".step_numbers .sums .law")
    expect(law).to_contain_text("tanh")
    return law, page.locator(".explain .card")


def test_a_symbol_explains_itself_beside_the_pointer_and_escape_closes_it(page):
    law, card = opened(page)
    law.locator("[data-symbol=b_h]").first.hover()
    expect(card).to_contain_text("bias of the state")
    symbol = law.locator("[data-symbol=W_hh]").first
    symbol.hover()
    expect(card).to_be_visible()
    expect(card).to_contain_text("recurrent weights")
    expect(card.locator("[lang=ja]")).not_to_be_empty()
    own, over = symbol.bounding_box(), card.bounding_box()
    assert own["y"] + own["height"] < over["y"] or over["y"] + over["height"] < own["y"]
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    page.mouse.move(700, 60)
    page.get_by_role("combobox", name="Notation").select_option("second")
    expect(law).to_contain_text("Wx")
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
    assert "recurrent weights" in law.get_attribute("aria-description")
    page.keyboard.press("Shift+Tab")
    expect(card).to_be_hidden()


def test_on_a_narrow_window_a_tap_opens_a_card_within_it(new_page):
    page = new_page(viewport={"width": 390, "height": 844}, has_touch=True, color_scheme="dark")
    law, card = opened(page)
    law.locator("[data-symbol=W_hh]").first.tap()
    expect(card).to_contain_text("recurrent weights")
    box = card.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
