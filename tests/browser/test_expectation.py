"""The expected curve is drawn into the live chart by pointer or keyboard, and stays there while the run trains."""

import math
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.training_page import Training
from tests.browser.waiting import same_node, until

ENLARGED = {"width": 1700, "height": 900}  # a window in which the page, and with it the chart, is scaled
DRAW = "Draw what you expect"


def expected(training: Training) -> list[list[float]]:
    """The points of the expected curve: [x, y] each."""
    trace = "plot.data.find(trace => trace.name === 'expected')"
    return training.figure(f"({trace}?.x ?? []).map((x, i) => [x, {trace}.y[i]])")


def place(training: Training, x: float, y: float) -> list[float]:
    """Where a value of the chart is in the window."""
    return training.plot.evaluate(
        """(plot, [x, y]) => {
            const {xaxis, yaxis} = plot._fullLayout, box = plot.querySelector('.nsewdrag').getBoundingClientRect();
            const share = (axis, value) => (Math.log10(value) - axis.range[0]) / (axis.range[1] - axis.range[0]);
            return [box.x + share(xaxis, x) * box.width, box.y + (1 - share(yaxis, y)) * box.height];
        }""",
        [x, y],
    )


def wait_for_range(training: Training, *, extended: bool = True) -> None:
    """Wait until the chart reaches as far as a curve may be drawn, or no longer does."""
    exponent = "plot.layout.xaxis.range[1]"
    until(training.page, lambda: training.figure(exponent), lambda end: (end >= 3) == extended)


def test_a_line_is_drawn_while_it_trains_stays_and_is_compared(new_page: Callable[..., Page]):
    training = Training(new_page(viewport=ENLARGED), speed=20)
    is_same = same_node(training.plot)
    training.play()
    training.wait_for_updates(5)
    training.button(DRAW).click()
    wait_for_range(training)
    mouse = training.page.mouse
    mouse.move(*place(training, 1, 80))
    mouse.down()
    mouse.move(*place(training, 30, 40), steps=6)
    training.wait_for_draws(3)  # before the button is released
    mouse.move(*place(training, 900, 10), steps=6)
    mouse.up()
    drawn = until(training.page, lambda: expected(training), len)
    for x, y in ((1, 80), (30, 40), (900, 10)):
        nearest = min(drawn, key=lambda point, x=x: abs(math.log(point[0] / x)))
        assert nearest == pytest.approx([x, y], rel=0.2)  # columns are some px wide
    expect(training.page.locator(".expecting [role=status]")).to_have_text(re.compile(r"At update \d+.*\d"))
    training.wait_for_draws(3)
    assert expected(training) == drawn
    assert is_same()
    assert training.traces("earlier run") == 0
    training.pause()
    training.button("Clear").click()
    until(training.page, lambda: expected(training), lambda points: not points)


def test_keys_draw_a_line_and_escape_cancels(page: Page):
    training = Training(page)
    training.button(DRAW).click()
    wait_for_range(training)
    canvas = page.get_by_role("application")
    expect(canvas).to_be_focused()
    for key in ("ArrowUp", " ", "Escape"):
        canvas.press(key)
    expect(training.button(DRAW)).to_be_focused()
    wait_for_range(training, extended=False)
    assert expected(training) == []
    training.button(DRAW).press("Enter")
    expect(canvas).to_be_focused()
    wait_for_range(training)
    for key in ("ArrowUp", " ", *["Shift+ArrowRight"] * 5, *["ArrowDown"] * 4, " ", "Enter"):
        canvas.press(key)
    drawn = until(page, lambda: expected(training), len)
    assert drawn[0][1] > drawn[-1][1]
    assert drawn[-1][0] > 10 * drawn[0][0]
    expect(training.button(DRAW)).to_be_focused()
    assert training.update() == 0
