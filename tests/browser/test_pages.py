"""Every section of every page: its link, its layout, contrast, accessibility, print and saved pictures.

If ``-m`` names slow tests, the layout is checked at more widths and zooms, and on the wider sheet of paper, too.
"""

from collections.abc import Callable, Iterator
from itertools import product

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import violations
from tests.browser.layout_checks import SHEETS, at_widths, contrast_problems, print_problems, wait_until_still
from tests.browser.places import PLACES, SMALL_NETWORK, expect_open, visit_section
from tests.browser.training_page import PLAY, Training
from tests.browser.waiting import javascript, until, visit, wait_until_idle

WIDTHS = {360: 1, 1920: 1}  # CSS px and the zoom
WINDOWS, ZOOMS = (390, 1024, 1440, 1920), (1, 1.5, 2)  # px
EVERY_WIDTH = WIDTHS | {int(width / zoom): zoom for zoom, width in product(ZOOMS, WINDOWS) if width / zoom >= min(WIDTHS)}
QUERIES = {
    ("perplexity", "surprise"): {"model": "counted-4"},  # its probabilities are high and low: every shade of colour
    ("perplexity", "writing"): {"unit": "word"},  # 60 words instead of 240 characters, written at the same rate
}
COVERED = javascript("covered")
TOPS = "nodes => nodes.map((node) => node.getBoundingClientRect().top)"


def axe_problems(page: Page, *, contrast: bool = True) -> list[str]:
    wait_until_still(page)
    return violations(page, contrast=contrast)


def problems_of(page: Page, path: str, section: str, slow: bool) -> Iterator[str]:
    """Open a section by its link, in the light theme, and yield all problems of it; at the end the theme is dark."""
    page.emulate_media(color_scheme="light")
    visit_section(page, path, section, **QUERIES.get((path, section), {}))
    if section:
        expect_open(page, section)
        bars = page.locator(".component.tabs")
        until(page, lambda: bars.evaluate_all(TOPS), lambda tops: len(tops) == 1 and abs(tops[0]) <= 1)
    yield from axe_problems(page, contrast=False)
    yield from (f"light: {problem}" for problem in contrast_problems(page))
    if covered := page.get_by_role("button", name="Save picture").evaluate_all(COVERED):
        yield f"{covered} buttons that save a picture are covered, or cover it"
    yield from at_widths(page, EVERY_WIDTH if slow else WIDTHS)
    for sheet in SHEETS if slow else ["portrait"]:
        yield from print_problems(page, sheet)
    page.emulate_media(color_scheme="dark")
    expect(page.locator('.component[data-theme="light"]')).to_have_count(0)
    yield from (f"dark: {problem}" for problem in contrast_problems(page))


@pytest.mark.parametrize("path", PLACES)
def test_every_section_is_readable_accessible_and_printable(
    new_page: Callable[..., Page], path: str, pytestconfig: pytest.Config
):
    page, slow = new_page(color_scheme="light", reduced_motion="reduce"), "slow" in pytestconfig.option.markexpr
    found = [f"{path} {section}, {one}" for section in PLACES[path] for one in problems_of(page, path, section, slow)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("query", [{}, {"scene": "counting"}], ids=["start", "scene"])
def test_the_start_page_and_an_open_scene_are_accessible(new_page: Callable[..., Page], query: dict[str, str]):
    page = visit(new_page(color_scheme="light", reduced_motion="reduce"), "", **query)  # otherwise it plays and is never idle
    page.locator('[data-key="next"]').wait_for()
    if query:
        page.locator(".present button").first.wait_for()  # the script that handles keys is loaded
        page.keyboard.press("n")
        expect(page.locator(".scene_bar .tick")).to_have_text("done")
    assert axe_problems(page) == []


def test_a_trained_run_open_expanders_and_the_drawing_canvas_are_accessible(page: Page):
    training = Training(page, update=30, **SMALL_NETWORK)
    training.wait_for_update(30)
    training.button(PLAY).wait_for()
    training.button("Draw what you expect").click()
    page.get_by_role("application").wait_for()
    for summary in page.get_by_test_id("stExpander").locator("summary").all():
        summary.click()
    assert axe_problems(wait_until_idle(page)) == []


def test_a_page_in_the_dark_theme_is_printed_in_the_light_one(new_page: Callable[..., Page]):
    page = visit_section(new_page(color_scheme="dark"), "training")
    page.get_by_test_id("stMain").locator(".save").first.wait_for(state="attached")
    dark, light = (page.locator(f'.component[data-theme="{theme}"]') for theme in ("dark", "light"))
    expect(dark).not_to_have_count(0)
    expect(light).to_have_count(0)
    page.emulate_media(media="print")
    expect(dark).to_have_count(0)
    background = "node => getComputedStyle(node).getPropertyValue('--background')"
    until(page, lambda: page.locator(".component").first.evaluate(background), lambda colour: colour == "#FFFFFF")
    assert not contrast_problems(page)
    assert page.pdf(format="A4").startswith(b"%PDF-")
    page.emulate_media(media="screen")
    expect(light).to_have_count(0)
    expect(dark).not_to_have_count(0)


def test_long_words_fit_on_a_phone(new_page: Callable[..., Page]):
    page = new_page(viewport={"width": 390, "height": 844})
    text = "the implementation of a representation is the assignment_expression of the specification"
    visit_section(page, "perplexity", unit="word", vocab_cap=1000, text=text)
    page.locator(".surprise .column").first.wait_for()
    page.locator(".surprise .scroller").focus()
    page.keyboard.press("End")
    expect(page.locator(".surprise .after bdi")).to_contain_text("of the")
    overflow = "nodes => nodes.map((n) => n.scrollWidth - n.clientWidth).filter((px) => px > 0)"
    panels = page.locator(".surprise section, .surprise .after")
    assert panels.count()
    until(page, lambda: panels.evaluate_all(overflow), lambda cut: not cut)
    visit_section(page, "gradient_flow", unit="word")
    expect(page.locator(".triangle .where").first).to_contain_text("“")
    expect(page.locator(".triangle .letter:visible")).to_have_count(0)  # only single letters would fit


def test_in_a_large_window_drawings_are_enlarged_and_clicks_hit_what_is_there(page: Page):
    visit_section(page, "unrolled")
    stage, law = page.locator(".network .stage"), page.locator(".step_numbers .sums .law")
    law.wait_for()
    wait_until_still(page)
    before = stage.bounding_box()
    page.set_viewport_size({"width": 1920, "height": 1080})
    # The page grows by 1.25, its sidebar of 260 px and margins of 32 px with it: (1920 - 1.25 * 292) / (1280 - 292) = 1.57.
    until(page, stage.bounding_box, lambda box: min(box["width"] / before["width"], box["height"] / before["height"]) > 1.55)
    wait_until_still(page)
    letter = page.locator(".network .column .letter").nth(2).bounding_box()
    page.mouse.click(letter["x"] + letter["width"] / 2, letter["y"] + letter["height"] / 2)
    page.mouse.move(1, 1)
    until(page, lambda: law.inner_text().replace("\n", ""), lambda words: words.startswith("h3"))
