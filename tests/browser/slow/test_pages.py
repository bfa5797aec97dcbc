"""Every section of every page: its layout at every width and zoom, and on the wider sheet of paper."""

from collections.abc import Callable
from itertools import product

import pytest
from playwright.sync_api import Page

from tests.browser.layout_checks import at_widths, print_problems
from tests.browser.places import PLACES, visit_section

WINDOWS, ZOOMS, NARROWEST = (390, 1024, 1440, 1920), (1, 1.5, 2), 360  # px
EVERY_WIDTH = {int(width / zoom): zoom for zoom, width in product(ZOOMS, WINDOWS) if width / zoom >= NARROWEST}


@pytest.mark.parametrize(("path", "section"), [(path, section) for path, sections in PLACES.items() for section in sections])
def test_a_section_is_readable_at_every_width_and_printable_in_landscape(new_page: Callable[..., Page], path: str, section: str):
    page = visit_section(new_page(reduced_motion="reduce"), path, section)
    assert [*at_widths(page, EVERY_WIDTH), *print_problems(page, "landscape")] == []
