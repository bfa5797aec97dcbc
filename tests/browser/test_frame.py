"""While a page loads, the menu never shows file names and nothing moves; the HTML page with which a visit begins."""

from collections.abc import Callable
from pathlib import Path
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, Page, expect

from pages.content.scenes import SCENES
from tests.browser.places import MENU
from tests.browser.waiting import LIMIT, visit
from tests.dashboard_server import Server, serving

RECORD_MENUS = """window.menus = new Set();
setInterval(() => {
  const links = [...document.querySelectorAll('[data-testid="stSidebarNavLink"]')];
  if (links.length) window.menus.add(links.map((link) => link.innerText.split("\\n").pop()).join());
}, 5);"""


def test_the_first_visitor_never_sees_the_names_of_files(browser: Browser, tmp_path: Path):
    with serving(tmp_path, "streamlit") as fresh, browser.new_context(base_url=fresh.url) as context:
        page = context.new_page()
        page.add_init_script(RECORD_MENUS)
        visit(page, "unrolled")
        page.get_by_role("link", name="Truncation").wait_for()
        page.wait_for_function("window.menus.size > 0")
        assert page.evaluate("[...window.menus]") == [",".join(MENU)]


RECORD_SHIFTS = """window.shifts = [];  // what moved by itself: in the page, and in the frame around it
new PerformanceObserver((list) => {
  for (const { value, sources } of list.getEntries().filter(({ value }) => value > 0.005))
    for (const { node, previousRect, currentRect } of sources)
      shifts.push([node?.parentElement?.closest(".stMain") ? "page" : "frame", value, previousRect.y, currentRect.y,
        node?.className, node?.textContent]);
}).observe({ type: "layout-shift", buffered: true });"""


@pytest.mark.parametrize(("path", "name"), [("recurrent_step", "Training"), ("training", "Recurrent step")])
def test_nothing_moves_while_a_page_is_loaded_or_another_one_opened(new_page: Callable[..., Page], path: str, name: str):
    page = new_page(viewport={"width": 1920, "height": 1080})
    page.add_init_script(RECORD_SHIFTS)
    visit(page, path).locator(".live_figure .plot[data-drawn]").first.wait_for()
    assert page.evaluate("shifts") == []
    page.get_by_role("link", name=name).dispatch_event("click")  # after a real click, shifts are not recorded for a while
    page.get_by_role("heading", name=name, level=1).wait_for()
    page.locator(".live_figure .plot[data-drawn]").first.wait_for()
    expect(page.locator(".live_figure .plot:not([data-drawn])")).to_have_count(0)
    assert page.evaluate("shifts.filter(([where]) => where === 'page')") == []  # the card of the run is another one


BESIDE_THE_ROOM = """room => {  // where the part of the page is that holds the room, and then another element too
  const part = document.querySelector(".stMainBlockContainer > .stVerticalBlock > :has(.st-key-room)");
  const positions = [getComputedStyle(part).position], beside = room.cloneNode();
  beside.classList.remove("st-key-room");
  room.before(beside);
  positions.push(getComputedStyle(part).position);
  beside.remove();
  return positions;
}"""


def test_a_part_of_the_page_keeps_its_place_in_the_room_of_the_page_before(page: Page):
    """Between two pages Streamlit keeps the room's element in the container that now is a section's."""
    room = visit(page, "recurrent_step").locator(".stElementContainer.st-key-room")
    room.wait_for(state="attached")
    assert room.evaluate(BESIDE_THE_ROOM) == ["absolute", "static"]


RECORD_MISSING = """new MutationObserver((changes) => {  // what is not drawn yet when plotly.js is started
  if (changes.some(({ addedNodes }) => [...addedNodes].some(({ src }) => src?.endsWith("plotly.min.js"))))
    window.missing = document.querySelectorAll("[data-testid^=stBidiComponent]:not([data-drawn])").length;
}).observe(document, { childList: true, subtree: true });"""


def test_plotly_is_started_once_all_else_is_drawn(page: Page):
    page.add_init_script(RECORD_MISSING)
    visit(page, "training").locator(".live_figure .plot[data-drawn]").first.wait_for()
    assert page.evaluate("window.missing") == 0


def test_a_page_has_a_title_and_a_description_before_its_script_has_run(server: Server):
    for query, words in {"": "Gradient flow", "?lang=zh": "梯度", "?scene=vanishing": SCENES["vanishing"].question}.items():
        with urlopen(f"{server.url}/gradient_flow{query}", timeout=LIMIT) as answer:
            html = answer.read().decode()
        assert words in html[: html.index("</head>")]
        assert all(name in html for name in ('<meta name="description"', '"og:title"', '"og:description"'))


def test_an_old_browser_shows_a_sentence(page: Page):
    page.add_init_script("delete Promise.withResolvers")
    page.goto("/training")
    expect(page.get_by_role("alert")).to_contain_text("too old")
    visit(page.context.new_page(), "training")
    expect(page.context.pages[-1].get_by_role("alert")).to_have_count(0)
