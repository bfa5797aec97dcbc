"""A page saved as one HTML file: it opens from disk, without a network, and its drawings are interactive."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from pages.content.scenes import SCENES
from pages.export.site import INDEX, Lecture, write_site
from tests.browser.chromium import VIEWPORT
from tests.browser.places import open_page, visit_section
from tests.browser.waiting import visit


@pytest.fixture
def from_disk(browser: Browser) -> Iterator[Callable[..., Page]]:
    """``from_disk(file, scheme)``: a page in a browser without a network. Any console error or network request fails the test."""
    wrong: list[str] = []
    with browser.new_context(offline=True, viewport=VIEWPORT) as context:

        def from_disk(file: Path, scheme: str = "light") -> Page:
            saved = context.new_page()
            saved.emulate_media(color_scheme=scheme)
            saved.on("console", lambda message: wrong.append(message.text))
            saved.on("pageerror", lambda error: wrong.append(str(error)))
            saved.on("request", lambda request: request.url.startswith(("file:", "blob:", "data:")) or wrong.append(request.url))
            saved.goto(file.as_uri())
            saved.locator("main[data-drawn]").wait_for()
            return saved

        yield from_disk
    assert not wrong


@pytest.fixture
def opened(from_disk: Callable[..., Page], tmp_path: Path) -> Callable[..., Page]:
    """``opened(page, scheme)``: save the open page as a file and open that file from disk."""

    def opened(page: Page, scheme: str, button: str = "Make a page (HTML)") -> Page:
        page.get_by_text("Take it home as a page").click()
        page.get_by_role("button", name=button).press("Enter")  # it moves while the expander opens: a click could miss it
        with page.expect_download() as downloading:
            page.get_by_role("button", name=re.compile(r"^Download .*\.html\b")).click()
        file = tmp_path / downloading.value.suggested_filename
        downloading.value.save_as(file)
        return from_disk(file, scheme)

    return opened


def test_the_play_head_moves_and_the_charts_are_drawn(page: Page, opened: Callable[..., Page]):
    saved = opened(visit(page, "gradient_flow", hidden_size=8), "dark")
    expect(saved.locator(".plot[data-drawn]")).to_have_count(2)
    expect(saved.locator(".component.network")).to_have_attribute("data-theme", "dark")
    words = saved.locator(".component.backward_numbers")
    before = words.inner_text()
    saved.keyboard.press(".")
    expect(words).not_to_have_text(before)
    saved.keyboard.press("k")  # starts playing
    before = words.inner_text()
    expect(words).not_to_have_text(before)
    saved.locator(".component.triangle svg, .component.triangle canvas").first.hover()
    saved.get_by_role("button", name="Light or dark").click()
    expect(saved.locator(".component.network")).to_have_attribute("data-theme", "light")
    expect(saved.locator("a", has_text="live page")).to_have_attribute(
        "href", re.compile(r"^http://127\.0\.0\.1:\d+/gradient_flow")
    )


def test_truncation_slider_works_offline_and_server_controls_are_inert(page: Page, opened: Callable[..., Page]):
    saved = opened(visit(page, "truncation", hidden_size=8), "light")
    share = saved.locator(".component.kept_share")
    before = share.inner_text()
    saved.locator(".component.controls input[type=range]").focus()
    saved.keyboard.press("End")
    share.scroll_into_view_if_needed()  # it is only redrawn while visible
    expect(share).to_contain_text("100")
    assert share.inner_text() != before
    assert saved.locator(".component.controls .switch").evaluate("node => node.inert")


def test_a_film_is_dragged_and_played(page: Page, opened: Callable[..., Page]):
    saved = opened(visit(page, "training", hidden_size=8, update=30), "dark", "Make a film of the run (HTML)")
    caption, number = saved.locator(".states output"), saved.locator(".readout .number")
    expect(caption).to_have_text("update 30")
    last = number.inner_text()
    saved.locator(".states input").focus()
    saved.keyboard.press("Home")
    expect(caption).to_have_text("update 0")
    expect(number).not_to_have_text(last)
    assert float(number.inner_text()) > float(last)
    saved.keyboard.press("k")
    expect(caption).to_have_text("update 30")
    expect(number).to_have_text(last)
    expect(saved.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_the_one_product_of_scene_3_is_shown_when_it_is_asked_for(tmp_path: Path, from_disk: Callable[..., Page]):
    scene = SCENES["products"]
    list(write_site(tmp_path, Lecture("One scene", {"": [scene]})))
    (file,) = tmp_path.glob("*products.html")
    saved = from_disk(file)
    one_product = saved.locator(".blocks .sum")
    expect(one_product).to_be_hidden()
    saved.get_by_role("button", name="One product", exact=True).click()
    expect(one_product).to_be_visible()
    expect(saved.locator(".scene_bar .tick")).to_have_text("done")


def test_a_folder_of_scenes_is_presented_by_keys(tmp_path: Path, from_disk: Callable[..., Page]):
    scenes = [SCENES["vanishing"], SCENES["cut"]]
    list(write_site(tmp_path, Lecture("Two scenes", {"": scenes})))
    saved = from_disk(tmp_path / INDEX)
    expect(saved.get_by_role("link")).to_have_count(len(scenes))
    saved.keyboard.press("p")
    saved.keyboard.press("PageDown")
    notice = saved.locator(".scene_bar .notice")
    expect(saved.locator(".scene_bar .question")).to_have_text(scenes[0].question)
    expect(notice).to_be_hidden()
    chart = saved.locator(".live_figure .plot").last
    before = chart.get_attribute("aria-label")
    saved.get_by_role("button", name="2", exact=True).click()
    expect(saved.locator(".scene_bar .tick")).to_have_text("done")
    saved.keyboard.press("PageDown")
    expect(notice).to_be_visible()
    expect(chart).not_to_have_attribute("aria-label", before)
    chosen = chart.get_attribute("aria-label")
    saved.locator(".network .bar button").first.click()  # a button without a text shows no other state
    saved.evaluate("() => new Promise((done) => setTimeout(done))")  # a state would be shown in a task of its own
    assert chart.get_attribute("aria-label") == chosen
    for _ in scenes[0].why:
        saved.keyboard.press("PageDown")
        expect(saved.locator(".scene_bar .reason.shown strong").first).to_be_visible()
    saved.keyboard.press("PageDown")
    expect(saved.locator(".scene_bar .question")).to_have_text(scenes[1].question)
    expect(saved.locator("html")).to_have_attribute("data-presenting", "")
    saved.keyboard.press("n")
    expect(notice).to_be_visible()
    saved.keyboard.press("PageUp")
    expect(notice).to_be_hidden()
    saved.keyboard.press("PageUp")
    expect(saved.locator(".scene_bar .question")).to_have_text(scenes[0].question)


def test_the_panel_stays_open_when_another_page_is_opened_until_it_is_closed(page: Page):
    visit_section(page, "unrolled")
    panel, make = page.locator(".st-key-as_page summary"), page.get_by_role("button", name="Make a page (HTML)")
    panel.click()
    expect(make).to_be_visible()
    open_page(page, "Perplexity")
    make.press("Enter")
    expect(page.get_by_role("button", name=re.compile(r"^Download perplexity.*\.html\b"))).to_be_visible()
    panel.click()
    expect(make).to_have_count(0)
    open_page(page, "Truncation")
    expect(make).to_have_count(0)
