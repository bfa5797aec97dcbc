"""All scenes of the thread, by the keys of a clicker and by keyboard alone."""

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from core.content.scenes import CHAPTERS, SCENES
from tests.browser.scene_actions import do_by_keys, expect_in_view, expect_question, opened, tab_to
from tests.browser.waiting import until, visit


def test_the_keys_of_a_clicker_lead_through_all_scenes(page: Page):
    visit(page, "")
    page.locator(".present .ask").first.wait_for()
    page.keyboard.press("p")
    for scene in SCENES.values():
        page.keyboard.press("PageDown")
        expect_question(page, scene)
        until(page, lambda: urlsplit(page.url).path, lambda path, scene=scene: path == f"/{scene.page}")
        expect_in_view(page, scene)
        page.keyboard.press("PageDown")
        expect(page.locator(".thread .notice")).to_be_visible()
    page.keyboard.press("PageDown")
    expect(page.locator(".scenes .card").first).to_be_visible()


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_scene_of_a_chapter_is_done_by_keyboard_alone(page: Page, chapter: str):
    """The first one is opened on the start page, and each leads to the next without a page load."""
    visit(page, "")
    page.evaluate("window.sameDocument = true")
    first, *others = CHAPTERS[chapter]
    tab_to(page, page.locator(".scenes .card", has_text=first.name))
    page.keyboard.press("Enter")
    for scene in (first, *others):
        if scene is not first:
            tab_to(page, page.locator('.thread [data-key="next"]'))
            page.keyboard.press("Enter")
        expect_question(page, scene)
        opened(page, scene)
        expect(page.locator(".thread .notice")).to_be_hidden()
        do_by_keys(page, scene.key)
        expect(page.locator(".thread .tick")).to_have_text("done", timeout=120_000)
        expect(page.locator(".thread .notice")).to_be_visible()
    assert page.evaluate("window.sameDocument")
