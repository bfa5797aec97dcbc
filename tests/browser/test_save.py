"""Every picture can be taken home: saved as SVG and PNG, it opens alone, without a network, and is as it was on the page."""

import base64
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.request import pathname2url
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.layout_checks import SMALL_NETWORK, at_rest
from tests.browser.waiting import until, visit

SCREEN = 3  # px of a PNG for one on the screen
NEAR = 3  # px between a word on the page and in the file
ALIKE = 6  # of 255: mean difference of a channel between the SVG and the PNG
PLACES = {  # between them, every kind of drawing: a plot, SVGs, layers of SVG and sheets, a canvas, tables, tokens, fields
    "recurrent_step": ("order", "products", "shapes"),
    "unrolled": ("",),
    "training": ("",),
    "perplexity": ("surprise", "number", "continuations"),
    "gradient_flow": ("gradient_check",),
    "truncation": ("cut", "data", "proof"),
}
# Every word of a node that is no part of a control, and where: px from a corner of it.
WORDS = """(root, [x, y, controls]) => {
  const words = [], range = document.createRange(), box = root.getBoundingClientRect();
  const tree = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let part = tree.nextNode(); part; part = tree.nextNode()) {
    const node = part.parentElement, style = getComputedStyle(node);
    const unseen = !node.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    if (unseen || node.closest(controls || "title, style") || /^rgba.* 0\\)$/.test(style.color)) continue;
    for (const found of part.data.matchAll(/[^\\s\\u200b]+/g)) {
      range.setStart(part, found.index);
      range.setEnd(part, found.index + found[0].length);
      const [rect, more] = range.getClientRects();
      if (rect?.width > 1 && !more) words.push([found[0], rect.left - box.left + x, rect.top + rect.height / 2 - box.top + y]);
    }
  }
  return words;
}"""
CONTROLS = "title, style, button, select, [role=toolbar], .remark, .writing .text"
PIXELS = """async ([one, other]) => {
  const read = async (source) => {
    const image = new Image();
    image.src = source;
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: 400, height: 400 });
    const pen = canvas.getContext("2d");
    pen.drawImage(image, 0, 0, 400, 400);
    return { size: [image.naturalWidth, image.naturalHeight], data: pen.getImageData(0, 0, 400, 400).data };
  };
  const [a, b] = [await read(one), await read(other)];
  let sum = 0;
  for (let i = 0; i < a.data.length; i++) sum += Math.abs(a.data[i] - b.data[i]);
  return { size: a.size, difference: sum / a.data.length, colours: new Set(new Uint32Array(a.data.buffer)).size };
}"""

FREE = """button => {
  const { left, right, top, bottom } = button.getBoundingClientRect();
  const at = (root) => {
    const found = root.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return found?.shadowRoot && found.shadowRoot !== root ? at(found.shadowRoot) : found;
  };
  const picture = button.parentElement.previousElementSibling, above = at(document);
  return [button.contains(above) || above.outerHTML.slice(0, 200), bottom <= picture.getBoundingClientRect().top + 1];
}"""


@pytest.fixture
def blank(browser: Browser) -> Iterator[Page]:
    """A browser that has never seen the dashboard, without a network."""
    with browser.new_context(offline=True, viewport={"width": 1300, "height": 1000}) as context:
        yield context.new_page()


def pictures(page: Page) -> list[Locator]:
    """The offers on a page, as soon as it is at rest."""
    page.get_by_test_id("stMain").locator(".save").first.wait_for(state="attached")
    expect(page.locator(".live_figure .plot:not([data-drawn])")).to_have_count(0)
    at_rest(page)
    return page.locator(".save").all()


def saved(page: Page, offer: Locator, kind: str, folder: Path) -> Path:
    """Press the button and the kind of file by keyboard."""
    open_ = offer.get_by_role("button", name="Save picture")
    open_.focus()
    page.keyboard.press("Enter")
    expect(open_).to_have_attribute("aria-expanded", "true")
    with page.expect_download() as started:
        offer.get_by_role("button", name=kind).press("Enter")
    expect(open_).to_be_focused()
    path = folder / started.value.suggested_filename
    started.value.save_as(path)
    return path


def alone(svg: str) -> ElementTree.Element:
    """The picture in a file that names nothing outside of itself."""
    assert not re.search(r"var\(|@import|<script|<foreignObject", svg)
    assert set(re.findall(r"url\((?!#|data:|&quot;#)[^)]*\)", svg)) == set()
    assert set(re.findall(r"https?://[^\s\"'<)]+", svg)) <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    root = ElementTree.fromstring(svg)
    links = [value for node in root.iter() for name, value in node.items() if name.split("}")[-1] in ("href", "src")]
    assert all(link.startswith(("data:", "#")) for link in links)
    assert not [name for node in root.iter() for name in node.attrib if name.startswith("on")]
    return root


def missing(seen: list, kept: list) -> list:
    """The words of the page that do not stand at their place in the file."""
    places: dict[str, list] = {}
    for word, x, y in kept:
        places.setdefault(word, []).append((x, y))
    near = lambda x, y: lambda at: abs(at[0] - x) < NEAR and abs(at[1] - y) < NEAR  # noqa: E731
    return [(word, x, y) for word, x, y in seen if not any(map(near(x, y), places.get(word, ())))]


def as_it_was(page: Page, blank: Page, offer: Locator, folder: Path) -> None:
    """Both files of one picture."""
    picture = offer.locator("xpath=preceding-sibling::*[1]")
    seen = picture.evaluate(WORDS, [0, 0, CONTROLS])
    svg = saved(page, offer, "SVG", folder)
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*\.svg", svg.name)
    x, y, width, height = map(float, alone(svg.read_text()).get("viewBox").split())
    blank.goto(f"file:{pathname2url(str(svg))}")
    kept = blank.evaluate(f"(how) => ({WORDS})(document.documentElement, how)", [x, y, ""])
    assert not (lost := missing(seen, kept)), f"{svg.name}: {lost[:8]} of {len(seen)}"
    png = saved(page, offer, "PNG", folder)
    blank.goto("about:blank")
    sources = [f"data:image/{kind};base64,{base64.b64encode(file.read_bytes()).decode()}"
               for kind, file in (("png", png), ("svg+xml", svg))]  # fmt: skip
    told = blank.evaluate(PIXELS, sources)
    assert told["size"] == [SCREEN * width, SCREEN * height]
    assert told["colours"] > 3, f"{png.name} is blank"
    assert told["difference"] < ALIKE, f"{png.name}: {told}"


@pytest.mark.parametrize("path", PLACES)
def test_what_is_saved_opens_alone_and_is_as_it_was(page: Page, blank: Page, tmp_path: Path, path: str):
    for section in PLACES[path]:
        visit(page, path, **SMALL_NETWORK, **({"section": section} if section else {}))
        offers = pictures(page)
        assert offers
        for offer in offers:
            as_it_was(page, blank, offer, tmp_path)


def test_the_name_of_a_file_says_page_section_and_update(page: Page, tmp_path: Path):
    visit(page, "perplexity", section="length", **SMALL_NETWORK)
    [*_, last] = pictures(page)
    assert re.fullmatch(r"perplexity-length-[a-z-]+-update-0\.svg", saved(page, last, "SVG", tmp_path).name)


def test_in_the_dark_a_picture_is_dark(new_page: Callable[..., Page], blank: Page, tmp_path: Path):
    page = visit(new_page(color_scheme="dark"), "unrolled", **SMALL_NETWORK)
    for offer in pictures(page)[:3]:
        as_it_was(page, blank, offer, tmp_path)
    ground = [ElementTree.parse(path).find("{*}rect").get("fill") for path in tmp_path.glob("*.svg")]
    assert ground == ["#11161D"] * 3


def test_in_a_narrow_window_all_of_a_wide_drawing_is_saved(new_page: Callable[..., Page], blank: Page, tmp_path: Path):
    page = visit(new_page(viewport={"width": 390, "height": 844}), "unrolled", **SMALL_NETWORK)
    network = pictures(page)[0]
    as_it_was(page, blank, network, tmp_path)
    [svg] = tmp_path.glob("*.svg")
    assert float(ElementTree.parse(svg).getroot().get("width")) > 900


def test_the_button_is_seen_where_pointer_or_focus_is_and_with_a_finger(page: Page, new_page: Callable[..., Page]):
    visit(page, "perplexity", section="length", **SMALL_NETWORK)
    offer = pictures(page)[0]
    button, picture = offer.get_by_role("button", name="Save picture"), offer.locator("xpath=preceding-sibling::*[1]")
    strength = "node => Number(getComputedStyle(node).opacity)"
    until(page, lambda: button.evaluate(strength), lambda seen: seen == 0)
    picture.hover()
    until(page, lambda: button.evaluate(strength), lambda seen: seen == 1)
    page.mouse.move(1, 1)
    until(page, lambda: button.evaluate(strength), lambda seen: seen == 0)
    button.focus()
    until(page, lambda: button.evaluate(strength), lambda seen: seen == 1)
    touched = visit(new_page(has_touch=True, is_mobile=True), "perplexity", section="length", **SMALL_NETWORK)
    button = pictures(touched)[0].get_by_role("button", name="Save picture")
    until(touched, lambda: button.evaluate(strength), lambda seen: seen > 0.5)


@pytest.mark.parametrize("path", PLACES)
def test_the_button_covers_nothing(page: Page, path: str):
    visit(page, path, **SMALL_NETWORK)
    for offer in pictures(page):
        offer.scroll_into_view_if_needed()
        assert offer.get_by_role("button", name="Save picture").evaluate(FREE) == [True, True]


def test_what_was_typed_is_text_in_the_file(page: Page, tmp_path: Path):
    visit(page, "perplexity", section="surprise", text="<b>&", **SMALL_NETWORK)
    [offer] = pictures(page)
    root = alone(saved(page, offer, "SVG", tmp_path).read_text())
    words = [node.text for node in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"<", ">"} <= {word for word in words if word}
