"""All scenes, by keyboard alone."""

import pytest
from playwright.sync_api import Page, expect

from core.content.scenes import CHAPTERS
from tests.browser.scene_actions import do_by_keys, expect_question, opened, tab_to
from tests.browser.waiting import visit


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
            tab_to(page, page.locator('.scene_bar [data-key="next"]'))
            page.keyboard.press("Enter")
        expect_question(page, scene)
        opened(page, scene)
        expect(page.locator(".scene_bar .notice")).to_be_hidden()
        do_by_keys(page, scene.key)
        expect(page.locator(".scene_bar .tick")).to_have_text("done", timeout=120_000)
        expect(page.locator(".scene_bar .notice")).to_be_visible()
    assert page.evaluate("window.sameDocument")
