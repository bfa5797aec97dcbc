"""Networks side by side in a browser: their curves grow, they are found again and stopped, and the best one becomes the run."""

import re

from playwright.sync_api import Locator, Page, expect

from core.figures.training.sweep_words import budget_words
from core.training.leg import Budget
from tests.browser.layout_checks import SMALL_NETWORK
from tests.browser.test_training import Training
from tests.browser.waiting import settled, until, visit

BEGIN, STOP, GO_ON = "Train side by side", "Stop", "Go on"
LONG = budget_words(Budget(tokens=10_000_000))  # nobody waits for its end
Reached = dict[str, float]  # by the name of a curve


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def charts(page: Page) -> Locator:
    """The curves, and what is reached."""
    return page.get_by_role("img", name=re.compile("^Perplexity for each"))


def reached(page: Page) -> Reached:
    """How far to the right each curve has come."""
    return dict(charts(page).first.evaluate("plot => (plot.data ?? []).map(({ name, x }) => [name, x.at(-1) ?? -Infinity])"))


def further(page: Page, before: Reached) -> Reached:
    """Wait until a curve has grown; none may have become shorter."""
    now = until(page, lambda: reached(page), lambda now: sum(now.values()) > sum(before.values()))
    assert all(now[name] >= far for name, far in before.items())
    return now


def begin(page: Page) -> Reached:
    """Press the button, and wait until all curves have begun and one has grown."""
    button(page, BEGIN).click()
    return further(page, until(page, lambda: reached(page), lambda now: now and min(now.values()) > -float("inf")))


def stop(page: Page) -> Reached:
    """Press the button, and wait until all rests."""
    button(page, STOP).click()
    expect(button(page, GO_ON)).to_be_visible()
    expect(page.get_by_text("what was reached stays")).to_be_visible()
    settled(page)
    return until(page, lambda: reached(page), bool)


def turn_to(page: Page, name: str) -> None:
    page.get_by_test_id("stSidebarNav").get_by_role("link", name=name).click()
    expect(page.get_by_role("heading", name=name, level=1)).to_be_visible()


def test_a_sweep_is_found_again_goes_on_and_its_best_one_becomes_the_run(page: Page):
    training = Training(page)
    page.get_by_label("budget").select_option(LONG)
    seen = begin(page)
    assert len(seen) == 5
    turn_to(page, "Perplexity")
    turn_to(page, "Training")
    expect(button(page, STOP)).to_be_visible()
    stopped = stop(page)
    assert all(stopped[name] >= far for name, far in seen.items())
    button(page, GO_ON).click()
    further(page, stopped)
    stop(page)
    lowest = page.get_by_text("Lowest:").inner_text()
    rate, update = re.search(r"rate (\S+), perplexity \S+ at update (\d[\d\u2009]*)", lowest).groups()
    button(page, "Open the best one as the run").click()
    until(page, training.update, lambda now: now == int(update.replace("\u2009", "")))
    button(page, "Play: train the network").first.wait_for()
    until(page, training.rate, lambda now: now == float(rate))


def test_a_race_shows_theory_first_and_a_tab_that_is_loaded_again_finds_it(page: Page):
    visit(page, "truncation", section="race", **SMALL_NETWORK)
    theory = "plot => (plot.data ?? []).filter(({ name }) => name === 'theory').length"
    charts(page).nth(1).and_(page.locator("[data-drawn]")).wait_for()
    lengths = charts(page).nth(1).evaluate(theory)
    assert lengths > 3
    page.get_by_role("slider", name="seeds").press("End")
    seen = begin(page)
    until(page, lambda: charts(page).nth(1).evaluate(theory), lambda now: now == lengths)
    page.reload()
    expect(button(settled(page), STOP)).to_be_visible()
    seen = further(page, seen)
    rested = stop(page)
    assert all(rested[name] >= far for name, far in seen.items())
