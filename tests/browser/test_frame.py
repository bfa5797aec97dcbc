"""While a page loads, the menu never shows file names and no component moves."""

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


RECORD_SHIFTS = """window.shifts = [];  // what moved by itself since the page has its style
const record = (list) => {
  for (const { value, sources } of list.getEntries().filter(({ value }) => value > 0.005))
    for (const { node } of sources)
      if (node?.parentElement?.closest(".stMain")) shifts.push([value, node.className, node.textContent]);
};
const begin = () => requestAnimationFrame(getComputedStyle(document.documentElement).getPropertyValue("--product")
  ? () => new PerformanceObserver(record).observe({ type: "layout-shift" }) : begin);
requestAnimationFrame(begin);"""


@pytest.mark.parametrize(("path", "name"), [("recurrent_step", "Training"), ("training", "Recurrent step")])
def test_nothing_moves_while_a_page_is_loaded_or_another_one_opened(new_page: Callable[..., Page], path: str, name: str):
    page = new_page(viewport={"width": 1920, "height": 1080})
    page.add_init_script(RECORD_SHIFTS)
    visit(page, path).locator(".live_figure .plot[data-drawn]").first.wait_for()
    page.get_by_role("link", name=name).dispatch_event("click")  # after a real click, shifts are not recorded for a while
    page.get_by_role("heading", name=name, level=1).wait_for()
    page.locator(".live_figure .plot[data-drawn]").first.wait_for()
    expect(page.locator(".live_figure .plot:not([data-drawn])")).to_have_count(0)
    assert page.evaluate("shifts") == []
