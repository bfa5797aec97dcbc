"""The Truncation page in a browser: the drawing follows the slider, and the mini-batches play."""

import re

from playwright.sync_api import Page, expect

from tests.browser.places import visit_section
from tests.browser.waiting import same_node, until


def test_the_drawing_follows_tau_and_the_mode_in_place(page: Page):
    visit_section(page, "truncation", "cut")
    page.locator(".triangle .cells rect.dropped").first.wait_for()
    slider, kept = page.get_by_role("slider", name="cut every τ ="), page.locator(".kept_share .number")
    dropped, scissors = page.locator(".triangle rect.dropped"), page.locator(".network .scissors")
    is_same = same_node(page.locator(".triangle .cells"))
    expect(scissors).to_have_count(2)  # 15 steps, cut every 5
    before = kept.inner_text()
    slider.press("ArrowLeft")
    expect(scissors).to_have_count(4)
    expect(dropped).to_have_count(15 * 16 // 2 - 5 * 6)
    until(page, kept.inner_text, lambda text: text != before)
    page.get_by_role("button", name="no cut", exact=True).click()
    expect(page.locator(".network .border")).to_have_count(0)
    expect(dropped).to_have_count(0)
    assert is_same()


def test_the_updates_play_and_return_to_the_beginning_of_the_text(page: Page):
    visit_section(page, "truncation", "data")
    caption, where = page.locator(".mini_batches .caption"), page.locator(".mini_batches .where")
    page.get_by_role("button", name="An update on").click()
    expect(where).to_have_text(re.compile("update 2 of 50"))
    expect(caption).to_contain_text("handed on")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(where).not_to_have_text(re.compile("update 2 of 50"))
    page.get_by_role("button", name="Pause", exact=True).click()
    page.get_by_role("slider", name="Update").press("End")
    for _ in range(21):
        page.keyboard.press("ArrowLeft")
        if "head" in caption.inner_text():
            break
    expect(caption).to_contain_text("head")
