"""What the reader expects is drawn into the live chart, by hand or by keys, and stays there while the truth comes."""

import math
import re

import pytest
from playwright.sync_api import expect

from tests.browser.test_training import SMALL, Training
from tests.browser.waiting import same_node, until

WIDE = {"width": 1700, "height": 900}  # where the page, and with it the chart, is enlarged


def line(training):
    """The line in the chart: [x, y] each."""
    trace = "plot.data.find(trace => trace.name === 'expected')"
    return training.figure(f"({trace}?.x ?? []).map((x, i) => [x, {trace}.y[i]])")


def place(training, x, y):
    """Where a value of the chart is in the window, as plotly has it on the screen."""
    return training.plot.evaluate(
        """(plot, [x, y]) => {
            const {xaxis, yaxis} = plot._fullLayout, box = plot.querySelector('.nsewdrag').getBoundingClientRect();
            const share = (axis, value) => (Math.log10(value) - axis.range[0]) / (axis.range[1] - axis.range[0]);
            return [box.x + share(xaxis, x) * box.width, box.y + (1 - share(yaxis, y)) * box.height];
        }""",
        [x, y],
    )


def has_room(training, *, is_there=True):
    """Wait until the chart reaches as far as somebody may draw, or no longer does."""
    end = "plot.layout.xaxis.range[1]"  # as a power of ten
    until(training.page, lambda: training.figure(end), lambda end: (end >= 3) == is_there)


def begin(training):
    training.button("Draw what you expect").click()
    has_room(training)


@pytest.mark.parametrize("viewport", [{"width": 1280, "height": 720}, WIDE], ids=["as drawn", "enlarged"])
def test_a_line_is_drawn_while_it_trains_stays_and_is_compared(new_page, viewport):
    training = Training(new_page(viewport=viewport), speed=20)
    kept = same_node(training.plot)
    training.play()
    training.trained(5)
    begin(training)
    mouse = training.page.mouse
    mouse.move(*place(training, 1, 80))
    mouse.down()
    mouse.move(*place(training, 30, 40), steps=6)
    training.redrawn(3)  # the chart goes on under the hand
    mouse.move(*place(training, 900, 10), steps=6)
    mouse.up()
    drawn = until(training.page, lambda: line(training), len)
    for x, y in ((1, 80), (30, 40), (900, 10)):
        near = min(drawn, key=lambda point, x=x: abs(math.log(point[0] / x)))
        assert near == pytest.approx([x, y], rel=0.2)  # columns are some px wide
    expect(training.page.locator(".expecting [role=status]")).to_have_text(re.compile(r"At update \d+.*\d"))
    training.redrawn(10)
    assert line(training) == drawn
    assert kept()
    assert training.traces("earlier run") == 0
    training.pause()
    training.button("Clear").click()
    until(training.page, lambda: line(training), lambda points: not points)


def test_keys_draw_a_line_and_escape_cancels_one(page):
    training = Training(page, **SMALL)
    begin(training)
    canvas = page.get_by_role("application")
    expect(canvas).to_be_focused()
    canvas.press("ArrowUp")
    canvas.press(" ")
    canvas.press("Escape")
    expect(training.button("Draw what you expect")).to_be_focused()
    has_room(training, is_there=False)
    assert line(training) == []
    training.button("Draw what you expect").press("Enter")
    expect(canvas).to_be_focused()
    has_room(training)
    for key in ("ArrowUp", " ", *["Shift+ArrowRight"] * 5, *["ArrowDown"] * 4, " ", "Enter"):
        canvas.press(key)
    drawn = until(page, lambda: line(training), len)
    assert drawn[0][1] > drawn[-1][1]
    assert drawn[-1][0] > 10 * drawn[0][0]
    expect(training.button("Draw what you expect")).to_be_focused()
    assert training.update() == 0
