"""A run and every page with the lowest versions that ``requirements.txt`` allows.

``.ci/run`` makes the environment with them, and names its interpreter in ``RNN_LOWEST_PYTHON``.
"""

import json
import os
import subprocess
from collections.abc import Iterator

import pytest
from packaging.requirements import Requirement
from playwright.sync_api import Page, expect

from tests.browser.places import MENU
from tests.browser.training_page import Training
from tests.browser.waiting import wait_until_idle
from tests.dashboard_server import ROOT, Server, serving

LOWEST = os.environ.get("RNN_LOWEST_PYTHON", "")
TITLES = {"Start": "Recurrent networks"}  # where the title of a page is not its name in the menu
COMPILED = {"numpy", "pandas"}  # compiled for each Python apart: a newer Python has no wheel of the oldest version
VERSIONS = """import importlib.metadata, json, sys
print(json.dumps({name: importlib.metadata.version(name) for name in sys.argv[1:]}))"""

pytestmark = [
    pytest.mark.skipif(not LOWEST, reason="RNN_LOWEST_PYTHON names no interpreter: .ci/run makes one"),
    pytest.mark.xdist_group("lowest_versions"),  # one worker: one server
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The dashboard, started by the interpreter that has the lowest versions."""
    with serving(tmp_path_factory.mktemp("lowest"), "streamlit", python=LOWEST) as server:
        yield server


def lower_bounds() -> dict[str, str]:
    """The lowest version of each package that runs the dashboard."""
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    declared = [Requirement(line) for line in lines if line and not line.startswith("#")]
    return {one.name: bound.version for one in declared for bound in one.specifier if bound.operator == ">="}


def open_page(page: Page, name: str) -> None:
    """Open a page by the menu; fails where it shows an exception."""
    page.get_by_test_id("stSidebarNavLink").filter(has=page.get_by_text(name, exact=True)).click()
    expect(page.locator(".page-title h1")).to_have_text(TITLES.get(name, name))
    wait_until_idle(page)


def test_the_interpreter_has_the_lowest_versions():
    """Otherwise the next test could pass with newer ones."""
    bounds = lower_bounds()
    told = subprocess.run([LOWEST, "-c", VERSIONS, *bounds], capture_output=True, text=True, check=True).stdout
    assert {name: version for name, version in json.loads(told).items() if name not in COMPILED} == {
        name: version for name, version in bounds.items() if name not in COMPILED
    }


def test_a_run_trains_every_page_opens_and_a_reload_finds_the_run(page: Page):
    training = Training(page)
    training.play()
    training.wait_for_updates(50)
    training.pause()
    update = training.update()
    for name in MENU:
        open_page(page, name)
    open_page(page, "Training")
    page.reload()
    wait_until_idle(page)
    training.wait_for_update(update)
    expect(page.locator(".page-notice")).to_have_count(0)
