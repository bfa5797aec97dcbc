"""On paper every page is whole, in dark ink on white, and without what only a hand needs."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.layout_checks import SMALL_NETWORK, at_rest, legible, open_section
from tests.browser.test_widths import PLACES
from tests.browser.waiting import until, visit

MM = 96 / 25.4  # px
SHEETS = {"portrait": round(190 * MM), "landscape": round(277 * MM)}  # px: A4 without its margins
# What lies beyond the sheet, is cut off, or should not be on paper.
WRONG = """() => {
  const wrong = [], sheet = innerWidth;
  const chrome = '.save, .transport, .run_card, [role="toolbar"], input[type="range"], .ask, [data-testid="stSidebar"], '
    + '[data-testid="stButton"] button';
  const name = (node) => `${node.tagName.toLowerCase()}.${node.getAttribute("class") ?? ""}`.slice(0, 60);
  const walk = (node) => {
    if (node.shadowRoot) walk(node.shadowRoot);
    for (const child of node.children ?? []) {
      const { left, right, width, height } = child.getBoundingClientRect(), style = getComputedStyle(child);
      const there = width > 1 && height > 1 && style.display !== "contents" && style.visibility === "visible";
      if (there && child.matches(chrome)) wrong.push(`${name(child)} is there`);
      if (there && child.matches(".framed, svg, canvas, table, .panel, h1, h2, p") && !child.closest(".veils")) {
        if (right > sheet + 1.5 || left < -1.5) wrong.push(`${name(child)}: ${left.toFixed()} to ${right.toFixed()} of ${sheet}`);
      }
      if (there && /auto|scroll/.test(style.overflowX) && child.scrollWidth > child.clientWidth + 2)
        wrong.push(`${name(child)} is cut: ${child.clientWidth} of ${child.scrollWidth}`);
      walk(child);
    }
  };
  walk(document.querySelector('[data-testid="stApp"]'));
  return wrong;
}"""


def sections(page: Page, path: str) -> Iterator[str]:
    """Every section of a page, at rest on the screen, then as on paper of each format."""
    for section in PLACES[path] or [""]:
        page.emulate_media(media="screen")
        page.set_viewport_size({"width": 1280, "height": 720})
        if section:
            open_section(page, section)
        at_rest(page)
        for sheet, width in SHEETS.items():
            page.set_viewport_size({"width": width, "height": 1000})
            page.emulate_media(media="print")
            yield f"{section} {sheet}"


@pytest.mark.parametrize("path", PLACES)
def test_on_paper_nothing_is_cut_and_no_control_is_left(page: Page, path: str):
    visit(page, path, **SMALL_NETWORK)
    for where in sections(page, path):
        try:
            until(page, lambda: page.evaluate(WRONG), lambda wrong: not wrong)
        except AssertionError as trouble:
            pytest.fail(f"{where}: {trouble}")


@pytest.mark.parametrize("path", ["unrolled", "training"])
def test_what_is_dark_is_printed_light_and_is_dark_again(new_page: Callable[..., Page], path: str):
    page = visit(new_page(color_scheme="dark"), path, **SMALL_NETWORK)
    page.get_by_test_id("stMain").locator(".save").first.wait_for(state="attached")
    at_rest(page)
    dark, light = (page.locator(f'.paper[data-theme="{theme}"]') for theme in ("dark", "light"))
    expect(dark).not_to_have_count(0)
    expect(light).to_have_count(0)
    page.emulate_media(media="print")
    expect(dark).to_have_count(0)
    paper = "node => getComputedStyle(node).getPropertyValue('--background')"
    until(page, lambda: page.locator(".paper").first.evaluate(paper), lambda colour: colour == "#FFFFFF")
    legible(page)
    page.emulate_media(media="screen")
    expect(light).to_have_count(0)
    expect(dark).not_to_have_count(0)


def test_a_page_becomes_a_document(page: Page):
    visit(page, "unrolled", **SMALL_NETWORK)
    at_rest(page)
    assert page.pdf(format="A4").startswith(b"%PDF-")
