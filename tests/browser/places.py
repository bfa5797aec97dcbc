"""The pages of the dashboard and their sections, named as in URLs; and functions that open them."""

from playwright.sync_api import Locator, Page, expect

from core.config.link import PAGE_PATHS
from tests.browser.waiting import query_params, until, visit, wait_until_idle
from tests.pages.views import SECTIONS

MENU = [
    "Start",
    "Recurrent step",
    "Unrolled",
    "Training",
    "Perplexity",
    "Gradient flow",
    "Truncation",
    "The two books",
    "Exercises",
]
PLACES = {page: tuple(SECTIONS.get(page, ("",))) for page in PAGE_PATHS}  # the sections of each page, by the page's path
SMALL_NETWORK = {"max_tokens": 20_000, "hidden_size": 32, "batch_size": 8, "num_steps": 16, "cosine_until": 0}
BAR = ".tabs .segments"


def visit_section(page: Page, path: str, section: str = "", **query: object) -> Page:
    """Open a section by its link, with a small network by default."""
    return visit(page, path, **({"section": section} if section else {}), **SMALL_NETWORK | query)


def expect_open(page: Page, section: str) -> None:
    """Wait until only this section is open: while one replaces another, both exist for a moment."""
    chosen = f'{BAR} [aria-pressed="true"]'
    expect(page.locator(f'{chosen}[data-value="{section}"]')).to_have_count(1)
    expect(page.locator(f'{chosen}:not([data-value="{section}"])')).to_have_count(0)


def open_section(page: Page, section: str, part: str) -> Page:
    """Press the button of a section; wait until the URL names it and its element ``part`` is visible."""
    button = page.locator(f'{BAR} [data-value="{section}"]')
    is_open = button.get_attribute("aria-pressed") == "true"
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    until(page, lambda: query_params(page), lambda query: is_open or query.get("section") == section)
    wait_until_idle(page).locator(part).last.wait_for()
    return page


def open_page(page: Page, name: str) -> Page:
    page.get_by_test_id("stSidebarNav").get_by_role("link", name=name).click()
    expect(page.get_by_role("heading", name=name, exact=True, level=1)).to_be_visible()
    return wait_until_idle(page)


def play_head(page: Page) -> Locator:
    """The drawing of the unrolled network, whose attributes contain the play head's step."""
    return page.locator(".network .whole")


def expect_step(page: Page, step: int, *, back: bool = False) -> None:
    """Wait until the play head is at this step, counted from 0, of the forward pass, or with ``back`` of the backward pass."""
    expect(play_head(page)).to_have_attribute("data-step", str(step))
    expect(play_head(page)).to_have_attribute("data-back", str(back).lower())


def select(page: Page, label: str, option: str) -> None:
    page.get_by_role("combobox", name=label).click()
    page.get_by_role("option", name=option, exact=True).click()
