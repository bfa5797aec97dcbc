"""Deep links and the browser's history; that the link of each section opens it is tested in test_pages.py."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.places import BAR, SMALL_NETWORK, expect_open, expect_step, open_page, play_head, visit_section
from tests.browser.waiting import query_params, until


def test_on_a_phone_the_section_begins_below_the_button_of_the_sidebar(new_page: Callable[..., Page]):
    page = visit_section(new_page(viewport={"width": 390, "height": 844}), "truncation", "proof")
    expect_open(page, "proof")
    bar, arrow = page.locator(f".paper.controls:has({BAR})"), page.get_by_test_id("stExpandSidebarButton")
    arrow.wait_for()

    def distance() -> float:
        box = arrow.bounding_box()
        return bar.bounding_box()["y"] - box["y"] - box["height"]

    until(page, distance, lambda px: 0 <= px < 20)


def test_back_undoes_the_choice_of_a_section_and_nothing_else(page: Page):
    visit_section(page, "truncation")

    def query() -> dict[str, str]:
        return {name: value for name, value in query_params(page).items() if name not in SMALL_NETWORK}

    page.get_by_role("group", name="Section").get_by_text("The proof").click()
    until(page, query, lambda now: now == {"section": "proof"})
    page.get_by_role("toolbar", name="The proof").get_by_text("6", exact=True).last.click()
    until(page, query, lambda now: now == {"section": "proof", "k": "6"})
    page.go_back()
    expect_open(page, "cut")
    page.go_forward()
    expect_open(page, "proof")
    until(page, query, lambda now: now == {"section": "proof", "k": "6"})
    open_page(page, "Unrolled")
    page.go_back()
    expect_open(page, "proof")


def test_a_link_and_a_reload_restore_the_play_head_and_no_step_out_of_range(page: Page):
    visit_section(page, "gradient_flow", step="3")
    expect_step(page, 2)
    play_head(page).press("ArrowRight")
    page.wait_for_url("**step=4*")
    page.reload()
    expect_step(page, 3)
    page.get_by_role("button", name="Turn round").click()
    page.wait_for_url("**step=*+back*")
    visit_section(page, "unrolled", step="99")
    expect(page.locator(".page-notice")).to_contain_text("99")
    until(page, lambda: page.url, lambda url: "step=99" not in url)
