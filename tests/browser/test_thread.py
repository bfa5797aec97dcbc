"""The thread in a browser: from the start page from scene to scene, by what is pressed alone."""

from urllib.parse import urlsplit

from playwright.sync_api import expect

from core.scenes.thread import SCENES
from tests.browser.doing import DOES, opened
from tests.browser.waiting import settled, until, visit

SECTIONS = '.sections[aria-label="Section"]'
MOST = 120  # times Tab: more stops has no page before what a scene asks for
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


def stands(page, scene):
    """The question is at the top of the window, and right below it the section, where the scene has one."""
    strip = page.locator(".thread .strip")
    if "section" in scene.place:
        until(page, lambda: below(page, strip), lambda px: 0 <= px <= 24)
    until(page, lambda: strip.bounding_box()["y"], lambda y: -1 <= y <= 20)


def below(page, strip):
    box, bar = strip.bounding_box(), page.locator(SECTIONS).bounding_box()
    return bar["y"] - box["y"] - box["height"]


def test_by_keys_alone_from_the_start_page_to_what_is_done(page):
    """Played, a play head moved, buttons pressed, and a slider moved."""
    visit(page, "")
    tab_to(page, page.locator(".scenes .card", has_text=SCENES["machine"].name))
    page.keyboard.press("Enter")
    question(page, SCENES["machine"])
    tab_to(page, page.locator(".network .bar").get_by_role("button", name="Play", exact=True))
    page.keyboard.press("Space")
    done(page)
    go_on(page, "hello")
    until(page, lambda: page.url, lambda url: "step=1" in url)
    tab_to(page, page.get_by_label("Position", exact=True))
    page.keyboard.press("End")
    done(page)
    tab_to(page, page.locator(".thread .all"))
    page.keyboard.press("Enter")
    tab_to(page, page.locator(".scenes .card", has_text=SCENES["vanishing"].name))
    page.keyboard.press("Enter")
    question(page, SCENES["vanishing"])
    for words, key in (("1.1", "Enter"), ("2", "Space")):
        tab_to(page, page.get_by_role("button", name=words, exact=True).first)
        page.keyboard.press(key)
    done(page)
    go_on(page, "cut")
    tab_to(page, page.get_by_role("slider", name="cut every τ ="))
    page.keyboard.press("End")
    done(page)


def tab_to(page, wanted):
    """Press Tab until this has the focus, and is in sight."""
    wanted.wait_for()
    for _ in range(MOST):
        page.keyboard.press("Tab")
        if wanted.evaluate("node => node.getRootNode().activeElement === node"):
            return expect(wanted).to_be_in_viewport()
    raise AssertionError(f"{MOST} times Tab, and no focus on {wanted}")


def go_on(page, key):
    tab_to(page, page.locator('.thread [data-key="next"]'))
    page.keyboard.press("Enter")
    question(page, SCENES[key])


def done(page):
    expect(page.locator(".thread .tick")).to_have_text("done")
