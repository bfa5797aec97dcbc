"""Saved pictures, SVG and PNG: each opens without the dashboard and without a network, and shows the same as the page."""

import io
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.request import pathname2url
from xml.etree import ElementTree

import pytest
from PIL import Image, ImageChops, ImageStat
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.layout_checks import wait_until_still
from tests.browser.places import visit_section
from tests.browser.waiting import javascript

SCALE = 3  # px of a PNG for each CSS px
NEAR = 3  # px between the positions of a word on the page and in the file
ALIKE = 6  # of 255: mean difference per channel between the SVG and the PNG
# Together they contain every kind of drawing: plots, SVG layers and sheets, a canvas, tables, tokens, fields.
DRAWINGS = {"training": "", "recurrent_step": "products", "perplexity": "surprise", "gradient_flow": "gradient_check"}
WORDS = javascript("words")
CONTROLS = "title, style, button, select, [role=toolbar], .remark, .writing .text"
Words = list[tuple[str, float, float]]


@pytest.fixture
def blank(browser: Browser) -> Iterator[Page]:
    """A page of a browser that has never opened the dashboard, without a network."""
    with browser.new_context(offline=True, viewport={"width": 1300, "height": 1000}) as context:
        yield context.new_page()


def pictures(page: Page) -> list[Locator]:
    """The buttons that save a picture, once nothing moves."""
    page.get_by_test_id("stMain").locator(".save").first.wait_for(state="attached")
    expect(page.locator(".live_figure .plot:not([data-drawn])")).to_have_count(0)
    wait_until_still(page)
    return page.locator(".save").all()


def saved(page: Page, offer: Locator, kind: str, folder: Path) -> Path:
    """Save a picture in one format by keyboard; return the downloaded file."""
    button = offer.get_by_role("button", name="Save picture")
    button.focus()
    page.keyboard.press("Enter")
    expect(button).to_have_attribute("aria-expanded", "true")
    with page.expect_download() as started:
        offer.get_by_role("button", name=kind).press("Enter")
    expect(button).to_be_focused()
    path = folder / started.value.suggested_filename
    started.value.save_as(path)
    return path


def standalone(svg: str) -> ElementTree.Element:
    """The root of an SVG; assert that it has no script and no external reference."""
    assert not re.search(r"var\(|@import|<script|<foreignObject", svg)
    assert set(re.findall(r"url\((?!#|data:|&quot;#)[^)]*\)", svg)) == set()
    assert set(re.findall(r"https?://[^\s\"'<)]+", svg)) <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    root = ElementTree.fromstring(svg)
    links = [value for node in root.iter() for name, value in node.items() if name.split("}")[-1] in ("href", "src")]
    assert all(link.startswith(("data:", "#")) for link in links)
    assert not [name for node in root.iter() for name in node.attrib if name.startswith("on")]
    return root


def missing(shown: Words, kept: Words) -> Words:
    """The words of the page that are not at the same position in the file."""
    places: dict[str, list] = {}
    for word, x, y in kept:
        places.setdefault(word, []).append((x, y))

    def is_kept(word: str, x: float, y: float) -> bool:
        return any(abs(at[0] - x) < NEAR and abs(at[1] - y) < NEAR for at in places.get(word, ()))

    return [place for place in shown if not is_kept(*place)]


def expect_same(page: Page, blank: Page, offer: Locator, folder: Path) -> Path:
    """Save one picture in both formats and compare them with the page; return the SVG."""
    shown = offer.locator("xpath=preceding-sibling::*[1]").evaluate(WORDS, [0, 0, CONTROLS])
    svg = saved(page, offer, "SVG", folder)
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*\.svg", svg.name)
    x, y, width, height = map(float, standalone(svg.read_text()).get("viewBox").split())
    blank.goto(f"file:{pathname2url(str(svg))}")
    kept = blank.evaluate(f"(how) => ({WORDS})(document.documentElement, how)", [x, y, ""])
    assert not (lost := missing(shown, kept)), f"{svg.name}: {lost[:8]} of {len(shown)}"
    png = Image.open(saved(page, offer, "PNG", folder)).convert("RGB")
    assert png.size == (SCALE * width, SCALE * height)
    assert len(png.getcolors(png.width * png.height)) > 3, f"{svg.stem} is blank"
    blank.set_viewport_size({"width": int(width), "height": int(height)})
    drawn = Image.open(io.BytesIO(blank.screenshot())).convert("RGB")
    difference = max(ImageStat.Stat(ImageChops.difference(drawn, png.resize(drawn.size))).mean)
    assert difference < ALIKE, f"{svg.stem}: {difference}"
    return svg


def test_a_saved_picture_of_each_kind_opens_alone_and_shows_what_the_page_showed(page: Page, blank: Page, tmp_path: Path):
    kinds = set()
    for path, section in DRAWINGS.items():
        visit_section(page, path, section)
        for offer in pictures(page):
            kind = offer.locator("xpath=preceding-sibling::*[1]").get_attribute("class")
            if kind not in kinds:
                expect_same(page, blank, offer, tmp_path)
            kinds.add(kind)
    assert len(kinds) > 10


def test_in_a_narrow_dark_window_a_wide_drawing_is_saved_whole_and_dark(
    new_page: Callable[..., Page], blank: Page, tmp_path: Path
):
    page = visit_section(new_page(color_scheme="dark", viewport={"width": 390, "height": 844}), "unrolled")
    svg = ElementTree.parse(expect_same(page, blank, pictures(page)[0], tmp_path))
    assert float(svg.getroot().get("width")) > 900
    assert svg.find("{*}rect").get("fill") == "#11161D"


def test_typed_text_is_escaped_in_the_file_named_by_page_section_and_update(page: Page, tmp_path: Path):
    visit_section(page, "perplexity", "surprise", text="<b>&")
    [offer] = pictures(page)
    svg = saved(page, offer, "SVG", tmp_path)
    assert re.fullmatch(r"perplexity-surprise-update-0\.svg", svg.name)
    words = {node.text for node in standalone(svg.read_text()).iter("{http://www.w3.org/2000/svg}text")}
    assert {"<", ">"} <= words
