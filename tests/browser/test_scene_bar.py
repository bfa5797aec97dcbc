"""The scene bar in a browser: links to scenes, and a scene by keyboard alone."""

import re

import pytest
from playwright.sync_api import Page, expect

from pages.content.scenes import CHAPTERS, SCENES
from tests.browser.scene_actions import do, do_by_keys, expect_in_view, opened, tab_to
from tests.browser.waiting import until, visit

EVERYDAY = "Step by step"  # the only chapter whose test is not slow
SLOW = [pytest.param(chapter, marks=pytest.mark.slow) for chapter in CHAPTERS if chapter != EVERYDAY]


@pytest.mark.parametrize("chapter", [EVERYDAY, *SLOW])
def test_every_scene_of_a_chapter_is_done_by_keyboard_alone(page: Page, chapter: str):
    """The first scene is opened on the start page, and each leads to the next without a page load."""
    visit(page, "")
    page.evaluate("window.sameDocument = true")
    first, *others = CHAPTERS[chapter]
    tab_to(page, page.locator(".scenes .card", has_text=first.name))
    page.keyboard.press("Enter")
    for scene in (first, *others):
        if scene is not first:
            tab_to(page, page.locator('.scene_bar [data-key="next"]'))
            page.keyboard.press("Enter")
        opened(page, scene)
        expect(page.locator(".scene_bar .notice")).to_be_hidden()
        if scene.settings.speed:
            tab_to(page, page.get_by_role("slider", name="Speed"))
            page.keyboard.press("End")
        do_by_keys(page, scene.key)
        if scene.key in ("reach", "memorising"):  # these train longest and finish like "beating" and "too_fast"
            expect(page.get_by_role("button", name=re.compile("^Pause")).first).to_be_visible()
            continue
        expect(page.locator(".scene_bar .tick")).to_have_text("done", timeout=120_000)
    assert page.evaluate("window.sameDocument")


def test_a_scene_opens_at_its_section_with_its_hint_in_the_bar_or_on_the_page(page: Page):
    scene = SCENES["vanishing"]
    visit(page, "", scene=scene.key)
    expect_in_view(page, scene)
    expect(page.locator(".page-hint").first).to_be_attached()
    expect(page.locator(".page-hint").filter(visible=True)).to_have_count(0)
    page.keyboard.press("n")
    expect(page.locator(".scene_bar .notice")).to_be_visible()
    page.keyboard.press("n")
    expect(page.locator(".scene_bar .notice")).to_be_hidden()
    expect_in_view(page, scene)
    do(page, scene.key)
    expect(page.locator(".st-key-what_if_chart .plot")).to_have_attribute("aria-label", re.compile("At radius 2"))
    expect(page.locator(".scene_bar .tick")).to_have_text("done")
    visit(page, "", scene="vanishing", hide="scene_bar")
    hint = page.locator(".page-hint").last
    expect(hint.locator("details")).not_to_have_attribute("open", "")
    hint.get_by_text("Notice").click()
    expect(hint.locator("details")).to_have_attribute("open", "")
    expect(page.locator(".scene_bar .panel")).not_to_be_visible()


def test_the_link_of_a_scene_scrolls_to_its_section_also_where_scripts_arrive_late(page: Page):
    held = []
    page.route(re.compile(r"/components\.js$"), lambda route: held.append(route))
    page.goto("/?scene=vanishing")
    until(page, lambda: page.url, lambda url: "section=what_if" in url and "/gradient_flow" in url)
    until(page, lambda: len(held), bool)
    for route in held:
        route.continue_()
    expect_in_view(page, SCENES["vanishing"])
