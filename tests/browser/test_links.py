"""A link in a browser: handed out as text and as a code, opened by another reader, and in somebody else's page."""

from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
import segno
from playwright.sync_api import expect

from core.link import HIDEABLE
from pages.ui.frame import HIDES
from tests.browser.test_training import PLOT, SMALL, Training
from tests.browser.waiting import asked_of, settled, until, visit

TRAINED = 60


def handed_out(page):
    """The link that is handed out of what is open."""
    page.get_by_role("button", name="Link and QR code").click()
    page.locator(".handout dialog[open]").wait_for()
    return page.get_by_label("The link", exact=True).input_value()


def drawn(page):
    """The modules of the QR code, as the browser fills them."""
    return page.locator(".handout dialog svg").first.evaluate("""(code) => {
      const { width, x } = code.viewBox.baseVal, size = width + 2 * x, path = code.querySelector("path");
      const dark = (column, row) => Number(path.isPointInFill(new DOMPoint(column + 0.5, row + 0.5)));
      return Array.from({ length: size }, (_, row) => Array.from({ length: size }, (_, column) => dark(column, row)));
    }""")


def test_what_is_open_is_handed_out_as_text_and_as_a_code(new_page):
    page = new_page(permissions=["clipboard-read", "clipboard-write"])
    visit(page, "unrolled", text="machine", network="the network", step="3", update=TRAINED, **SMALL)
    expect(page.locator(".run_card")).to_contain_text(f"update {TRAINED}")
    settled(page)
    link = handed_out(page)
    assert urlsplit(link)[:3] == urlsplit(page.url)[:3]
    assert dict(parse_qsl(urlsplit(link).query)) == asked_of(page) | {"update": str(TRAINED)}
    assert drawn(page) == [list(row) for row in segno.make(link, micro=False, error="l").matrix]
    expect(page.locator(".handout .notes")).to_contain_text("Only this machine")
    page.get_by_role("button", name="Copy link").click()
    expect(page.locator(".handout .said")).to_have_text("copied")
    assert page.evaluate("navigator.clipboard.readText()") == link
    page.keyboard.press("Escape")
    expect(page.locator(".handout dialog")).not_to_be_visible()


def test_without_a_clipboard_the_link_is_selected_and_copied(page):
    page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    visit(page, **SMALL)
    link = handed_out(page)
    page.get_by_role("button", name="Copy link").click()
    expect(page.locator(".handout .said")).to_have_text("copied")
    selected = "field => field.value.slice(field.selectionStart, field.selectionEnd)"
    assert page.get_by_label("The link", exact=True).evaluate(selected) == link


def test_another_reader_of_the_link_sees_the_same_number(new_page):
    home = Training(new_page())
    home.run_to(TRAINED)
    link, number = handed_out(home.page), home.page.locator(".readout .number").inner_text()
    there = new_page()
    there.goto(link)
    settled(there)
    card = there.locator(".run_card .card")
    expect(card).to_have_attribute("data-state", "paused")
    expect(there.locator(".readout .number")).to_have_text(number)
    until(there, lambda: asked_of(there), lambda asked: asked == {name: str(value) for name, value in SMALL.items()})


def test_what_was_sent_last_is_seen_also_where_the_scripts_come_late(page):
    """All that was sent by then waits for one script, and Chromium lets it go on in any order."""
    heard, held = [], []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: heard.append(frame)))
    page.route("**/save.js", lambda route: held.append(route))
    page.goto(f"/training?{urlencode(SMALL | {'update': TRAINED})}")
    until(page, lambda: any(b'"state":"training"' in frame for frame in heard), bool)
    until(page, lambda: held and any(b'"state":"paused"' in frame for frame in heard), bool)
    held[0].continue_()
    expect(page.locator(".run_card .card")).to_have_attribute("data-state", "paused")
    expect(page.locator(".readout .number")).to_have_attribute("data-state", "paused")
    expect(page.locator(".readout")).to_contain_text(str(TRAINED))
    expect(page.get_by_role("toolbar", name="Training").get_by_role("button", name="Play")).to_be_visible()


@pytest.mark.parametrize("width", [1280, 390])
def test_the_code_and_the_link_are_within_the_window(new_page, width):
    page = new_page(viewport={"width": width, "height": 720}, color_scheme="dark")
    visit(page, update=5, **SMALL)
    if width == 390:
        page.get_by_test_id("stExpandSidebarButton").click()
    handed_out(page)
    code, sheet = (page.locator(f".handout dialog {part}").first.bounding_box() for part in ("svg", ".sheet"))
    assert code["width"] == pytest.approx(code["height"], abs=1)
    assert code["width"] >= (550 if width == 1280 else 330)
    assert sheet["x"] >= 0
    assert sheet["x"] + sheet["width"] <= width
    box = "dialog => [dialog.scrollWidth - dialog.clientWidth, getComputedStyle(dialog.querySelector('svg')).backgroundColor]"
    assert page.locator(".handout dialog").evaluate(box) == [0, "rgb(255, 255, 255)"]


def seen(page, selectors):
    """How many things on the page that these selectors find can be seen."""
    look = "nodes => nodes.filter((node) => node.checkVisibility() && node.getBoundingClientRect().height > 0).length"
    return page.locator(selectors).evaluate_all(look)


def test_every_part_that_can_be_hidden_is_seen_and_then_is_not(page):
    visit(page, scene="learning", **SMALL)
    until(page, lambda: {name: seen(page, HIDES[name]) for name in HIDEABLE}, lambda many: all(many.values()))
    visit(page, hide=",".join(HIDEABLE), scene="learning", **SMALL)
    page.locator(PLOT).and_(page.locator("[data-drawn]")).wait_for()
    assert {name: seen(page, HIDES[name]) for name in HIDEABLE} == dict.fromkeys(HIDEABLE, 0)


def test_a_page_of_somebody_else_shows_the_chart_and_what_plays_it(page, server):
    src = f"{server.url}/?hide=sidebar,title,presets,knobs,restarts,more,sample,notes&update=20&hidden_size=16&max_tokens=20000"
    page.set_content(f'<iframe width="900" height="600" src="{src}"></iframe>')
    frame = page.frame_locator("iframe")
    expect(frame.get_by_role("toolbar", name="Training")).to_be_visible()
    expect(frame.locator(".readout")).to_contain_text("20")
    expect(frame.get_by_test_id("stSidebar")).not_to_be_visible()
    until(page, lambda: page.frames[1].url, lambda url: "hide=" in url and "update" not in url)
