"""Saved pictures, SVG and PNG: an SVG opens without the dashboard and without a network; both show the same as the page."""

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
MARGIN = 12  # px around a picture
NEAR = 3  # px between the positions of a word on the page and in the file
COARSE = 4  # px of the page that are compared as one: edges may lie half a px apart
ALIKE = 4  # of 255: mean difference per channel between the PNG and the page
# Together they contain every kind of picture: plots, SVG layers and sheets, a canvas, tables, tokens, fields.
PICTURES = {"training": "", "recurrent_step": "products", "perplexity": "surprise", "gradient_flow": "gradient_check"}
LAYERS = "svg:not(.icon, svg svg)"
WORDS = javascript("words")
CONTROLS = "button, select, input, [role=toolbar]"  # in a file they are left out, or drawn as the browser draws them
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


def of_network(page: Page) -> Locator:
    """The button that saves the drawing of the network."""
    pictures(page)
    return page.locator(".framed:has(> .network) > .save")


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


def picture_of(offer: Locator) -> Locator:
    """The component that a button saves."""
    return offer.locator("xpath=preceding-sibling::*[1]")


def expect_same_words(page: Page, blank: Page, offer: Locator, folder: Path) -> Path:
    """Save a drawing as SVG; every word of the drawing is at the same position in the file."""
    places = "(root) => { const { x, y } = root.getBoundingClientRect(); return [x, y] }"
    (left, top), shown = picture_of(offer).evaluate(places), []
    for layer in picture_of(offer).locator(LAYERS).all():
        x, y = layer.evaluate(places)
        shown += layer.evaluate(WORDS, [x - left, y - top, "title, style"])
    svg = saved(page, offer, "SVG", folder)
    x, y, _width, _height = map(float, standalone(svg.read_text()).get("viewBox").split())
    blank.goto(f"file:{pathname2url(str(svg))}")
    kept = blank.evaluate(f"(how) => ({WORDS})(document.documentElement, how)", [x, y, ""])
    assert shown
    assert not (lost := missing(shown, kept)), f"{svg.name}: {lost[:8]} of {len(shown)}"
    return svg


def expect_same_colours(page: Page, offer: Locator, folder: Path) -> Path:
    """Save a picture as PNG. It is not blank and, if it has no controls, shows what the page shows."""
    png = saved(page, offer, "PNG", folder)
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*\.png", png.name)
    drawn = Image.open(png).convert("RGB")
    assert len(drawn.getcolors(drawn.width * drawn.height)) > 3, f"{png.stem} is blank"
    if not any(control.is_visible() for control in picture_of(offer).locator(CONTROLS).all()):
        page.mouse.move(0, 0)
        shown = Image.open(io.BytesIO(picture_of(offer).screenshot())).convert("RGB")
        within = drawn.crop((SCALE * MARGIN, SCALE * MARGIN, drawn.width - SCALE * MARGIN, drawn.height - SCALE * MARGIN))
        box = picture_of(offer).bounding_box()
        sizes = zip(within.size, (box["width"], box["height"]), strict=True)  # a screenshot has all px that the picture touches
        assert max(abs(a / SCALE - b) for a, b in sizes) <= 1, png.name
        size = tuple(-(-side // COARSE) for side in shown.size)
        difference = max(ImageStat.Stat(ImageChops.difference(shown.resize(size), within.resize(size))).mean)
        assert difference < ALIKE, f"{png.stem}: {difference}"
    return png


def test_a_picture_of_each_kind_is_saved_as_the_page_shows_it(page: Page, blank: Page, tmp_path: Path):
    kinds, drawings = set(), set()
    for path, section in PICTURES.items():
        visit_section(page, path, section)
        for offer in pictures(page):
            kind = picture_of(offer).get_attribute("class")
            if kind in kinds:
                continue
            kinds.add(kind)
            expect_same_colours(page, offer, tmp_path)
            if offer.locator("button").get_by_text("SVG").count():
                drawings.add(kind)
                expect_same_words(page, blank, offer, tmp_path)
    assert len(kinds) > 10
    assert len(drawings) > 3


def test_in_a_narrow_dark_window_a_wide_drawing_is_saved_whole_and_dark(
    new_page: Callable[..., Page], blank: Page, tmp_path: Path
):
    page = visit_section(new_page(color_scheme="dark", viewport={"width": 390, "height": 844}), "unrolled")
    offer = of_network(page)
    svg = ElementTree.parse(expect_same_words(page, blank, offer, tmp_path))
    assert float(svg.getroot().get("width")) > 900
    assert svg.find("{*}rect").get("fill") == "#11161D"
    png = Image.open(expect_same_colours(page, offer, tmp_path))
    assert png.width > SCALE * 900
    assert png.convert("RGB").getpixel((0, 0)) == (0x11, 0x16, 0x1D)


def test_a_file_is_named_by_page_section_and_update(page: Page, tmp_path: Path):
    visit_section(page, "perplexity", "surprise")
    [offer] = pictures(page)
    assert saved(page, offer, "PNG", tmp_path).name == "perplexity-surprise-update-0.png"


def test_typed_text_is_escaped_in_the_file(page: Page, tmp_path: Path):
    visit_section(page, "unrolled", text="type your own", typed="<b>&", network="the network")
    svg = saved(page, of_network(page), "SVG", tmp_path)
    words = {node.text for node in standalone(svg.read_text()).iter("{http://www.w3.org/2000/svg}text")}
    assert {"<", ">"} <= words
