"""The Gradient flow page in a browser: it plays backward, the triangle marks paths, and training rebuilds no element."""

import pytest
from playwright.sync_api import Page, expect
from streamlit.proto.BackMsg_pb2 import BackMsg

from tests.browser.layout_checks import layout_problems
from tests.browser.places import expect_step, play_head, select, visit_section
from tests.browser.training_page import PLAY
from tests.browser.waiting import query_params, same_node, until

ARROWS = ".network .back-arrow"
STEPS = 15
LAST = STEPS - 1  # columns are numbered from 0


def visit_gradient_flow(page: Page) -> Page:
    visit_section(page, "gradient_flow")
    page.locator(".network .column").first.wait_for(state="attached")
    page.locator(".triangle rect.size").first.wait_for()
    page.locator(".backward_numbers .strip i").first.wait_for()
    return page


@pytest.fixture
def flow(page: Page) -> Page:
    return visit_gradient_flow(page)


def arrows(page: Page) -> int:
    count = "nodes => nodes.filter((node) => getComputedStyle(node).visibility === 'visible').length"
    return page.locator(ARROWS).evaluate_all(count)


def expect_arrows(page: Page, number: int) -> None:
    until(page, lambda: arrows(page), lambda shown: shown == number)


def cell(t: int, k: int) -> dict[str, float]:
    """The position in the triangle of the cell of loss t and state k, both counted from 1."""
    return {"x": 2 + (k - 0.5) * 244 / STEPS, "y": 2 + (t - 0.5) * 184 / STEPS}


def test_the_pass_backward_is_shown_by_sub_steps_stepped_by_keys_and_played(flow: Page):
    expect_step(flow, 7, back=True)  # a middle step, where two gradients are added
    before = until(flow, lambda: arrows(flow), bool)
    for name, missing, unknown in [("dlogits", 2, 5), ("dh above", 1, 4), ("dh future", 0, 3), ("sum", 0, 2)]:
        flow.get_by_role("button", name=name, exact=True).click()
        expect_arrows(flow, before - missing)  # only arrows of gradients that are computed by then
        expect(flow.locator('.backward_numbers .row[data-is="todo"]')).to_have_count(unknown)
        expect(flow.locator(".network .caption")).to_contain_text(name)
    expect(flow.locator(".network .joint")).to_have_css("visibility", "visible")
    play_head(flow).press("End")
    expect_step(flow, LAST, back=True)
    expect_arrows(flow, 1)  # the last step has no gradient from the future
    flow.keyboard.press("Space")
    expect_step(flow, 0, back=True)
    expect(play_head(flow)).to_have_attribute("data-playing", "false")
    expect_arrows(flow, 2 * LAST + 1)
    expect(flow.locator(".backward_numbers .so-far")).to_contain_text("15 of 15")


def test_a_cell_under_the_pointer_marks_its_path_and_clicks_move_the_play_head(page: Page):
    messages = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda message: messages.append(message)))
    flow = visit_gradient_flow(page)
    assert messages
    messages.clear()
    path, value, where = flow.locator(".network .path"), flow.locator(".triangle .value"), flow.locator(".triangle .where").first
    triangle, marked = flow.locator(".triangle svg"), flow.locator(".network .column.lit")
    expect(path).to_have_css("visibility", "hidden")
    triangle.hover(position=cell(12, 5))
    expect(where).to_have_text("loss at 12 on state 5")
    expect(path).to_have_css("visibility", "visible")
    expect(marked).to_have_count(12 - 5 + 1)
    expect(flow.locator(".network .tag")).to_contain_text(f"loss at 12 on state 5: {value.inner_text()}")
    flow.mouse.move(5, 5)
    expect(path).to_have_css("visibility", "hidden")
    assert all(BackMsg.FromString(message).rerun_script.is_auto_rerun for message in messages)  # only polls, none by hovering
    triangle.click(position=cell(12, 5))
    flow.mouse.move(5, 5)
    expect(marked).to_have_count(8)
    flow.locator(".triangle .cells").press("ArrowRight")
    expect(where).to_have_text("loss at 12 on state 6")
    flow.keyboard.press("ArrowUp")
    expect(where).to_have_text("loss at 11 on state 6")
    flow.keyboard.press("Escape")
    expect(marked).to_have_count(0)
    title = flow.locator(".backward_numbers h3")
    flow.locator(".network .hit").nth(11).click()
    expect_step(flow, 11, back=True)
    expect(title).to_contain_text("Step 12")
    expect(where).to_have_text("loss at 15 on state 12")
    triangle.click(position=cell(12, 5))
    expect_step(flow, 4, back=True)
    expect(title).to_contain_text("Step 5")


def test_while_the_run_trains_nothing_is_rebuilt_and_a_long_window_fits(flow: Page):
    main, stage = flow.get_by_test_id("stMain"), flow.locator(".network .stage")
    until(flow, lambda: main.evaluate("main => main.offsetWidth > main.clientWidth"), bool)  # with a scroll bar
    until(flow, lambda: stage.evaluate("stage => stage.scrollWidth - stage.clientWidth"), lambda px: px <= 0)
    panels = [flow.locator(name).first for name in (".backward_numbers", ".triangle", ".live_figure")]
    until(flow, lambda: {round(panel.bounding_box()["y"]) for panel in panels}, lambda tops: len(tops) == 1)
    play_head(flow).press("ArrowLeft")
    expect_step(flow, 6, back=True)
    parts = (".network .sheet", ".triangle svg", ".backward_numbers .panel", ".live_figure .plot >> nth=0")
    are_same, arrow = [same_node(flow.locator(part)) for part in parts], flow.locator(ARROWS).nth(8)
    before = arrow.get_attribute("d")
    flow.get_by_role("button", name=PLAY).click()
    first = until(flow, lambda: arrow.get_attribute("d"), lambda d: d != before)
    until(flow, lambda: arrow.get_attribute("d"), lambda d: d != first)
    expect_step(flow, 6, back=True)
    assert all(is_same() for is_same in are_same)
    flow.get_by_role("button", name="Pause", exact=True).click()
    flow.get_by_role("button", name=PLAY).wait_for()
    select(flow, "Text", "a long window")
    expect(flow.locator(".network .column")).to_have_count(40)
    for width in (1280, 390):
        flow.set_viewport_size({"width": width, "height": 844})
        assert not layout_problems(flow, ".network")  # the network is scrolled


def wait_for_sentence(page: Page, part: str) -> None:
    expect(page.locator(".comparison .sentence")).to_contain_text(part)


def test_a_weight_is_chosen_by_click_by_keys_and_by_its_numbers(page: Page):
    visit_section(page, "gradient_flow", "gradient_check")
    cells = page.locator(".weight_map .cells")
    row, column = (page.get_by_role("spinbutton", name=name) for name in ("Row", "Column"))
    cells.scroll_into_view_if_needed()
    box = cells.bounding_box()
    cells.click(position={"x": box["width"] * 10.5 / 32, "y": box["height"] * 20.5 / 32})
    expect(row).to_have_value("20")
    expect(column).to_have_value("10")
    wait_for_sentence(page, "W_hh[20, 10]")
    cells.press("ArrowUp")
    cells.press("ArrowRight")
    wait_for_sentence(page, "W_hh[19, 11]")
    column.fill("3")
    column.press("Enter")
    wait_for_sentence(page, "W_hh[19, 3]")
    page.get_by_label("Matrix", exact=True).select_option("b_q")
    wait_for_sentence(page, "b_q[")
    expect(row).to_be_disabled()


def test_both_paths_are_played_and_their_start_is_chosen_on_the_map(page: Page):
    visit_section(page, "gradient_flow", "cliff")
    bar = page.get_by_role("toolbar", name="Play the updates")
    bar.get_by_role("button", name="To the start").click()
    expect(bar).to_contain_text("update 0")
    bar.get_by_role("button", name="An update on").click()
    expect(page.locator(".cliff_map tbody tr").last).to_contain_text("0.3")  # b_h, after a step of 0.1 at most from 0.4
    bar.get_by_role("button", name="Play", exact=True).click()
    expect(bar).to_contain_text("update 50", timeout=30_000)
    plot = page.locator(".cliff_map .nsewdrag")
    box = plot.bounding_box()
    plot.click(position={"x": box["width"] * 0.2, "y": box["height"] * 0.1})  # of −0.6 to 1 and of 2 to 0.4
    query = until(page, lambda: query_params(page), lambda query: "bias" in query)
    assert (query["bias"], query["W"]) == ("-0.3", "1.85")
    expect(page.get_by_role("slider", name="start b_h")).to_have_value("6")
    page.get_by_role("application", name="The map").focus()
    page.keyboard.press("ArrowRight")
    until(page, lambda: query_params(page)["bias"], lambda bias: bias == "-0.25")
    page.locator(".st-key-cliff_after").get_by_role("button", name="500").click()
    expect(page.locator(".st-key-cliff_starts")).to_contain_text("500")
