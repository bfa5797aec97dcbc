"""Files of a run in a browser: they are downloaded while it trains."""

import re
from pathlib import Path

from playwright.sync_api import Page

from core.training.checkpoint.checkpoint import load
from tests.browser.training_page import Training


def download(page: Page, what: str, ending: str) -> tuple[str, bytes]:
    """A file of the run: its name and its bytes."""
    page.get_by_role("button", name=f"Make a {what}").click()
    with page.expect_download() as downloading:
        page.get_by_role("button", name=re.compile(rf"^Download .*\.{ending}\b")).click()
    return downloading.value.suggested_filename, Path(downloading.value.path()).read_bytes()


def test_files_are_made_while_it_trains(page: Page):
    training = Training(page)
    training.play()
    training.wait_for_updates()
    name, data = download(training.page, "checkpoint", "safetensors")
    step = load(data).step
    assert step > 0
    assert name == f"run-update-{step}.safetensors"
    assert download(training.page, "table (CSV)", "csv")[1].startswith(b"update,")
    training.wait_for_updates()
