"""The menu, for the first visitor of a new server: Streamlit would show the names of files for a moment."""

from pathlib import Path

from playwright.sync_api import Browser

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
