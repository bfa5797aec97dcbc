"""The Recurrent step page in a browser: cells under the pointer, typed numbers, and the largest sizes on a phone."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.layout_checks import layout_problems
from tests.browser.places import visit_section
from tests.browser.waiting import until
from tests.pages.figures.drawings import value

SMALL = {"hidden_size": 16, "num_steps": 8}


def test_a_result_under_the_pointer_or_focus_marks_its_row_and_column(page: Page):
    visit_section(page, "recurrent_step", "products", **SMALL)
    page.get_by_role("button", name="one product row 3, column 1").hover()
    expect(page.locator(".sum")).to_contain_text("row 3, column 1")
    marked = page.locator(".equation").first.locator("input.lit")
    X, W_xh = marked.nth(0).input_value(), marked.nth(1).input_value()
    expect(page.locator(".addend").first).to_contain_text(X)
    product = page.locator(".addend > :last-child").first.inner_text()
    assert value(product) == pytest.approx(value(X) * value(W_xh))
    page.get_by_role("button", name="one product row 2, column 3").focus()
    for key, place in (("ArrowRight", "row 2, column 4"), ("ArrowDown", "row 3, column 4")):
        page.keyboard.press(key)
        expect(page.locator(".sum")).to_contain_text(place)


def test_a_typed_number_is_used_nonsense_is_refused_and_the_focus_moves_on(page: Page):
    visit_section(page, "recurrent_step", "products", **SMALL)
    cell, result = page.get_by_label("X row 1, column 1"), page.get_by_role("button", name="one product row 1, column 1")
    before, typed = result.inner_text(), cell.first.input_value()
    cell.first.fill("<b>1</b>")
    cell.first.press("Enter")
    expect(page.locator(".blocks .notice")).to_contain_text("takes a number")
    expect(cell.first).to_have_value(typed)
    cell.first.fill("-7.5")
    cell.first.press("Tab")
    until(page, result.inner_text, lambda text: text != before)
    expect(cell.nth(1)).to_have_value("−7.5")
    expect(page.get_by_label("X row 1, column 2").first).to_be_focused()


def test_the_largest_sizes_fit_on_a_phone(new_page: Callable[..., Page]):
    page = visit_section(new_page(viewport={"width": 390, "height": 844}), "recurrent_step", "products", **SMALL)
    for name, new in (
        ("Rows", page.get_by_label("X row 6, column 1")),
        ("Width of the input", page.get_by_label("X row 6, column 6")),
        ("Hidden units", page.get_by_role("button", name="one product row 6, column 6")),
    ):
        page.get_by_label(name).select_option("6")
        expect(new.first).to_be_visible()
        expect(page.get_by_label(name)).to_have_value("6")
    page.get_by_label("Decimals").select_option("4")
    expect(page.locator(".equation").nth(1).get_by_text("12×6")).to_be_visible()
    expect(page.get_by_role("button", name="one product row 1, column 1")).to_have_text(re.compile(r"\.\d{4}$"))
    assert not layout_problems(page)


def test_the_graph_opens_numbers_and_a_gradient_marks_what_it_is_made_of(page: Page):
    visit_section(page, "recurrent_step", "back", **SMALL)
    opened, grids = page.locator(".diagram .opened"), page.locator(".diagram .grid")
    name = opened.locator("figcaption").first
    until(page, lambda: grids.nth(0).hover() or name.inner_text(), lambda text: "hprev" in text)  # parts above it may be loading
    titles = grids.nth(0).locator("title").all_text_contents()
    expect(opened.locator(".numbers").first.locator("span")).to_have_count(len(titles))
    page.mouse.move(1, 1)
    grids.nth(2).focus()
    expect(name).to_contain_text("Whh")
    page.get_by_role("button", name="New numbers").click()
    until(page, grids.nth(0).locator("title").all_text_contents, lambda now: now != titles)
    expect(name).to_contain_text("Whh")
    page.get_by_role("button", name="dW_hh row 3, column 2").hover()
    panels = page.locator(".blocks .panel")
    expect(panels.nth(3).locator(".cell.lit")).to_have_count(3 + 3 + 1)  # N = 3: a row of h_prev.T, a column of dt, the result
    expect(panels.nth(4).locator(".band")).to_have_count(3)


def test_a_memory_is_built_by_dragging_by_keys_and_by_typing(page: Page):
    visit_section(page, "recurrent_step", "memory", **SMALL)
    cell, perplexity = page.get_by_label("W_xh row 1, column 1"), page.locator(".st-key-bit_bar .title b").first

    def after(act: Callable[[], object]) -> float:
        before = perplexity.inner_text()
        act()
        return value(until(page, perplexity.inner_text, lambda text: text != before).split()[-1])

    cell.focus()
    first = after(lambda: page.keyboard.press("ArrowDown"))
    expect(cell).to_have_value("−0.6")
    page.keyboard.press("Escape")
    box = page.get_by_label("W_xh row 2, column 1").bounding_box()
    x, y = box["x"] + 5, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    dragged = after(lambda: page.mouse.move(x + 100, y, steps=4))
    page.mouse.up()
    expect(page.get_by_label("W_xh row 2, column 1")).to_have_value("2.40")
    assert dragged < first
    cell.fill("-3")
    assert after(lambda: cell.press("Enter")) < dragged
    until(page, lambda: page.url, lambda url: "weights=-3_2.4_" in url)


def test_a_task_is_chosen_solved_broken_and_given_to_gradient_descent(page: Page):
    visit_section(page, "recurrent_step", "memory", **SMALL)
    result = page.locator(".st-key-bit_result")
    page.get_by_label("What the network has to tell").select_option("name the bit before")
    page.get_by_label("Hidden units: 8").select_option("2")
    expect(page.get_by_label("W_hh row 2, column 2")).to_be_visible()
    page.get_by_role("button", name="Solution").click()
    expect(result).to_contain_text("Solved")
    page.get_by_role("button", name="Break it").click()
    expect(result).to_contain_text("Not yet")
    page.get_by_role("button", name="Mend it").click()
    expect(result).to_contain_text("Solved")
    page.get_by_role("button", name="Again", exact=True).click()
    expect(result).to_contain_text("Not yet")
    page.get_by_role("button", name="Gradient descent").click()
    page.locator(".st-key-bit_descent .plot").wait_for()
    expect(result).to_contain_text("Solved")
    page.get_by_label("update", exact=True).first.press("Home")
    expect(result).to_contain_text("Not yet")
