"""A link opens what it names, in view; "back" undoes the choice of a section."""

import pytest
from playwright.sync_api import expect

from pages.gradient_flow.sections import SECTIONS as GRADIENT_FLOW
from pages.perplexity.sections import SECTIONS as PERPLEXITY
from pages.recurrent_step.sections import SECTIONS as RECURRENT_STEP
from pages.truncation.sections import SECTIONS as TRUNCATION
from tests.browser.layout_checks import SMALL_NETWORK
from tests.browser.waiting import asked_of, settled, until, visit

PAGES = {"recurrent_step": RECURRENT_STEP, "perplexity": PERPLEXITY, "gradient_flow": GRADIENT_FLOW, "truncation": TRUNCATION}
BAR = '.sections[aria-label="Section"]'
CHOSEN = f'{BAR} [aria-pressed="true"]'
TOPS = "nodes => nodes.map((node) => node.getBoundingClientRect().top)"


def is_open(page, section):
    """This section, and none beside it: for a moment there are both, the one before and the one that takes its place."""
    expect(page.locator(f'{CHOSEN}[data-value="{section}"]')).to_have_count(1)
    expect(page.locator(f'{CHOSEN}:not([data-value="{section}"])')).to_have_count(0)


@pytest.mark.parametrize("name", PAGES)
def test_every_section_opened_by_its_link_stands_at_the_top_of_the_window(page, name):
    bars = page.locator(f".paper.controls:has({BAR})")
    for section in PAGES[name]:
        visit(page, name, section=section, **SMALL_NETWORK)
        is_open(page, section)
        until(page, lambda: bars.evaluate_all(TOPS), lambda tops: len(tops) == 1 and abs(tops[0]) <= 1)


def test_on_a_phone_it_stands_below_what_opens_the_sidebar(new_page):
    page = visit(new_page(viewport={"width": 390, "height": 844}), "truncation", section="proof", **SMALL_NETWORK)
    is_open(page, "proof")
    bar, arrow = page.locator(f".paper.controls:has({BAR})"), page.get_by_test_id("stExpandSidebarButton")
    arrow.wait_for()

    def below() -> float:
        box = arrow.bounding_box()
        return bar.bounding_box()["y"] - box["y"] - box["height"]

    until(page, below, lambda px: 0 <= px < 20)


def test_back_undoes_the_choice_of_a_section_and_nothing_else(page):
    visit(page, "truncation", **SMALL_NETWORK)

    def asked():
        return {name: value for name, value in asked_of(page).items() if name not in SMALL_NETWORK}

    page.get_by_role("group", name="Section").get_by_text("The proof").click()
    until(page, asked, lambda said: said == {"section": "proof"})
    page.get_by_role("toolbar", name="The proof").get_by_text("6", exact=True).last.click()
    until(page, asked, lambda said: said == {"section": "proof", "k": "6"})
    page.go_back()
    is_open(page, "cut")
    page.go_forward()
    is_open(page, "proof")
    until(page, asked, lambda said: said == {"section": "proof", "k": "6"})
    page.get_by_role("link", name="Unrolled").click()
    expect(page.get_by_role("heading", name="Unrolled")).to_be_visible()
    settled(page)  # the address follows the page
    page.go_back()
    is_open(page, "proof")


def test_a_link_puts_the_play_head_where_it_stood(page):
    head = page.locator(".network .whole")
    visit(page, "gradient_flow", step="3", **SMALL_NETWORK)
    expect(head).to_have_attribute("data-step", "2")
    expect(head).to_have_attribute("data-back", "false")
    head.press("ArrowRight")
    page.wait_for_url("**step=4*")
    page.reload()
    expect(head).to_have_attribute("data-step", "3")
    page.get_by_role("button", name="Turn round").click()
    page.wait_for_url("**step=*+back*")


def test_a_step_that_is_not_there_is_said(page):
    visit(page, "unrolled", step="99", **SMALL_NETWORK)
    expect(page.locator(".page-notice")).to_contain_text("99")
    until(page, lambda: page.url, lambda url: "step=99" not in url)
