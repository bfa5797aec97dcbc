"""As many random presses as in a lecture: nothing breaks, and the page shows the run's own numbers.

With ``RNN_PRESSES=1000`` in the environment there are so many of each seed.
"""

import os

import pytest
from playwright.sync_api import Page

from tests.browser.random_presses import press_at_random


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("seed", [2, 3])
def test_after_random_presses_the_page_shows_the_runs_own_numbers(page: Page, introspection_port: int, seed: int):
    press_at_random(page, introspection_port, presses=int(os.environ.get("RNN_PRESSES", "150")), seed=seed)
