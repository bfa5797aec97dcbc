"""Files of a run in a browser: they are downloaded while it trains, and a new session goes on from a checkpoint."""

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from core.training.checkpoint.checkpoint import load
from tests.browser.training_page import Training
from tests.browser.waiting import until, wait_until_idle


def download(page: Page, what: str, ending: str) -> tuple[str, bytes]:
    """A file of the run: its name and its bytes."""
    page.get_by_role("button", name=f"Make a {what}").click()
    with page.expect_download() as downloading:
        page.get_by_role("button", name=re.compile(rf"^Download .*\.{ending}\b")).click()
    return downloading.value.suggested_filename, Path(downloading.value.path()).read_bytes()


def test_files_are_made_while_it_trains_and_a_checkpoint_is_opened_elsewhere(new_page: Callable[..., Page]):
    training = Training(new_page())
    training.play()
    training.wait_for_updates()
    name, data = download(training.page, "checkpoint", "safetensors")
    step = load(data).step
    assert step > 0
    assert name == f"run-update-{step}.safetensors"
    assert download(training.page, "table (CSV)", "csv")[1].startswith(b"update,")
    training.wait_for_updates()
    other = Training(new_page(), hidden_size=8)
    other.run_to(5)
    other.page.get_by_text("Open a checkpoint").click()
    uploader = other.page.locator("[class*=st-key-run_file]")
    file = {"name": "run.safetensors", "mimeType": "application/octet-stream", "buffer": data}
    uploader.locator("input[type=file]").set_input_files(file)
    uploader.get_by_text("run.safetensors").wait_for()
    wait_until_idle(other.page)
    other.button("Open this run").click()
    other.wait_for_update(step)
    until(other.page, other.query, lambda query: query == training.query())
    other.wait_for_traces("earlier run", 1)
    expect(other.page.locator(".page-notice")).to_have_count(0)
    other.play()
    other.wait_for_updates()
