"""Take it home, in a browser: the file arrives, and a fresh session goes on from it."""

import re

from playwright.sync_api import expect

from core.training.checkpoint import load
from tests.browser.layout_checks import fits
from tests.browser.test_training import Training
from tests.browser.waiting import settled, until


def made(page, what="checkpoint", ending="safetensors"):
    """Make a file of the run and download it, while the run does what it does; its name, and where it lies."""
    page.get_by_role("button", name=f"Make a {what}").click()
    with page.expect_download() as downloading:
        page.get_by_role("button", name=re.compile(rf"^Download .*\.{ending}\b")).click()
    return downloading.value.suggested_filename, downloading.value.path()


def open_file(page, path):
    """Open a file as somebody who chooses it in a dialogue."""
    page.get_by_text("Open a checkpoint").click()
    chooser = page.locator("[class*=st-key-run_file] input[type=file]")
    chooser.set_input_files({"name": "run.safetensors", "mimeType": "application/octet-stream", "buffer": path.read_bytes()})
    page.locator("[class*=st-key-run_file]").get_by_text("run.safetensors").wait_for()
    settled(page)
    page.get_by_role("button", name="Open this run").click()


def test_a_run_is_taken_home_and_goes_on_there(new_page):
    home = Training(new_page())
    home.run_to(120)
    number = home.page.locator(".readout .number").inner_text()
    _, path = made(home.page)
    assert load(path.read_bytes()).step == 120
    there = Training(new_page(), hidden_size=8)
    there.run_to(5)
    open_file(there.page, path)
    until(there.page, there.update, lambda update: update == 120)
    expect(there.page.locator(".readout .number")).to_have_text(number)
    until(there.page, there.query, lambda query: query == home.query())
    there.left_a_ghost()
    expect(there.page.locator(".page-notice")).to_have_count(0)
    there.play()
    there.trained(20)


def test_files_can_be_made_while_the_run_trains(page):
    training = Training(page)
    training.play()
    training.trained(20)
    name, path = made(page)
    step = load(path.read_bytes()).step
    assert step >= 20
    until(page, training.update, lambda update: update >= step)
    assert name == f"run-update-{step}.safetensors"
    assert made(page, "table (CSV)", "csv")[1].read_bytes().startswith(b"update,")
    assert made(page, "script", "zip")[1].read_bytes().startswith(b"PK")
    training.trained(20)


def test_a_file_that_is_no_run_is_refused_beside_it(page, tmp_path):
    training = Training(page)
    training.run_to(5)
    wrong = tmp_path / "wrong.safetensors"
    wrong.write_bytes(b"<img src=x onerror=alert(1)>" * 50)
    open_file(page, wrong)
    expect(page.locator("[data-testid=stExpander] .page-notice")).to_have_count(1)
    assert training.update() == 5
    fits(page)
    training.play()
    training.trained(5)
