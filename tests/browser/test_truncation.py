"""The Truncation page in a browser: the cut follows the hand, the data play, the proof trains."""

import re

from playwright.sync_api import Page, expect

from tests.browser.layout_checks import SMALL_NETWORK
from tests.browser.waiting import same_node, until, visit

READY = {"cut": ".triangle .cells rect.dropped", "data": ".mini_batches .block.now", "proof": ".echo_task .box"}


def open_section(page: Page, section: str) -> Page:
    visit(page, "truncation", section=section, **SMALL_NETWORK)
    expect(page.get_by_role("heading", name="Truncation")).to_be_visible()
    page.locator(READY[section]).first.wait_for()
    return page


def chart(page: Page, number: int = 0):
    """What is drawn in a plotly figure: for every trace its name and how many points it has."""
    node = page.locator(".live_figure .plot").nth(number)
    return {name: many for name, many in node.evaluate("node => (node.data ?? []).map((t) => [t.name, t.x.length])")}


def test_the_picture_follows_the_hand_that_moves_tau(page: Page):
    open_section(page, "cut")
    slider = page.get_by_role("slider", name="cut every τ =")
    dropped, scissors, kept = (
        page.locator(".triangle rect.dropped"),
        page.locator(".network .scissors"),
        page.locator(".kept_share .number"),
    )
    stays = same_node(page.locator(".triangle .cells"))
    expect(scissors).to_have_count(2)  # 15 steps, cut every 5
    before = kept.inner_text()
    slider.focus()
    page.keyboard.press("ArrowLeft")
    expect(scissors).to_have_count(4)
    expect(dropped).to_have_count(15 * 16 // 2 - 5 * 6)
    until(page, kept.inner_text, lambda words: words != before)
    page.keyboard.press("End")
    expect(scissors).to_have_count(0)
    expect(dropped).to_have_count(0)
    expect(kept).to_have_text("100 %")
    assert stays()


def test_the_switch_resets_the_state_or_leaves_all_whole(page: Page):
    open_section(page, "cut")
    page.get_by_role("button", name="reset h", exact=True).click()
    expect(page.locator(".network .border .zero")).to_have_count(2)
    expect(page.locator(".triangle rect.zero")).to_have_count(15 * 16 // 2 - 3 * 15)
    page.get_by_role("button", name="no cut", exact=True).click()
    expect(page.locator(".network .border")).to_have_count(0)


def test_the_updates_play_to_the_return_to_the_head(page: Page):
    open_section(page, "data")
    said, where = page.locator(".mini_batches .said"), page.locator(".mini_batches .where")
    page.get_by_role("button", name="An update on").click()
    expect(where).to_have_text(re.compile("update 2 of 50"))
    expect(said).to_contain_text("handed on")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(where).not_to_have_text(re.compile("update 2 of 50"))  # it may be further than the next one when it is looked at
    page.get_by_role("button", name="Pause", exact=True).click()
    position = page.get_by_role("slider", name="Update")
    position.focus()
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    for _ in range(20):
        if "head" in said.inner_text():
            break
        page.keyboard.press("ArrowLeft")
    expect(said).to_contain_text("head")


def test_both_orders_train_to_the_end(page: Page):
    open_section(page, "data")
    page.get_by_role("button", name="Train both").click()
    expect(page.get_by_role("button", name="Done")).to_be_disabled()
    until(page, lambda: chart(page), lambda now: now.get("in order", 0) == now.get("shuffled", 0) > 5)


def test_dots_land_while_tau_is_moved(page: Page):
    open_section(page, "proof")
    page.get_by_role("button", name="Train", exact=True).click()
    until(page, lambda: chart(page), lambda counts: counts.get("measured", 0) + counts.get("still learning", 0) >= 1)
    page.get_by_role("slider", name="τ =").focus()
    page.keyboard.press("End")
    until(page, lambda: chart(page), lambda counts: counts.get("measured", 0) >= 1)
    expect(page.locator(".controls .present").first).to_be_visible()
