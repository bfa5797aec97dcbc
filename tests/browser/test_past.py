"""Earlier moments of a run: the card's slider and film change every page; clicks on the chart select a moment."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.places import open_page
from tests.browser.training_page import Training
from tests.browser.waiting import until, wait_until_idle

UPDATES = 60


class PastRun(Training):
    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self.card = page.locator(".run_card .card")
        self.slider = page.get_by_role("slider", name="Go back in the run")
        self.run_to(UPDATES)
        self.wait_until_charted(UPDATES)
        until(page, lambda: int(self.slider.get_attribute("max") or 0), lambda moments: moments > 20)

    def click_on(self, name: str, update: int) -> None:
        x, y = self.point(name, update)
        self.page.mouse.move(x - 3, y)
        self.page.mouse.move(x, y)
        self.plot.locator(".hoverlayer .hovertext").first.wait_for()
        self.page.mouse.click(x, y)

    def expect_moment(self, update: int) -> None:
        expect(self.card.locator(".head")).to_contain_text(f"update {update}")
        wait_until_idle(self.page)

    def newest(self) -> int:
        return self.figure("Math.max(...plot.data.find(trace => trace.name === 'training windows').customdata)")


def recorded(node: Locator) -> Callable[[], list[str]]:
    """Record all texts of a node from now on; return a function that returns them in order."""
    node.evaluate("""node => {
      node.texts = [node.textContent];
      const record = () => node.textContent === node.texts.at(-1) || node.texts.push(node.textContent);
      new MutationObserver(record).observe(node, { childList: true, characterData: true, subtree: true });
    }""")
    return lambda: node.evaluate("node => node.texts")


@pytest.fixture
def past(page: Page) -> PastRun:
    return PastRun(page)


def test_the_dragged_slider_and_clicks_on_a_curve_and_a_flag_show_earlier_moments(past: PastRun):
    box, mouse = past.slider.bounding_box(), past.page.mouse
    y, number = box["y"] + box["height"] / 2, past.perplexity().inner_text()
    mouse.move(box["x"] + box["width"] - 9, y)
    mouse.down()
    mouse.move(box["x"] + box["width"] / 2, y, steps=8)
    until(past.page, past.update, lambda update: 0 < update < UPDATES)  # before the button is released
    mouse.move(box["x"] + 1, y, steps=8)
    past.wait_for_update(0)
    mouse.up()
    past.expect_moment(0)
    past.wait_for_traces("looking back", 1)
    past.button("Now").click()
    past.wait_for_update(UPDATES)
    expect(past.perplexity()).to_have_text(number)
    past.wait_for_traces("looking back", 0)
    past.click_on("held-out text", 1)
    past.expect_moment(1)
    past.button("Now").click()
    past.wait_for_traces("looking back", 0)
    past.rate_slider().focus()
    past.rate_slider().press("ArrowLeft")
    until(past.page, past.flags, lambda flags: len(flags) == 1)
    past.run_to(90)
    past.wait_until_charted(90)
    past.plot.locator(".annotation", has_text="→").click()
    past.expect_moment(UPDATES)


def test_the_film_plays_the_milestones_and_ends_at_now(past: PastRun):
    open_page(past.page, "Unrolled")
    mean = past.page.locator(".network text.mean")  # mean loss of the text
    expect(mean).to_have_text(re.compile(r"mean \d"))
    heads, means = recorded(past.card.locator(".head")), recorded(mean)
    film = past.card.get_by_role("button", name="Play the past")
    film.click()
    expect(film).to_have_attribute("aria-pressed", "true")
    expect(film).to_have_attribute("aria-pressed", "false")
    until(past.page, lambda: [text.split("update ")[-1] for text in heads()], lambda seen: seen == ["60", "0", "10", "60"])
    now, untrained, learning, *_ = until(past.page, means, lambda seen: len(seen) > 3)
    assert len({now, untrained, learning}) == 3
    assert means() == [now, untrained, learning, now]
