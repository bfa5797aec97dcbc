"""Links and the browser's history; the current view as a link, a QR code or a frame; links to sections: test_pages.py."""

from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest
from playwright.sync_api import Page, expect

from core.config.link import HIDEABLE
from pages.app.layout.elements import HIDES
from tests.browser.places import SMALL_NETWORK, expect_open, expect_step, open_page, play_head, visit_section
from tests.browser.training_page import SMALL, Training
from tests.browser.waiting import query_params, until, visit, wait_until_idle
from tests.dashboard_server import Server

UPDATE = 60


def link_of(page: Page) -> str:
    page.get_by_role("button", name="Link and QR code").click()
    page.locator(".share_dialog dialog[open]").wait_for()
    return page.get_by_label("The link", exact=True).input_value()


def test_link_and_clipboard_have_what_is_open(new_page: Callable[..., Page]):
    page = new_page(permissions=["clipboard-read", "clipboard-write"])
    visit(page, "unrolled", text="machine", network="the network", step="3", update=UPDATE, **SMALL)
    expect(page.locator(".run_card")).to_contain_text(f"update {UPDATE}")
    wait_until_idle(page)
    link = link_of(page)
    assert urlsplit(link)[:3] == urlsplit(page.url)[:3]
    assert dict(parse_qsl(urlsplit(link).query)) == query_params(page) | {"update": str(UPDATE)}
    expect(page.locator(".share_dialog dialog svg path").first).to_be_visible()
    page.get_by_role("button", name="Copy link").click()
    expect(page.locator(".share_dialog .status")).to_have_text("copied")
    assert page.evaluate("navigator.clipboard.readText()") == link
    page.keyboard.press("Escape")
    expect(page.locator(".share_dialog dialog")).not_to_be_visible()


def test_on_a_phone_the_dialog_fits_and_copies_without_the_clipboard_api(new_page: Callable[..., Page]):
    page = new_page(viewport={"width": 390, "height": 720}, color_scheme="dark")
    page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    visit(page, **SMALL)
    page.get_by_test_id("stExpandSidebarButton").click()
    link = link_of(page)
    code, sheet = (page.locator(f".share_dialog dialog {part}").first.bounding_box() for part in ("svg", ".sheet"))
    assert code["width"] == pytest.approx(code["height"], abs=1)
    assert code["width"] >= 330
    assert 0 <= sheet["x"] <= sheet["x"] + sheet["width"] <= 390
    shown = "dialog => [dialog.scrollWidth - dialog.clientWidth, getComputedStyle(dialog.querySelector('svg rect')).fill]"
    assert page.locator(".share_dialog dialog").evaluate(shown) == [0, "rgb(255, 255, 255)"]
    page.get_by_role("button", name="Copy link").click()
    expect(page.locator(".share_dialog .status")).to_have_text("copied")
    selected = "field => field.value.slice(field.selectionStart, field.selectionEnd)"
    assert page.get_by_label("The link", exact=True).evaluate(selected) == link


def numbers(page: Page) -> list[str]:
    """The texts of Surprise: the perplexity, and the picked token's table and probability."""
    return [text.split("Perplexity")[0] for text in page.locator(".surprise section").all_text_contents()]


def test_a_moment_is_added_to_a_lecture_saved_and_presented_elsewhere(new_page: Callable[..., Page], tmp_path: Path):
    page, file = new_page(), tmp_path / "lecture.json"
    visit(page, "perplexity", text="It was raining.", picked=5, update=UPDATE, **SMALL)
    expect(page.locator(".run_card")).to_contain_text(f"update {UPDATE}")
    wait_until_idle(page)
    seen = numbers(page)
    link_of(page)
    sheet = page.locator(".share_dialog dialog")
    sheet.get_by_text("Add this moment to my lecture").click()
    sheet.get_by_label("Name", exact=True).fill("Rain")
    sheet.get_by_role("button", name="Add", exact=True).click()
    expect(sheet.locator(".added")).not_to_be_empty()
    page.keyboard.press("Escape")
    page.get_by_test_id("stSidebarNav").get_by_role("link", name="Start").click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as a file").click()
    saved.value.save_as(file)
    other = new_page()
    visit(other, "", present=1).locator(".lecture input[type=file]").set_input_files(file)
    expect(other.locator(".lecture li")).to_have_count(1)
    other.keyboard.press("PageDown")
    expect(other.locator(".scene_bar .question")).to_have_text("Rain")
    expect(other.locator(".run_card")).to_contain_text(f"update {UPDATE}")
    until(other, lambda: numbers(other), lambda now: now == seen)


def test_a_link_to_a_part_that_is_not_displayed_opens_at_the_one_that_follows(page: Page):
    visit(page, view="uploaded", present=1, **SMALL)  # the part is inside an expander
    until(page, page.locator(".st-key-text_knobs").bounding_box, lambda box: box and -1 <= box["y"] <= 20)


def visible(page: Page) -> dict[str, int]:
    """The number of visible elements of each part that can be hidden."""
    count = "nodes => nodes.filter((node) => node.checkVisibility() && node.getBoundingClientRect().height > 0).length"
    return {name: page.locator(HIDES[name]).evaluate_all(count) for name in HIDEABLE}


def test_every_part_that_can_be_hidden_is_visible_and_then_is_not(page: Page):
    training = Training(page, scene="learning")
    until(page, lambda: visible(page), lambda parts: all(parts.values()))
    visit(page, hide=",".join(HIDEABLE), scene="learning", **SMALL)
    training.wait_until_drawn()
    assert visible(page) == dict.fromkeys(HIDEABLE, 0)


def test_a_frame_in_another_page_shows_the_chart_and_its_bar(page: Page, server: Server):
    src = f"{server.url}/?hide=sidebar,title,presets,knobs,restarts,more,sample,notes&update=20&hidden_size=16&max_tokens=20000"
    page.set_content(f'<iframe width="900" height="600" src="{src}"></iframe>')
    frame = page.frame_locator("iframe")
    expect(frame.get_by_role("toolbar", name="Training")).to_be_visible()
    expect(frame.locator(".readout")).to_contain_text("20")
    expect(frame.get_by_test_id("stSidebar")).not_to_be_visible()
    until(page, lambda: page.frames[1].url, lambda url: "hide=" in url and "update=20" in url)


def test_on_a_phone_the_section_begins_below_the_button_of_the_sidebar(new_page: Callable[..., Page]):
    page = visit_section(new_page(viewport={"width": 390, "height": 844}), "truncation", "proof")
    expect_open(page, "proof")
    bar, arrow = page.locator(".component.tabs"), page.get_by_test_id("stExpandSidebarButton")
    arrow.wait_for()

    def distance() -> float:
        box = arrow.bounding_box()
        return bar.bounding_box()["y"] - box["y"] - box["height"]

    until(page, distance, lambda px: 0 <= px < 20)


def test_browser_back_reverts_only_the_choice_of_a_section(page: Page):
    visit_section(page, "truncation")

    def query() -> dict[str, str]:
        return {name: value for name, value in query_params(page).items() if name not in SMALL_NETWORK}

    page.get_by_role("group", name="Section").get_by_text("The proof").click()
    until(page, query, lambda now: now == {"section": "proof"})
    page.get_by_role("toolbar", name="The proof").get_by_text("6", exact=True).last.click()
    until(page, query, lambda now: now == {"section": "proof", "k": "6"})
    page.go_back()
    expect_open(page, "cut")
    page.go_forward()
    expect_open(page, "proof")
    until(page, query, lambda now: now == {"section": "proof", "k": "6"})
    open_page(page, "Unrolled")
    page.go_back()
    expect_open(page, "proof")


def test_a_link_and_a_reload_restore_the_play_head_and_no_step_out_of_range(page: Page):
    visit_section(page, "gradient_flow", step="3")
    expect_step(page, 2)
    play_head(page).press("ArrowRight")
    page.wait_for_url("**step=4*")
    page.reload()
    expect_step(page, 3)
    page.get_by_role("button", name="Turn round").click()
    page.wait_for_url("**step=*+back*")
    visit_section(page, "unrolled", step="99")
    expect(page.locator(".page-notice")).to_contain_text("99")
    until(page, lambda: page.url, lambda url: "step=99" not in url)
