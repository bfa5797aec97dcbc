"""Every section in a pseudo-language with longer words than English: its text is readable."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.layout_checks import at_widths
from tests.browser.places import PLACES, visit_section
from tests.browser.waiting import wait_until_idle
from tests.dashboard_server import Server, serving
from tests.language.pseudo import CODE

WIDTHS = {1280: 1, 1024: 1, 390: 1}  # CSS px and the zoom

pytestmark = pytest.mark.xdist_group("pseudo_language")  # one worker: one server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The dashboard with the pseudo-language."""
    with serving(tmp_path_factory.mktemp("pseudo_language"), "tests.language.pseudo") as server:
        yield server


@pytest.mark.parametrize("path", ["", *PLACES])
def test_longer_words_are_neither_cut_nor_over_others(new_page: Callable[..., Page], path: str):
    page, found = new_page(color_scheme="light", reduced_motion="reduce"), []
    visit_section(page, path, lang=CODE)
    for section in PLACES.get(path, [""]):
        if section:
            page.locator(f'.tabs [data-value="{section}"]').click()
            expect(page.locator('.tabs [aria-pressed="true"]').first).to_have_attribute("data-value", section)
            wait_until_idle(page)
        expect(page.locator("html")).to_have_attribute("lang", CODE)
        found += [f"{path} {section}, {problem}" for problem in at_widths(page, WIDTHS)]
    assert not found, "\n".join(found)
