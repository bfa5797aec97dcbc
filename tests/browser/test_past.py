"""Looking back in a browser: the bar in the card takes every page along, a film plays the past, clicks on the chart go there."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.test_training import Training
from tests.browser.waiting import settled, until


class Past(Training):
    """A run of 60 updates, which rests."""

    def __init__(self, page):
        super().__init__(page)
        self.card = page.locator(".run_card .card")
        self.bar = page.get_by_role("slider", name="Go back in the run")
        self.rests_at(60)
        until(page, self.stops, lambda stops: stops > 20)

    def rests_at(self, update):
        """Run to there, and wait until all that is shown is of it."""
        self.run_to(update)
        self.charted(update)

    def newest(self):
        """The last update that the chart shows."""
        return self.figure("Math.max(...plot.data.find(trace => trace.name === 'training windows').customdata)")

    def stops(self):
        return int(self.bar.get_attribute("max") or 0)

    @property
    def number_shown(self):
        """The perplexity, in large figures."""
        return self.page.locator(".readout .number")

    def click_on(self, name, update):
        """Rest on the point of this update in a curve of the chart, and click it."""
        x, y = self.plot.evaluate(
            """(plot, [name, update]) => {
                const curve = plot.data.find(trace => trace.name === name), {xaxis, yaxis} = plot._fullLayout;
                const box = plot.getBoundingClientRect(), at = curve.customdata.indexOf(update);
                return [box.x + xaxis._offset + xaxis.d2p(curve.x[at]), box.y + yaxis._offset + yaxis.d2p(curve.y[at])];
            }""",
            [name, update],
        )
        self.page.mouse.move(x - 3, y)
        self.page.mouse.move(x, y)
        self.plot.locator(".hoverlayer .hovertext").first.wait_for()
        self.page.mouse.click(x, y)

    def at(self, update):
        """Wait until the card shows this update."""
        expect(self.card.locator(".head")).to_contain_text(f"update {update}")
        return settled(self.page)


def remembered(node):
    """A function that gives all texts that a node has had from now on, in order."""
    node.evaluate("""node => {
      node.texts = [node.textContent];
      const hear = () => node.textContent === node.texts.at(-1) || node.texts.push(node.textContent);
      new MutationObserver(hear).observe(node, { childList: true, characterData: true, subtree: true });
    }""")
    return lambda: node.evaluate("node => node.texts")


@pytest.fixture
def past(page):
    return Past(page)


def test_a_dragged_bar_shows_earlier_moments_and_now_returns(past):
    box = past.bar.bounding_box()
    y, mouse = box["y"] + box["height"] / 2, past.page.mouse
    now = past.number_shown.inner_text()
    mouse.move(box["x"] + box["width"] - 9, y)
    mouse.down()
    mouse.move(box["x"] + box["width"] / 2, y, steps=8)
    until(past.page, past.update, lambda update: 0 < update < 60)  # while it is held
    mouse.move(box["x"] + 1, y, steps=8)
    until(past.page, past.update, lambda update: update == 0)
    mouse.up()
    past.at(0)
    until(past.page, lambda: past.traces("looking back"), lambda rings: rings == 1)
    past.button("Now").click()
    until(past.page, past.update, lambda update: update == 60)
    expect(past.number_shown).to_have_text(now)
    until(past.page, lambda: past.traces("looking back"), lambda rings: rings == 0)


def test_the_keyboard_goes_back_one_moment_after_the_other_on_every_page(past):
    past.bar.focus()
    past.bar.press("Home")
    past.at(0)
    for link in ("Unrolled", "Perplexity", "Gradient flow"):
        past.page.get_by_role("link", name=link).click()
        expect(past.page.get_by_role("heading", name=link, exact=True)).to_be_visible()
        past.at(0)
        past.bar.focus()
        past.bar.press("ArrowRight")
        past.at(1)
        past.bar.press("ArrowLeft")
        past.at(0)
    expect(past.bar).to_be_focused()


def test_the_film_plays_the_milestones_and_ends_at_now(past):
    past.page.get_by_role("link", name="Unrolled").click()
    expect(past.page.get_by_role("heading", name="Unrolled", exact=True)).to_be_visible()
    settled(past.page)
    mean = past.page.locator(".network text.mean")  # loss of the text
    expect(mean).to_have_text(re.compile(r"mean \d"))
    heads, means = remembered(past.card.locator(".head")), remembered(mean)
    film = past.card.get_by_role("button", name="Play the past")
    film.click()
    expect(film).to_have_attribute("aria-pressed", "true")
    expect(film).to_have_attribute("aria-pressed", "false")
    until(past.page, lambda: [text.split("update ")[-1] for text in heads()], lambda seen: seen == ["60", "0", "10", "60"])
    now, untrained, learning, *_ = until(past.page, means, lambda seen: len(seen) > 3)
    assert len({now, untrained, learning}) == 3
    assert means() == [now, untrained, learning, now]


def test_a_branch_is_a_run_of_its_own_and_the_old_one_stays_as_a_ghost(past):
    past.bar.focus()
    past.bar.press("Home")
    past.at(0)
    past.button("Branch from here").click()
    until(past.page, lambda: past.traces("earlier"), lambda ghosts: ghosts == 1)
    past.run_to(5)


def test_a_click_on_the_curve_goes_there(past):
    past.click_on("held-out text", 1)
    past.at(1)


def test_a_click_on_a_flag_goes_to_before_the_knob_was_moved(past):
    past.slider.focus()
    past.slider.press("ArrowLeft")
    until(past.page, past.flags, lambda flags: len(flags) == 1)
    past.rests_at(90)
    past.click_on("moved", 60)
    past.at(60)
    past.button("Now").click()
    expect(past.card).to_have_attribute("data-state", "paused")
    until(past.page, lambda: past.traces("looking back"), lambda rings: rings == 0)
    past.plot.locator(".annotation", has_text="→").click()
    past.at(60)


def test_training_goes_on_while_one_looks_back(past):
    past.play()
    past.bar.focus()
    past.bar.press("Home")
    past.at(0)
    until(past.page, past.update, lambda update: update == 0)
    shown, before = past.number_shown.inner_text(), past.newest()
    until(past.page, past.newest, lambda update: update > before)
    assert past.number_shown.inner_text() == shown
    past.pause()
