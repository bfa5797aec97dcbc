"""The thread in a browser: from the start page from scene to scene, by what is pressed alone."""

from playwright.sync_api import expect

from core.scenes.thread import SCENES
from tests.browser.doing import DOES, opened
from tests.browser.waiting import settled, until, visit

DONE = ("machine", "learning", "branching", "mirror", "vanishing", "cut", "memorising")


def question(page, scene):
    expect(page.locator(".thread .question")).to_have_text(scene.question)
    return settled(page)


def test_next_leads_from_the_start_through_all_scenes_and_some_are_done(page):
    """No page is loaded anew, and every picture stands where the scene wants it."""
    visit(page, "")
    page.evaluate("window.untouched = true")
    expect(page.locator(".network .whole")).to_have_attribute("data-playing", "true")
    for scene in SCENES.values():
        page.locator('[data-key="next"]').click()
        question(page, scene)
        if scene.key in DONE:
            opened(page, scene)
            expect(page.locator(".thread .notice")).to_be_hidden()
            DOES[scene.key](page)
            expect(page.locator(".thread .tick")).to_have_text("done")
            expect(page.locator(".thread .notice")).to_be_visible()
    page.locator('[data-key="previous"]').click()
    question(page, list(SCENES.values())[-2])
    page.locator(".thread .all").click()
    expect(page.locator(".scenes .card .tick")).to_have_count(len(DONE))
    assert page.evaluate("window.untouched")


def test_a_link_to_a_scene_puts_the_play_head_where_it_begins(page):
    visit(page, "", scene="mirror")
    question(page, SCENES["mirror"])
    until(page, lambda: page.locator(".network .whole").get_attribute("data-step"), lambda step: step == "5")
    until(page, lambda: page.url, lambda url: "scene=mirror" in url and "step=6+back" in url)
