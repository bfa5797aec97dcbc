"""The Recurrent step page in a browser: cells light up, numbers can be typed in, and nothing is too small or too wide."""

import re

import pytest
from playwright.sync_api import Page, expect

from pages.recurrent_step.sections import SECTIONS
from tests.browser.layout_checks import fits, turn_to
from tests.browser.waiting import until, visit

PARTS = {  # what of each section can be seen
    "why": ".live_figure .plot[data-drawn]",
    "order": ".blocks .panels",
    "networks": ".two_networks .predictions",
    "products": ".blocks .equation",
    "shapes": ".shapes .box",
    "back": ".blocks code",
}


@pytest.fixture
def small(page: Page) -> Page:
    """The page on a small text, so that no test waits for a large one."""
    return opened(page)


def opened(page: Page, *, by_link: bool = False) -> Page:
    visit(page, "training" if by_link else "recurrent_step", max_tokens=20_000, hidden_size=16, batch_size=8, num_steps=8)
    if by_link:
        page.get_by_role("link", name="Recurrent step").click()
    expect(page.get_by_role("heading", name="Recurrent step")).to_be_visible()
    page.locator(".sections").wait_for()
    return page


def go(page: Page, section: str) -> None:
    turn_to(page, section, PARTS[section])


def number(text: str) -> float:
    return float(text.replace("−", "-"))


def test_cells_are_coloured_by_sign_and_size(small):
    go(small, "products")
    cells = small.locator(".equation").first.locator("input.cell")
    shades = {cell.input_value(): cell.evaluate("cell => getComputedStyle(cell).backgroundColor") for cell in cells.all()}
    green = {number(text) > 0: [] for text in shades}
    for text, shade in shades.items():
        _, green_part, blue = (int(part) for part in re.findall(r"\d+", shade)[:3])
        if abs(number(text)) >= 0.5:
            green[number(text) > 0].append(green_part > blue)
    assert all(green[True])
    assert not any(green[False])


def test_a_cell_under_the_pointer_lights_its_row_and_column(small):
    go(small, "products")
    small.get_by_role("button", name="one product row 3, column 1").hover()
    expect(small.locator(".sum")).to_contain_text("row 3, column 1")
    lit = small.locator(".equation").first.locator("input.lit")
    X, W_xh = lit.nth(0).input_value(), lit.nth(1).input_value()
    expect(small.locator(".addend").first).to_contain_text(X)
    products = [number(text) for text in small.locator(".addend > :last-child").all_inner_texts()]
    assert products[0] == pytest.approx(number(X) * number(W_xh))
    assert sum(products) == pytest.approx(number(small.locator(".total b").inner_text()), abs=1e-9)


def test_a_typed_number_is_computed_with_and_the_focus_goes_on(small):
    go(small, "products")
    cell = small.get_by_label("X row 1, column 1").first
    total = small.get_by_role("button", name="one product row 1, column 1")
    before = total.inner_text()
    cell.fill("-7.5")
    cell.press("Tab")
    until(small, total.inner_text, lambda text: text != before)
    expect(small.get_by_label("X row 1, column 1").nth(1)).to_have_value("−7.5")
    expect(small.get_by_label("X row 1, column 2").first).to_be_focused()


def test_what_is_no_number_is_told_and_changes_nothing(small):
    go(small, "products")
    cell = small.get_by_label("X row 1, column 1").first
    before = cell.input_value()
    cell.fill("<b>1</b>")
    cell.press("Enter")
    expect(small.locator(".blocks .notice")).to_contain_text("takes a number")
    expect(cell).to_have_value(before)


def test_result_cells_can_be_walked_with_the_keyboard(small):
    go(small, "products")
    small.get_by_role("button", name="one product row 2, column 3").focus()
    small.keyboard.press("ArrowRight")
    expect(small.locator(".sum")).to_contain_text("row 2, column 4")
    small.keyboard.press("ArrowDown")
    expect(small.locator(".sum")).to_contain_text("row 3, column 4")


def test_the_largest_sizes_fit_a_telephone(new_page):
    page = opened(new_page(viewport={"width": 390, "height": 844}))
    go(page, "products")
    for name, new in (
        ("Rows", page.get_by_label("X row 6, column 1")),
        ("Width of the input", page.get_by_label("X row 6, column 6")),
        ("Hidden units", page.get_by_role("button", name="one product row 6, column 6")),
    ):
        page.get_by_label(name).select_option("6")
        expect(new.first).to_be_visible()  # the page has heard of it
        expect(page.get_by_label(name)).to_have_value("6")
    page.get_by_label("Decimals").select_option("4")
    expect(page.locator(".equation").nth(1).get_by_text("12×6")).to_be_visible()
    expect(page.get_by_role("button", name="one product row 1, column 1")).to_have_text(re.compile(r"\.\d{4}$"))
    fits(page)


def test_new_sizes_draw_new_numbers(small):
    go(small, "products")
    small.get_by_label("Hidden units").select_option("6")
    expect(small.locator(".equation").first.get_by_text("6×6")).to_be_visible()
    small.get_by_label("Width of the input").select_option("6")
    expect(small.locator(".equation").nth(1).get_by_text("12×6")).to_be_visible()
    first = small.get_by_label("X row 1, column 1").first
    before = first.input_value()
    small.get_by_role("button", name="New numbers").click()
    until(small, first.input_value, lambda text: text != before)


def test_a_slider_redraws_the_shapes_while_it_moves(small):
    go(small, "shapes")
    drawing = small.locator(".shapes .drawing")
    expect(drawing).to_contain_text("16×16")
    small.get_by_role("slider", name="H, hidden units").focus()
    small.keyboard.press("ArrowRight")
    expect(drawing).to_contain_text("32×32")
    expect(small.get_by_role("slider", name="H, hidden units")).to_be_focused()


def test_more_time_steps_keep_the_parameters(small):
    go(small, "shapes")
    learnt = small.locator(".cards .panel").nth(1).locator("dd")
    before = learnt.last.inner_text()
    small.get_by_role("slider", name="T, time steps").focus()
    small.keyboard.press("End")
    expect(small.locator(".shapes .deck")).to_be_visible()
    expect(small.locator(".cards .panel").nth(1)).to_contain_text("T = 1\u2009000: learnt")
    until(small, learnt.all_inner_texts, lambda now: now == [before, before])
    expect(small.locator(".shapes .row")).to_have_count(5)


def test_a_wire_of_the_graph_opens_its_numbers_with_pointer_and_keyboard(small):
    go(small, "back")
    opened, grids = small.locator(".diagram .opened"), small.locator(".diagram .grid")
    grids.nth(0).hover()
    expect(opened.locator("figcaption").first).to_contain_text("hprev")
    titles = grids.nth(0).locator("title").all_text_contents()
    expect(opened.locator(".numbers").first.locator("span")).to_have_count(len(titles))
    small.mouse.move(1, 1)
    grids.nth(2).focus()
    expect(opened.locator("figcaption").first).to_contain_text("Whh")
    small.get_by_role("button", name="New numbers").click()
    until(small, grids.nth(0).locator("title").all_text_contents, lambda now: now != titles)
    expect(opened.locator("figcaption").first).to_contain_text("Whh")


def test_turning_through_the_sections_leaves_no_error(page):
    opened(page, by_link=True)
    for section in [*SECTIONS, *reversed(SECTIONS)]:
        go(page, section)


def test_two_tokens_are_exchanged_by_pressing_them(small):
    go(small, "networks")
    tokens = small.locator(".two_networks button.token")
    first, second = tokens.nth(0), tokens.nth(3)
    before = [first.inner_text(), second.inner_text()]
    first.click()
    expect(first).to_have_attribute("aria-pressed", "true")
    second.click()
    exchanged = small.locator(".two_networks span.token")
    expect(exchanged.nth(0)).to_have_text(before[1])
    expect(exchanged.nth(3)).to_have_text(before[0])
    expect(small.locator(".two_networks .verdict").first).to_contain_text("alike" if before[0] == before[1] else "does not move")


def test_an_equation_of_the_step_back_lights_by_itself(small):
    go(small, "back")
    small.get_by_role("button", name="dW_hh row 3, column 2").hover()
    panel = small.locator(".blocks .panel").nth(3)
    expect(panel.locator(".cell.lit")).to_have_count(3 + 3 + 1)  # a row of h_prev.T, a column of dt, the result: N = 3
    expect(small.locator(".blocks .panel").nth(4).locator(".band")).to_have_count(3)
    row, column = (panel.locator(".body").nth(i).locator(".lit").all_inner_texts() for i in (0, 1))
    total = sum(number(a) * number(b) for a, b in zip(row, column, strict=True))
    assert total == pytest.approx(number(panel.locator(".body").nth(2).locator(".lit").inner_text()), abs=0.04)
