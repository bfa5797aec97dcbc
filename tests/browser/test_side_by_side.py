"""Networks side by side in a browser: curves grow, and a reload finds them."""

import re

from playwright.sync_api import Locator, Page, expect

from core.figures.training.sweep_words import budget_words
from core.training.experiments.sweep_worker import Budget
from tests.browser.training_page import Training
from tests.browser.waiting import until, wait_until_idle

STOP = "Stop"
LONG = budget_words(Budget(tokens=10_000_000))  # it does not end during the test
Reached = dict[str, float]  # by the name of a curve


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def reached(page: Page) -> Reached:
    """The last x of each curve."""
    chart = page.get_by_role("img", name=re.compile("^Perplexity for each")).first
    return dict(chart.evaluate("plot => (plot.data ?? []).map(({ name, x }) => [name, x.at(-1) ?? -Infinity])"))


def wait_for_growth(page: Page, before: Reached) -> Reached:
    """Wait until a curve has grown; none may have become shorter."""
    now = until(page, lambda: reached(page), lambda now: sum(now.values()) > sum(before.values()))
    assert all(now[name] >= far for name, far in before.items())
    return now


def test_a_sweep_trains_on_through_a_reload_until_it_is_stopped(page: Page):
    Training(page)
    page.get_by_label("budget").select_option(LONG)
    button(page, "Train side by side").click()
    begun = until(page, lambda: reached(page), lambda now: now and min(now.values()) > -float("inf"))
    assert len(begun) == 5
    seen = wait_for_growth(page, begun)
    page.reload()
    expect(button(wait_until_idle(page), STOP)).to_be_visible()
    wait_for_growth(page, seen)
    button(page, STOP).click()
    expect(button(page, "Go on")).to_be_visible()
