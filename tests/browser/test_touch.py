"""A tablet: what is dragged or hovered by a mouse elsewhere is dragged or tapped by a finger."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.places import visit_section
from tests.browser.test_gradient_flow import cell
from tests.browser.test_training import DRAW, expected, place, wait_for_range
from tests.browser.training_page import Training
from tests.browser.waiting import until

TABLET = {"viewport": {"width": 1024, "height": 768}, "has_touch": True, "is_mobile": True}


@pytest.fixture
def tablet(new_page: Callable[..., Page]) -> Page:
    return new_page(**TABLET)


def swipe(page: Page, *points: tuple[float, float]) -> None:
    """Put a finger down at the first of these points of the window, move it to the others, and lift it."""
    session = page.context.new_cdp_session(page)
    for kind, (x, y) in zip(["touchStart", *["touchMove"] * (len(points) - 1)], points, strict=True):
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def drag_thumb(page: Page, slider: Locator, to: float) -> None:
    """Drag the thumb of a slider by a finger to this share of its width."""
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    low, high, value = slider.evaluate("({ min, max, valueAsNumber }) => [Number(min), Number(max), valueAsNumber]")
    begin, y = (value - low) / (high - low), box["y"] + box["height"] / 2
    swipe(page, *((box["x"] + box["width"] * share, y) for share in (begin, (begin + to) / 2, to)))


def test_the_cut_is_dragged_and_a_cell_of_the_triangle_tapped(tablet: Page):
    visit_section(tablet, "truncation", "cut")
    scissors, slider = tablet.locator(".network .scissors"), tablet.get_by_role("slider", name="cut every τ =")
    expect(scissors).to_have_count(2)  # 15 steps, cut every 5
    drag_thumb(tablet, slider, 0.98)
    expect(scissors).to_have_count(0)
    triangle = tablet.locator(".triangle svg").first
    scale = triangle.bounding_box()["width"] / float(triangle.get_attribute("width"))
    triangle.tap(position={axis: scale * px for axis, px in cell(12, 5).items()})
    expect(tablet.locator(".triangle .where").first).to_have_text("loss at 12 on state 5")
    expect(tablet.locator(".network .column.lit")).to_have_count(12 - 5 + 1)


def test_a_knob_is_dragged_and_a_curve_drawn(tablet: Page):
    training = Training(tablet)
    before = training.rate()
    drag_thumb(tablet, tablet.locator(".knob.learning_rate input[type=range]"), 0.9)
    until(tablet, training.rate, lambda rate: rate > before)
    training.button(DRAW).tap()
    wait_for_range(training)
    swipe(tablet, *(place(training, *at) for at in ((1, 80), (10, 50), (30, 40), (300, 20), (900, 10))))
    drawn = until(tablet, lambda: expected(training), len)
    assert max(x for x, _ in drawn) > 500


def test_a_tap_opens_and_closes_the_card_of_a_symbol(tablet: Page):
    visit_section(tablet, "unrolled")
    equation, card = tablet.locator(".step_numbers .sums .law"), tablet.locator(".explain .card")
    expect(equation).to_contain_text("tanh")
    card.wait_for(state="attached")
    equation.locator("[data-symbol=W_hh]").first.tap()
    expect(card).to_contain_text("recurrent weights")
    tablet.locator(".page-title h1").tap()
    expect(card).to_be_hidden()
