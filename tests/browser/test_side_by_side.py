"""Networks side by side in a browser: curves grow, a reload finds them, and the best network becomes the run."""

import re

from playwright.sync_api import Locator, Page, expect

from core.figures.training.sweep_words import budget_words
from core.training.leg import Budget
from tests.browser.places import open_page
from tests.browser.training_page import Training
from tests.browser.waiting import until, wait_until_idle

BEGIN, STOP, GO_ON = "Train side by side", "Stop", "Go on"
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


def stop(page: Page) -> Reached:
    button(page, STOP).click()
    expect(button(page, GO_ON)).to_be_visible()
    expect(page.get_by_text("what was reached stays")).to_be_visible()
    wait_until_idle(page)
    return until(page, lambda: reached(page), bool)


def test_a_sweep_is_found_by_a_reload_stopped_resumed_and_its_best_network_opened(page: Page):
    training = Training(page)
    page.get_by_label("budget").select_option(LONG)
    button(page, BEGIN).click()
    begun = until(page, lambda: reached(page), lambda now: now and min(now.values()) > -float("inf"))
    assert len(begun) == 5
    seen = wait_for_growth(page, begun)
    open_page(page, "Perplexity")
    open_page(page, "Training")
    expect(button(page, STOP)).to_be_visible()
    page.reload()
    expect(button(wait_until_idle(page), STOP)).to_be_visible()
    seen = wait_for_growth(page, seen)
    stopped = stop(page)
    assert all(stopped[name] >= far for name, far in seen.items())
    button(page, GO_ON).click()
    wait_for_growth(page, stopped)
    stop(page)
    lowest = page.get_by_text("Lowest:").inner_text()
    rate, update = re.search(r"rate (\S+), perplexity \S+ at update (\d[\d\u2009]*)", lowest).groups()
    button(page, "Open the best one as the run").click()
    training.wait_for_update(int(update.replace("\u2009", "")))
    button(page, "Play: train the network").first.wait_for()
    until(page, training.rate, lambda now: now == float(rate))
