"""What is seen while a page is loaded: the menu never has the names of files, and no component moves."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.places import MENU
from tests.browser.waiting import visit
from tests.dashboard_server import serving

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


RECORD_PLACES = """window.places = new Map();  // of each element that is seen: where it was
const record = () => {
  if (getComputedStyle(document.documentElement).getPropertyValue("--product"))
    for (const part of document.querySelectorAll(".stMain .stElementContainer"))
      if (part.checkVisibility({ visibilityProperty: true }) && part.offsetHeight && !part.querySelector("[data-testid^=stSkel]"))
        places.set(part, (places.get(part) ?? new Set()).add(Math.round(part.getBoundingClientRect().top)));
  requestAnimationFrame(record);
};
requestAnimationFrame(record);"""
MOVED = "[...places].filter(([_, tops]) => tops.size > 1).map(([part, tops]) => [part.className, part.innerText, ...tops])"


@pytest.mark.parametrize("path", ["recurrent_step", "training"])
def test_nothing_moves_while_a_page_is_loaded(new_page: Callable[..., Page], path: str):
    page = new_page(viewport={"width": 1920, "height": 1080})
    page.add_init_script(RECORD_PLACES)
    visit(page, path).locator(".live_figure .plot[data-drawn]").first.wait_for()
    expect(page.locator(".live_figure .plot:not([data-drawn])")).to_have_count(0)
    assert page.evaluate("places.size") > 4
    assert page.evaluate(MOVED) == []
