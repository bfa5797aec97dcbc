"""The Unrolled page in a browser: every drawing shows the play head's step, which training does not change."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from pages.app.panels.text_model_picker import QUOTATION
from tests.browser.layout_checks import layout_problems
from tests.browser.places import expect_step, play_head, select, visit_section
from tests.browser.waiting import same_node, until, wait_until_idle

TALL = {"width": 1280, "height": 3200}  # drawings outside the window are not updated
SUB_STEPS = ["embed", "pre-activation", "tanh", "logits", "softmax", "loss"]


@pytest.fixture
def unrolled(page: Page) -> Page:
    visit_section(page, "unrolled")
    page.locator(".network .column").first.wait_for(state="attached")
    page.locator(".step_numbers .sums tbody tr").first.wait_for()
    return page


def equation(page: Page) -> str:
    return page.locator(".step_numbers .sums .law").inner_text().replace("\n", "")


def test_a_sub_step_shows_what_is_computed_by_then(unrolled: Page):
    """The tables, the drawing and the opened cell show only values that are computed by the sub-step."""
    parts = ["td.from-0 span", "td.from-1 span", "td.from-2 span", "tr.from-3 td:nth-child(2)", "td.from-4", ".nats"]
    prediction = unrolled.locator(".network .column").nth(5).locator(".prediction")
    unrolled.set_viewport_size(TALL)
    for sub, name in enumerate(SUB_STEPS):
        unrolled.get_by_role("button", name=name, exact=True).click()
        expect(play_head(unrolled)).to_have_attribute("data-sub", str(sub))
        expect(unrolled.locator(".network .caption")).to_contain_text(name)
        for number, part in enumerate(parts):
            visibility = "visible" if number <= sub else "hidden"
            expect(unrolled.locator(f".step_numbers {part}").first).to_have_css("visibility", visibility)
        if sub == 3:
            expect(prediction).to_have_css("visibility", "hidden")
        if sub < 4:
            expect(unrolled.locator('.cell .stage .part[data-is="todo"]')).to_have_count(5 - sub)
    expect(prediction).to_have_css("visibility", "visible")


def test_with_reduced_motion_nothing_is_animated(page: Page):
    page.emulate_media(reduced_motion="reduce")
    for path, button, sub in (("unrolled", "pre-activation", 1), ("gradient_flow", "dh future", 2)):
        visit_section(page, path)
        page.get_by_role("button", name="Slow motion").click()
        page.get_by_role("button", name=button).click()
        expect(play_head(page)).to_have_attribute("data-sub", str(sub))
        expect(page.locator(".network .traveller")).to_have_count(0)
        assert page.locator(".network .head").evaluate("node => getComputedStyle(node).transitionDuration") == "0s"


def shown_steps(page: Page) -> list[int]:
    """The step of the drawing, the cell, the layers, the product, the question, the drawing's equation and the tables; -1 for
    parts not drawn yet."""
    steps = [page.locator(f"{part}[data-step]").get_attribute("data-step") for part in (".network .whole", ".cell .stage")]
    layers = page.locator('.layers [data-layer="TimeRNN"] .box').evaluate_all("all => all.map((box) => box.dataset.is)")
    present = layers.index("present") if "present" in layers else -1
    counted_from_1 = [
        page.locator(".product tbody").get_attribute("data-done"),
        page.locator(".dependence h3").get_attribute("data-step"),
        page.locator(".network .law sub.step").first.inner_text(),
        equation(page).split("=")[0].strip("h "),
    ]
    return [*map(int, steps), present, *(int(said or 0) - 1 for said in counted_from_1)]


def test_clicks_and_keys_move_the_play_head_and_every_drawing_shows_its_step(unrolled: Page):
    def expect_everywhere(step: int) -> None:
        until(unrolled, lambda: shown_steps(unrolled), lambda steps: steps == [step] * 7)

    unrolled.set_viewport_size(TALL)
    unrolled.locator(".network .hit").nth(1).hover()
    expect(unrolled.locator(".network .hover")).to_have_css("visibility", "visible")
    expect_everywhere(5)
    unrolled.locator(".network .hit").nth(2).click()
    expect_everywhere(2)
    box = unrolled.locator(".step_numbers .cells").bounding_box()
    unrolled.mouse.click(box["x"] + box["width"] * 0.25, box["y"] + 30)
    expect_everywhere(1)
    unrolled.locator(".unit_text bdi").nth(4).click()
    expect_everywhere(4)
    expect(unrolled.locator(".dependence rect.broken")).to_have_count(0)
    play_head(unrolled).press("Home")
    expect_everywhere(0)
    expect(unrolled.locator(".cell .stage .before")).to_contain_text("all zeros")


def test_a_unit_is_chosen_in_the_table_by_number_and_by_suggestion(unrolled: Page):
    unrolled.set_viewport_size(TALL)
    units = unrolled.locator(".step_numbers .unit button")
    units.nth(3).click()
    names, number = units.all_inner_texts(), unrolled.get_by_role("spinbutton", name="Unit")
    expect(number).to_have_value(names[3].removeprefix("unit "))
    expect(unrolled.locator(".step_numbers .one-unit")).to_be_visible()
    expect(unrolled.locator(".cell .part.state .marked")).to_have_css("visibility", "visible")
    unrolled.get_by_role("button", name="To the beginning").click()
    expect_step(unrolled, 0)
    assert units.all_inner_texts() == names
    play_head(unrolled).press("Escape")
    expect(unrolled.locator(".step_numbers .one-unit")).to_be_hidden()
    number.fill("3")
    number.press("Enter")
    unrolled.locator(".unit_text .offers button").first.click()
    expect(unrolled.locator('.unit_text .offers button[aria-pressed="true"]')).to_have_count(1)


def test_while_the_run_trains_a_long_text_is_updated_in_place_and_fits(unrolled: Page):
    select(unrolled, "Text", "a window of the text")
    expect(unrolled.locator(".network .column")).to_have_count(40)
    select(unrolled, "Network", "the network")
    wait_until_idle(unrolled)
    play_head(unrolled).press("Home")
    for _ in range(7):
        unrolled.keyboard.press("ArrowRight")
    expect_step(unrolled, 7)
    until(unrolled, lambda: equation(unrolled), lambda words: words.startswith("h8"))
    column = unrolled.locator(".network .column").nth(7)
    are_same = [same_node(unrolled.locator(part)) for part in (".network .sheet", ".step_numbers .sums")]
    before = column.inner_html()
    unrolled.get_by_role("button", name="Play: train the network").click()
    first = until(unrolled, column.inner_html, lambda html: html != before)
    until(unrolled, column.inner_html, lambda html: html != first)
    expect_step(unrolled, 7)
    assert all(is_same() for is_same in are_same)
    unrolled.get_by_role("button", name="Pause", exact=True).click()
    unrolled.get_by_role("button", name="Play: train the network").wait_for()
    for width in (1280, 390):
        unrolled.set_viewport_size({"width": width, "height": 844})
        assert not layout_problems(unrolled, ".network")  # the network is scrolled


def test_on_a_phone_a_tap_opens_a_card_beside_the_symbol_and_within_the_window(new_page: Callable[..., Page]):
    page = new_page(viewport={"width": 390, "height": 844}, has_touch=True, color_scheme="dark")
    visit_section(page, "unrolled")
    equation, card = page.locator(".step_numbers .sums .law"), page.locator(".explain .card")
    expect(equation).to_contain_text("tanh")
    card.wait_for(state="attached")  # from then on, pointer and key events are handled
    symbol = equation.locator("[data-symbol=W_hh]").first
    symbol.tap()
    expect(card).to_contain_text("recurrent weights")
    expect(card.locator("[lang=ja]")).not_to_be_empty()
    until(page, card.bounding_box, lambda box: box["x"] >= 0 and box["x"] + box["width"] <= 390)

    def gap() -> float:  # px between the card and the symbol, whichever is above
        upper, lower = sorted((symbol.bounding_box(), card.bounding_box()), key=lambda box: box["y"])
        return lower["y"] - upper["y"] - upper["height"]

    until(page, gap, lambda px: px > 0)
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()


def test_a_replaced_letter_moves_the_sentence_the_curve_and_the_address(page: Page):
    """By a click on a letter, by arrow keys, and by the list of what takes its place."""
    visit_section(page, "unrolled")
    says, stage, chosen = (
        page.locator(".replacement .says"),
        page.locator(".replacement .stage"),
        page.locator(".replacement .token"),
    )
    curve = page.locator(".st-key-replacement_distance .scatterlayer .trace").first.locator("path.js-line")
    curve.wait_for(state="attached")

    def after(act: Callable[[], object]) -> tuple[str, str]:
        before = says.inner_text(), curve.get_attribute("d")
        act()
        sentence = until(page, says.inner_text, lambda text: text != before[0])
        return sentence, until(page, lambda: curve.get_attribute("d"), lambda path: path != before[1])

    after(lambda: page.locator(".replacement td button", has_text="c").click())
    expect(chosen).to_have_text("c")
    until(page, lambda: page.url, lambda url: "letter=2" in url)
    stage.focus()
    after(lambda: page.keyboard.press("ArrowRight"))
    expect(chosen).to_have_text("h")
    other = page.locator(".replacement b.other").filter(has_text="m")
    sentence, _curve = after(lambda: page.locator(".replacement select").select_option(label="m"))
    expect(other).to_be_visible()
    assert "“m” for “h”" in sentence
    after(lambda: page.keyboard.press("ArrowDown"))
    expect(stage).to_be_focused()


@pytest.mark.parametrize("text", ["machine", QUOTATION])
def test_a_replaced_letter_with_its_states_fits_into_a_presented_window(page: Page, text: str):
    visit_section(page, "unrolled", text=text, present=1)
    panel = page.locator(".replacement .panel")
    panel.wait_for()
    panel.scroll_into_view_if_needed()
    box = panel.bounding_box()
    assert box["height"] <= page.viewport_size["height"]
    table, stage = (page.locator(f".replacement {part}").bounding_box() for part in ("table", ".stage"))
    assert table["width"] <= stage["width"] + 1
