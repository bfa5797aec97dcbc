"""Sections: whatever is pressed in one of them, every other one can be opened."""

import pytest
from playwright.sync_api import Page

from tests.browser.layout_checks import evaluate
from tests.browser.places import BAR, PLACES, expect_open, visit_section
from tests.browser.waiting import javascript, query_params, until, wait_until_idle

USE_NEXT = javascript("use_next_control")
SECTIONS = [(path, section) for path, sections in PLACES.items() for section in sections if len(sections) > 1]
MOST = 60  # controls of a section: more are those of a list that grows with each press


def use_every_control(page: Page) -> list[str]:
    """Use each control of the open section once; return their names."""
    used = []
    while len(used) < MOST and (name := evaluate(page, USE_NEXT, used)):
        used.append(name)
    return used


@pytest.mark.parametrize(("path", "section"), SECTIONS)
def test_every_other_section_opens_after_each_control_was_used(page, path, section):
    visit_section(page, path, section)
    expect_open(page, section)
    use_every_control(page)
    for other in (*PLACES[path], section):
        wait_until_idle(page).locator(f'{BAR} [data-value="{other}"]').last.click()
        until(
            page, lambda: query_params(page).get("section", PLACES[path][0]), lambda now, opened=other: now == opened
        )  # a tab looks open at once
        expect_open(page, other)
    wait_until_idle(page)
