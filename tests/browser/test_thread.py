"""The thread in a browser: from the start page from scene to scene, by what is pressed alone."""

import math
import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from core.scenes.thread import CHAPTERS, SCENES
from tests.browser.scene_actions import do, do_by_keys, opened, tab_to
from tests.browser.waiting import settled, until, visit

MOST = 120  # seconds that a scene may take
FEW = list(SCENES.values())[:4]


def question(page, scene):
    expect(page.locator(".thread .question")).to_have_text(scene.question)
    return settled(page)


def test_next_and_previous_lead_from_scene_to_scene_and_what_was_done_is_ticked(page):
    """No page is loaded anew."""
    visit(page, "")
    page.evaluate("window.untouched = true")
    expect(page.locator(".network .whole")).to_have_attribute("data-playing", "true")
    for scene in FEW:
        page.locator('[data-key="next"]').click()
        question(page, scene)
        opened(page, scene)
        expect(page.locator(".thread .notice")).to_be_hidden()
        do(page, scene.key)
        expect(page.locator(".thread .tick")).to_have_text("done")
        expect(page.locator(".thread .notice")).to_be_visible()
    page.locator('[data-key="previous"]').click()
    question(page, FEW[-2])
    page.locator(".thread .all").click()
    expect(page.locator(".scenes .card .tick")).to_have_count(len(FEW))
    assert page.evaluate("window.untouched")


def test_a_link_to_a_scene_puts_the_play_head_where_it_begins(page):
    visit(page, "", scene="mirror")
    question(page, SCENES["mirror"])
    until(page, lambda: page.locator(".network .whole").get_attribute("data-step"), lambda step: step == "5")
    until(page, lambda: page.url, lambda url: "scene=mirror" in url and "step=6+back" in url)


def test_a_clicker_alone_leads_through_all_scenes_and_each_stands_where_it_begins(page):
    visit(page, "")
    page.locator(".present .ask").wait_for()
    page.keyboard.press("p")
    for scene in SCENES.values():
        page.keyboard.press("PageDown")
        question(page, scene)
        until(page, lambda: urlsplit(page.url).path, lambda path, scene=scene: path == f"/{scene.page}")
        stands(page, scene)
    page.keyboard.press("PageDown")
    expect(page.locator(".scenes .card").first).to_be_visible()


def test_a_short_link_leads_to_the_section_and_the_strip_says_what_to_try(page):
    visit(page, "", scene="vanishing")
    stands(page, SCENES["vanishing"])
    expect(page.locator(".page-hint").first).to_be_attached()
    expect(page.locator(".page-hint").filter(visible=True)).to_have_count(0)
    page.keyboard.press("n")
    expect(page.locator(".thread .notice")).to_be_visible()
    stands(page, SCENES["vanishing"])


@pytest.mark.parametrize(
    ("key", "part", "says"), [("branching", ".choices .number", "∞"), ("vanishing", ".comparison", "At radius 2")]
)
def test_the_press_that_ends_a_scene_is_seen(page, key, part, says):
    """The strip tells the page of it, too."""
    visit(page, "", scene=key)
    do(page, key)
    expect(page.locator(part)).to_contain_text(says)
    expect(page.locator(".thread .tick")).to_have_text("done")


def test_a_short_link_leads_to_the_section_also_where_the_scripts_come_after_the_server_led_there(page):
    held = []
    page.route(re.compile(r"/address\b"), lambda route: held.append(route))
    page.goto("/?scene=vanishing")
    until(page, lambda: page.url, lambda url: "section=what_if" in url and "/gradient_flow" in url)
    until(page, lambda: len(held), lambda scripts: scripts)
    for route in held:
        route.continue_()
    stands(page, SCENES["vanishing"])


def test_where_the_strip_is_hidden_the_page_says_what_to_try(page):
    visit(page, "", scene="vanishing", hide="thread")
    expect(page.locator(".page-hint").last).to_be_visible()
    expect(page.locator(".thread .strip")).not_to_be_visible()


def stands(page, scene):
    """The question is at the top of the window, and right below it what the scene is about, where that is further down."""
    strip, part = page.locator(".thread .strip"), scene.view or ("sections" if "section" in scene.place else "")
    if part:
        until(page, lambda: below(strip, page.locator(f".st-key-{part}")), lambda px: 0 <= px <= 24)
    until(page, strip.bounding_box, lambda box: box and -1 <= box["y"] <= 20)


def below(strip, part):
    """px from the lower edge of the one to the upper edge of the other; nan where either cannot be seen."""
    over, under = strip.bounding_box(), part.bounding_box()
    return under["y"] - over["y"] - over["height"] if over and under else math.nan


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_by_keys_alone_every_scene_from_its_start_to_its_end(page, chapter):
    """From the start page: the first scene of the chapter is found there, and each leads to the next."""
    visit(page, "")
    page.evaluate("window.untouched = true")
    begin, *others = CHAPTERS[chapter]
    tab_to(page, page.locator(".scenes .card", has_text=begin.name))
    page.keyboard.press("Enter")
    for scene in (begin, *others):
        if scene is not begin:
            tab_to(page, page.locator('.thread [data-key="next"]'))
            page.keyboard.press("Enter")
        question(page, scene)
        opened(page, scene)
        expect(page.locator(".thread .notice")).to_be_hidden()
        do_by_keys(page, scene.key)
        expect(page.locator(".thread .tick")).to_have_text("done", timeout=1000 * MOST)
        expect(page.locator(".thread .notice")).to_be_visible()
    assert page.evaluate("window.untouched")  # no page was loaded anew


def test_the_start_page_has_a_name_that_can_be_typed(page):
    visit(page, "start", scene="cut")
    question(page, SCENES["cut"])
