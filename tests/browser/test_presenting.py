"""Presenting in a browser: large type, overlays, and the same part in view before and after."""

from collections.abc import Callable
from urllib.parse import urlsplit, urlunsplit

import pytest
from playwright.sync_api import Page, expect

from pages.content.scenes import SCENES
from tests.browser.layout_checks import evaluate, layout_problems, wait_until_still
from tests.browser.places import open_page, visit_section
from tests.browser.scene_actions import TRAINED
from tests.browser.waiting import javascript, query_params, until, visit, wait_until_idle

LEAST = 24 - 0.4  # smallest px readable from the last row, for 1280 x 720 with a scroll bar
MOVED = 60  # px
SMALLER = javascript("smaller")
READ_FROM_AFAR = {
    "training": ".live_figure text, .readout :not(.ask), .writing :not(.ask), .controls .knob :not(.ask, .remark)",
    "unrolled": ".network text:not(.mean, .empty), .network tspan:not(tspan tspan), .network .maths > span, .step_numbers .law",
    "perplexity": ".surprise *",
}
PRESENTING = "document.documentElement.hasAttribute('data-presenting')"


def present(page: Page) -> None:
    visit_section(page, "training")
    page.locator(".present .ask").first.wait_for()
    page.keyboard.press("p")
    expect(page.get_by_test_id("stSidebar")).not_to_be_visible()


def test_presenting_enlarges_the_main_parts_and_lasts_through_pages_until_escape(page: Page):
    present(page)
    until(page, lambda: query_params(page), lambda query: query.get("present") == "1")
    for path, parts in READ_FROM_AFAR.items():
        page.goto(urlunsplit(urlsplit(page.url)._replace(path=path)))
        wait_until_idle(page)
        until(page, lambda: page.evaluate(PRESENTING), bool)
        page.locator(parts).first.wait_for(state="attached")
        until(page, lambda parts=parts: evaluate(page, SMALLER, [parts, LEAST]), lambda small: not small)
        assert not layout_problems(page)
        expect(page.locator(".page-hint").first).not_to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("stSidebar")).to_be_visible()
    until(page, lambda: query_params(page), lambda query: "present" not in query)
    open_page(page, "Recurrent step")
    page.get_by_role("button", name="Present").click()
    expect(page.get_by_test_id("stSidebar")).not_to_be_visible()


IN_SIGHT = """(selectors) => selectors.every((one) => deep(document).filter((node) => node.matches(one)).some((node) => {
  const { top, bottom, width } = node.getBoundingClientRect();
  return width > 0 && top >= -1 && bottom <= innerHeight + 1;
}))"""


def test_presented_the_chart_and_the_knob_that_a_key_chooses_are_in_sight_together(page: Page):
    visit(page, "training", optimizer="sgd", present=1)  # with momentum: seven knobs
    page.keyboard.press("2")
    shown = page.locator(".controls .live [data-shown]")
    expect(shown).to_have_class("knob clip_norm")
    for width, height in ((1280, 720), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        parts = [".readout .number", ".live_figure .plot", ".chooser", ".knob.clip_norm"]
        until(page, lambda parts=parts: evaluate(page, IN_SIGHT, parts), bool)
        assert not layout_problems(page)
    page.keyboard.press("ArrowRight")
    until(page, lambda: query_params(page), lambda query: query.get("clip_norm") == "2.0")
    page.keyboard.press("6")
    expect(shown.get_by_role("button", name="carried")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".controls .chooser")).not_to_be_visible()
    expect(page.locator(".controls .knob.clip_norm")).to_be_visible()


def test_the_same_part_is_in_view_before_while_and_after_presenting(page: Page):
    """The layout is larger and without hints while presenting: the scroll offset must change."""
    visit_section(page, "unrolled")
    wait_until_still(page)
    part = page.locator(".product").first
    part.evaluate("(node) => node.scrollIntoView()")

    def top() -> float:
        return part.evaluate("(node) => node.getBoundingClientRect().top * node.offsetWidth / node.getBoundingClientRect().width")

    before = top()
    for key in ("p", "Escape"):
        page.keyboard.press(key)
        until(page, top, lambda now: abs(now - before) < MOVED)
        assert not layout_problems(page)
        assert abs(top() - before) < MOVED


def test_overlays_cover_the_page_and_the_spotlight_lets_clicks_through(page: Page):
    present(page)
    black, spot = (page.locator(f".presenting-overlay {part}") for part in (".black", ".spot"))
    page.keyboard.press("b")
    until(page, black.bounding_box, lambda box: box == {"x": 0, "y": 0, "width": 1280, "height": 720})
    page.keyboard.press("Escape")
    expect(black).not_to_be_visible()
    page.keyboard.press("s")
    page.mouse.move(200, 300)
    until(page, lambda: spot.evaluate("spot => spot.style.getPropertyValue('--x')"), lambda x: x == "200px")
    play = page.locator(".transport .play")
    play.click()
    expect(play).to_have_attribute("data-playing", "true")
    page.keyboard.press("Escape")
    expect(spot).not_to_be_visible()
    assert page.evaluate(PRESENTING)


def test_the_lecturers_window_shows_the_scene_and_its_keys_act_on_the_page(page: Page):
    first, second = SCENES["machine"], SCENES["hello"]
    question = page.locator(".scene_bar .question")
    visit(page, "", scene=first.key, present=1)
    expect(question).to_have_text(first.question)
    until(page, lambda: page.evaluate(PRESENTING), bool)
    with page.expect_popup() as opened:
        page.keyboard.press("w")
    window = opened.value
    expect(window.locator("h1")).to_have_text(first.question)
    window.keyboard.press("PageDown")
    expect(page.locator(".scene_bar .notice")).to_be_visible()
    for _ in first.why:
        window.keyboard.press("PageDown")
    expect(page.locator(".scene_bar .reason").last).to_be_visible()
    expect(window.locator("main")).to_contain_text("the next scene")
    window.keyboard.press("PageDown")
    expect(question).to_have_text(second.question)
    expect(window.locator("h1")).to_have_text(second.question)
    window.close()
    page.keyboard.press("PageUp")
    expect(question).to_have_text(first.question)


@pytest.mark.parametrize(("scene", "part"), [("counting", ".live_figure .plot[data-drawn]"), ("cut", ".kept_share .number")])
def test_on_a_phone_a_presented_scene_does_not_scroll_sideways(new_page: Callable[..., Page], scene: str, part: str):
    page = visit(new_page(viewport={"width": 390, "height": 844}), "", scene=scene, present=1)
    page.locator(part).first.wait_for()
    wait_until_still(page)
    assert page.get_by_test_id("stMain").evaluate("node => node.scrollWidth - node.clientWidth") == 0


def test_on_a_phone_the_question_keeps_its_width_while_the_bar_says_how_far_a_run_is(new_page: Callable[..., Page]):
    page = visit(new_page(viewport={"width": 390, "height": 844}), "", scene="continuations", present=1)
    before, after = page.locator(".scene_bar .panel").evaluate("""panel => {
      const [trains, question] = [".trains", ".question"].map((one) => panel.querySelector(one));
      return ["", "still training: 199 of 600"].map((words) => {
        trains.textContent = words;
        return question.getBoundingClientRect().width;
      });
    }""")  # in one go: the run goes on meanwhile, and writes there too
    assert after > max(0.4 * 390, 0.8 * before)


def test_on_a_phone_the_predictions_of_scene_2_lie_within_their_panels(new_page: Callable[..., Page]):
    page = visit(new_page(viewport={"width": 390, "height": 844}), "", scene="state", present=1)
    predictions = page.locator(".two_networks .predictions")
    predictions.first.wait_for(timeout=1000 * TRAINED)
    assert predictions.evaluate_all("nodes => nodes.map((node) => node.scrollWidth - node.clientWidth)") == [0, 0]


SLIDERS = """nodes => nodes.filter((node) => node.getBoundingClientRect().width).map((node) => {
  const slider = node.getBoundingClientRect(), panel = node.closest(".panel").getBoundingClientRect();
  return [slider.width, panel.right - slider.right];
})"""
PHONE = {"width": 390, "height": 844}


@pytest.mark.parametrize(
    ("scene", "part", "window"),
    [
        ("cut", ".controls .slider input", {"width": 1280, "height": 720}),
        ("cut", ".controls .slider input", PHONE),
        ("branching", ".choices .token input", PHONE),
        ("learning", ".controls .knob[data-shown] input", PHONE),
    ],
)
def test_presented_a_slider_can_be_dragged_and_lies_within_its_panel(
    new_page: Callable[..., Page], scene: str, part: str, window: dict[str, int]
):
    page = visit(new_page(viewport=window), "", scene=scene, present=1)
    page.locator(part).first.wait_for()
    wait_until_still(page)
    for width, inside in page.locator(part).evaluate_all(SLIDERS):
        assert width > 90
        assert inside >= 0


@pytest.mark.parametrize(("scene", "part"), [("lag", ".readout .side"), ("products", ".blocks .matrix")])
def test_on_a_phone_nothing_of_a_number_or_a_matrix_is_cut(new_page: Callable[..., Page], scene: str, part: str):
    page = visit(new_page(viewport=PHONE), "", scene=scene, present=1)
    page.locator(part).first.wait_for()
    wait_until_still(page)
    sizes = "nodes => nodes.flatMap((node) => [node.scrollWidth - node.clientWidth, node.scrollHeight - node.clientHeight])"
    assert max(page.locator(part).evaluate_all(sizes)) <= 0
