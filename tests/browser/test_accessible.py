"""Who cannot see the pages, or works them by keys alone, is served too: axe-core finds nothing serious in any section.

axe-core is one of the tools of the JavaScript (``npm ci --prefix tests/javascript``).
"""

import os

import pytest
from playwright.sync_api import Page, expect

from tests.browser.layout_checks import SMALL_NETWORK, at_rest, open_section
from tests.browser.test_training import Training
from tests.browser.test_widths import PLACES
from tests.browser.waiting import settled, until, visit
from tests.javascript.test_javascript import HERE, REQUIRED

AXE = HERE / "node_modules" / "axe-core" / "axe.min.js"
STREAMLITS_OWN = [  # drawn by Streamlit, whose names, roles and colours are not ours to choose
    '[data-testid="stHeader"]',
    '[data-testid="stSidebarNav"]',
    '[data-testid="stExpander"] summary',  # its words fade in, paler than they stay
    '[data-testid="stFileUploader"]',
    '[data-testid="stSelectbox"]',
    '[data-testid="stTextArea"]',
    '[data-testid="stButton"]',
    '[data-testid="stDownloadButton"]',
]
# What is found: the rule, where, and why. The smallest findings are advice.
FOUND = """async (theirs) => {
  const { violations } = await axe.run({ exclude: theirs.map((one) => [one]) }, { resultTypes: ["violations"] });
  return violations.filter(({ impact }) => impact !== "minor").flatMap(({ id, nodes }) => nodes.map(({ html, any, all, none }) =>
    `${id}: ${html.slice(0, 160)}: ${[...any, ...all, ...none][0]?.message}`));
}"""


@pytest.fixture(autouse=True)
def axe() -> None:
    """Without it the test is skipped, or fails where the tools of the JavaScript are required."""
    if not AXE.exists():
        reason = "axe-core is missing: npm ci --prefix tests/javascript"
        pytest.fail(reason) if os.environ.get(REQUIRED) else pytest.skip(reason)


def found(page: Page) -> list[str]:
    """What axe-core finds as soon as nothing moves any more."""
    at_rest(settled(page))
    return page.evaluate(FOUND, STREAMLITS_OWN)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", PLACES)
def test_no_serious_finding_in_any_section(new_page, path, scheme):
    page = visit(new_page(color_scheme=scheme, reduced_motion="reduce"), path, **SMALL_NETWORK)
    page.add_script_tag(path=AXE)
    troubles = []
    for section in PLACES[path] or [""]:
        if section:
            open_section(page, section)
        troubles += [f"{section} {trouble}" for trouble in found(page)]
    assert troubles == []


@pytest.mark.parametrize("query", [{}, {"scene": "counting"}], ids=["start", "scene"])
def test_nor_on_the_start_page_nor_in_the_strip_of_a_scene(new_page, query):
    page = visit(new_page(color_scheme="light", reduced_motion="reduce"), "", **query)  # else it plays, and never rests
    page.add_script_tag(path=AXE)
    page.locator('[data-key="next"]').wait_for()
    if query:
        page.locator(".present button").wait_for()  # from then on keys are heard
        page.keyboard.press("n")
        expect(page.locator(".thread .tick")).to_have_text("done")
    assert found(page) == []


def test_nor_in_what_is_opened_or_trains(page):
    training = Training(page, update=30, **SMALL_NETWORK)
    page.add_script_tag(path=AXE)
    until(page, training.update, lambda update: update == 30)
    training.button("Play: train the network").wait_for()
    training.button("Draw what you expect").click()
    page.get_by_role("application").wait_for()
    for summary in page.get_by_test_id("stExpander").locator("summary").all():
        summary.click()
    assert found(page) == []
