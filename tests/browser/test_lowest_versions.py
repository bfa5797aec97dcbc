"""A run and every page with the lowest versions that ``requirements.txt`` allows.

``.ci/run`` creates the environment with them (``uv pip install --resolution lowest-direct``), and sets ``RNN_LOWEST_PYTHON`` to
its interpreter.
"""

import os
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.places import MENU
from tests.browser.training_page import Training
from tests.browser.waiting import wait_until_idle
from tests.dashboard_server import Server, serving

LOWEST = os.environ.get("RNN_LOWEST_PYTHON", "")
TITLES = {"Start": "Recurrent networks"}  # pages whose title differs from their name in the menu

pytestmark = [
    pytest.mark.skipif(not LOWEST, reason="RNN_LOWEST_PYTHON names no interpreter: .ci/run makes one"),
    pytest.mark.xdist_group("lowest_versions"),  # one worker: one server
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The dashboard, started by the interpreter that has the lowest versions."""
    with serving(tmp_path_factory.mktemp("lowest"), "streamlit", python=LOWEST) as server:
        yield server


def test_a_run_trains_every_page_opens_and_a_reload_finds_the_run(page: Page):
    training = Training(page)
    training.play()
    training.wait_for_updates(50)
    training.pause()
    update = training.update()
    for name in (*MENU, "Training"):
        page.get_by_test_id("stSidebarNavLink").filter(has=page.get_by_text(name, exact=True)).click()
        expect(page.locator(".page-title h1")).to_have_text(TITLES.get(name, name))
        wait_until_idle(page)
    page.reload()
    wait_until_idle(page)
    training.wait_for_update(update)
    expect(page.locator(".page-notice")).to_have_count(0)
