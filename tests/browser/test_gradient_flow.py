"""The Gradient flow page in a browser: it plays backward, the triangle lights the drawing, and training rebuilds nothing."""

import pytest
from playwright.sync_api import Page, expect
from streamlit.proto.BackMsg_pb2 import BackMsg

from tests.browser.layout_checks import SMALL_NETWORK, fits
from tests.browser.waiting import same_node, until, visit

ARROWS = ".network .back-arrow"
LAST = 14  # columns are numbered from 0


@pytest.fixture
def opened(page: Page) -> Page:
    return open_page(page)


def open_page(page: Page) -> Page:
    visit(page, "gradient_flow", **SMALL_NETWORK)
    page.locator(".network .column").first.wait_for(state="attached")
    page.locator(".triangle rect.size").first.wait_for()
    page.locator(".backward_numbers .strip i").first.wait_for()
    return page


def whole(page: Page):
    return page.locator(".network .whole")


def at(page: Page, step: int, *, back: bool = True) -> None:
    expect(whole(page)).to_have_attribute("data-step", str(step))
    expect(whole(page)).to_have_attribute("data-back", str(back).lower())


def shown_arrows(page: Page) -> int:
    return page.locator(ARROWS).evaluate_all("nodes => nodes.filter((node) => node.style.visibility === 'visible').length")


def shows_arrows(page: Page, many: int) -> None:
    until(page, lambda: shown_arrows(page), lambda shown: shown == many)


def cell(t: int, k: int) -> dict:
    """Where in the triangle the cell of loss t and state k is, both from 1."""
    return {"x": 2 + (k - 0.5) * 244 / (LAST + 1), "y": 2 + (t - 0.5) * 184 / (LAST + 1)}


def point_at(page: Page, t: int, k: int) -> None:
    page.locator(".triangle svg").hover(position=cell(t, k))


def click_on(page: Page, t: int, k: int) -> None:
    page.locator(".triangle svg").click(position=cell(t, k))


def asks(message: bytes) -> bool:
    """Whether the browser sends this because of something a reader did: at rest it asks now and then for news."""
    return not BackMsg.FromString(message).rerun_script.is_auto_rerun


def test_keys_alone_go_backward_and_forward(opened):
    at(opened, 7)  # in the middle, where two branches run_async
    whole(opened).focus()
    for key, step in [("End", LAST), ("ArrowLeft", LAST - 1), ("ArrowRight", LAST), ("Home", 0), ("ArrowLeft", 0)]:
        opened.keyboard.press(key)
        at(opened, step)
    shows_arrows(opened, 2 * LAST + 1)
    opened.keyboard.press("Space")
    expect(whole(opened)).to_have_attribute("data-playing", "true")
    opened.keyboard.press("Space")
    expect(whole(opened)).to_have_attribute("data-playing", "false")


def test_the_pass_backward_plays_from_the_last_step_to_the_first(opened):
    opened.get_by_role("button", name="To the last step").click()
    at(opened, LAST)
    shows_arrows(opened, 1)  # nothing comes from the future
    opened.get_by_role("button", name="Play", exact=True).click()
    at(opened, 0)
    expect(whole(opened)).to_have_attribute("data-playing", "false")
    expect(opened.locator(".backward_numbers .so-far")).to_contain_text("15 of 15")


def test_forward_then_backward_in_one_go(opened):
    opened.get_by_role("button", name="Forward, then backward").click()
    expect(whole(opened)).to_have_attribute("data-back", "false")
    assert shown_arrows(opened) == 0
    expect(whole(opened)).to_have_attribute("data-back", "true")
    at(opened, 0)
    expect(whole(opened)).to_have_attribute("data-playing", "false")


def test_turning_round_begins_the_other_pass(opened):
    turn = opened.get_by_role("button", name="Turn round")
    turn.click()
    at(opened, 0, back=False)
    expect(opened.get_by_role("button", name="softmax")).to_be_visible()
    turn.click()
    at(opened, LAST)


def test_a_named_sub_step_shows_no_more_than_is_computed(opened):
    at(opened, 7)
    before = until(opened, lambda: shown_arrows(opened), bool)
    for name, arrows, numbers in [
        ("dlogits", before - 2, 5),
        ("dh above", before - 1, 4),
        ("dh future", before, 3),
        ("sum", before, 2),
    ]:
        opened.get_by_role("button", name=name, exact=True).click()
        shows_arrows(opened, arrows)
        expect(opened.locator('.backward_numbers .row[data-is="todo"]')).to_have_count(numbers)
        expect(opened.locator(".network .caption")).to_contain_text(name)
    expect(opened.locator(".network .joint")).to_have_css("visibility", "visible")


def test_hovering_a_cell_lights_its_path_and_prints_its_number_without_the_server(page):
    messages = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: asks(frame) and messages.append(frame)))
    opened = open_page(page)
    assert messages
    messages.clear()
    path, value = opened.locator(".network .path"), opened.locator(".triangle .value")
    assert path.evaluate("node => getComputedStyle(node).visibility") == "hidden"
    point_at(opened, t=12, k=5)
    expect(opened.locator(".triangle .where").first).to_have_text("loss at 12 on state 5")
    expect(path).to_have_css("visibility", "visible")
    expect(opened.locator(".network .column.lit")).to_have_count(12 - 5 + 1)
    expect(opened.locator(".network .tag")).to_contain_text(f"loss at 12 on state 5: {value.inner_text()}")
    point_at(opened, t=6, k=6)
    expect(opened.locator(".network .column.lit")).to_have_count(1)
    opened.mouse.move(5, 5)
    expect(path).to_have_css("visibility", "hidden")
    assert messages == []


def test_a_cell_is_held_by_a_click_moved_by_keys_and_let_go(opened):
    click_on(opened, t=12, k=5)
    opened.mouse.move(5, 5)
    lit, where = opened.locator(".network .column.lit"), opened.locator(".triangle .where").first
    expect(lit).to_have_count(8)
    opened.locator(".triangle .cells").focus()
    opened.keyboard.press("ArrowRight")
    expect(where).to_have_text("loss at 12 on state 6")
    opened.keyboard.press("ArrowUp")
    expect(where).to_have_text("loss at 11 on state 6")
    opened.keyboard.press("Escape")
    expect(lit).to_have_count(0)


def test_a_click_on_a_column_moves_the_head_and_all_speak_of_its_step(opened):
    title, where = opened.locator(".backward_numbers h3"), opened.locator(".triangle .where").first
    expect(title).to_contain_text("Step 8")
    opened.locator(".network .hit").nth(11).hover()
    expect(opened.locator(".network .hover")).to_have_css("visibility", "visible")
    expect(title).to_contain_text("Step 8")
    opened.locator(".network .hit").nth(11).click()
    at(opened, 11)
    expect(title).to_contain_text("Step 12")
    expect(where).to_have_text("loss at 15 on state 12")
    click_on(opened, t=12, k=5)
    at(opened, 4)
    expect(title).to_contain_text("Step 5")
    opened.locator(".network .hit").nth(2).click()
    opened.mouse.move(5, 5)
    at(opened, 2)
    expect(where).to_have_text("loss at 15 on state 3")
    expect(opened.locator(".network .column.lit")).to_have_count(0)


def test_while_the_run_trains_nothing_is_rebuilt_and_the_head_keeps_its_place(opened):
    whole(opened).focus()
    opened.keyboard.press("ArrowLeft")
    at(opened, 6)
    kept = [
        same_node(opened.locator(spot))
        for spot in (".network .sheet", ".triangle svg", ".backward_numbers .panel", ".live_figure .plot >> nth=0")
    ]
    arrow = opened.locator(ARROWS).nth(8)
    before = arrow.get_attribute("d")
    opened.get_by_role("button", name="Play: train the network").click()
    first = until(opened, lambda: arrow.get_attribute("d"), lambda d: d != before)
    until(opened, lambda: arrow.get_attribute("d"), lambda d: d != first)
    at(opened, 6)
    assert all(same() for same in kept)
    opened.get_by_role("button", name="Pause", exact=True).click()


def test_beside_a_scroll_bar_the_drawing_is_whole_and_the_panels_stand_in_one_row(opened):
    stage = opened.locator(".network .stage")
    has_scroll_bar = "main => main.offsetWidth > main.clientWidth"
    until(opened, lambda: opened.get_by_test_id("stMain").evaluate(has_scroll_bar), bool)
    until(opened, lambda: stage.evaluate("stage => stage.scrollWidth - stage.clientWidth"), lambda hidden: hidden <= 0)
    panels = [opened.locator(name).first for name in (".backward_numbers", ".triangle", ".live_figure")]
    until(opened, lambda: {round(panel.bounding_box()["y"]) for panel in panels}, lambda heights: len(heights) == 1)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_too_small_or_too_wide(new_page, scheme):
    page = open_page(new_page(color_scheme=scheme))
    page.get_by_role("combobox", name="Text").click()
    page.get_by_role("option", name="a long window", exact=True).click()
    expect(page.locator(".network .column")).to_have_count(40)
    for width, height in ((1280, 720), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        fits(page)


def test_reduced_motion_travels_nowhere(new_page):
    page = open_page(new_page(reduced_motion="reduce"))
    page.get_by_role("button", name="Slow motion").click()
    page.get_by_role("button", name="dh future").click()
    expect(whole(page)).to_have_attribute("data-sub", "2")
    expect(page.locator(".network .traveller")).to_have_count(0)
    assert page.locator(".network .joint").evaluate("node => getComputedStyle(node).transitionDuration") == "0s"


def test_words_stand_beside_the_triangle_and_not_over_it(page):
    visit(page, "gradient_flow", unit="word", **SMALL_NETWORK)
    expect(page.locator(".triangle .where").first).to_contain_text("“")
    expect(page.locator(".triangle .letter:visible")).to_have_count(0)
