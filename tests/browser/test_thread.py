"""The thread of scenes in a browser: links to scenes, next and previous, and each kind of scene by keyboard alone."""

import re

import pytest
from playwright.sync_api import Page, expect

from core.scenes.thread import SCENES
from tests.browser.places import expect_step
from tests.browser.scene_actions import do, do_by_keys, expect_in_view, expect_question, opened, tab_to
from tests.browser.waiting import until, visit

ONE_OF_EACH_KIND = ("counting", "products", "cut", "lag")  # noticed, pressed, in the address, reached by the run


def test_next_and_previous_lead_from_scene_to_scene_without_a_page_load(page: Page):
    scenes = list(SCENES.values())[:3]
    visit(page, "")
    page.evaluate("window.sameDocument = true")
    expect(page.locator(".network .whole")).to_have_attribute("data-playing", "true")
    for scene in scenes:
        page.locator('[data-key="next"]').click()
        expect_question(page, scene)
        opened(page, scene)
        expect(page.locator(".thread .notice")).to_be_hidden()
        do(page, scene.key)
        expect(page.locator(".thread .tick")).to_have_text("done")
        expect(page.locator(".thread .notice")).to_be_visible()
    page.locator('[data-key="previous"]').click()
    expect_question(page, scenes[-2])
    page.locator(".thread .all").click()
    expect(page.locator(".scenes .card .tick")).to_have_count(len(scenes))
    assert page.evaluate("window.sameDocument")


@pytest.mark.parametrize("key", ONE_OF_EACH_KIND)
def test_a_scene_of_each_kind_is_done_by_keyboard_alone(page: Page, key: str):
    visit(page, "", scene=key)
    expect_question(page, SCENES[key])
    opened(page, SCENES[key])
    do_by_keys(page, key)
    expect(page.locator(".thread .tick")).to_have_text("done", timeout=120_000)
    expect(page.locator(".thread .notice")).to_be_visible()
    tab_to(page, page.locator('.thread [data-key="next"]'))


def test_the_link_of_a_scene_sets_the_play_head(page: Page):
    visit(page, "start", scene="mirror")
    expect_question(page, SCENES["mirror"])
    expect_step(page, 5, back=True)
    until(page, lambda: page.url, lambda url: "scene=mirror" in url and "step=6+back" in url)


def test_the_link_of_a_scene_scrolls_to_its_section_and_its_button_shows_the_result(page: Page):
    scene = SCENES["vanishing"]
    visit(page, "", scene=scene.key)
    expect_in_view(page, scene)
    expect(page.locator(".page-hint").first).to_be_attached()
    expect(page.locator(".page-hint").filter(visible=True)).to_have_count(0)
    page.keyboard.press("n")
    expect(page.locator(".thread .notice")).to_be_visible()
    expect_in_view(page, scene)
    do(page, scene.key)
    expect(page.locator(".comparison")).to_contain_text("At radius 2")
    expect(page.locator(".thread .tick")).to_have_text("done")


def test_the_link_of_a_scene_scrolls_to_its_section_also_where_scripts_arrive_late(page: Page):
    held = []
    page.route(re.compile(r"/address\b"), lambda route: held.append(route))
    page.goto("/?scene=vanishing")
    until(page, lambda: page.url, lambda url: "section=what_if" in url and "/gradient_flow" in url)
    until(page, lambda: len(held), bool)
    for route in held:
        route.continue_()
    expect_in_view(page, SCENES["vanishing"])


def test_where_the_strip_is_hidden_the_page_shows_its_hint(page: Page):
    visit(page, "", scene="vanishing", hide="thread")
    expect(page.locator(".page-hint").last).to_be_visible()
    expect(page.locator(".thread .strip")).not_to_be_visible()
