"""Random presses: nothing breaks, and whenever the run is paused the page shows the run's own numbers."""

from playwright.sync_api import Page

from tests.browser.random_presses import press_at_random


def test_after_random_presses_the_page_shows_the_runs_own_numbers(page: Page, introspection_port: int):
    press_at_random(page, introspection_port, presses=60, seed=1)
