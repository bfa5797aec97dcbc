"""Presenting: type that the last row can read, without the frame; and the keys of a keyboard and of a clicker."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.layout_checks import SMALL_NETWORK, unreadable
from tests.browser.waiting import asked_of, settled, until, visit

LEAST = 24  # px that can be read from the last row, of a window of 1280 x 720
ROUNDED = 0.4  # px: beside a scroll bar
MOVED = 60  # px: what stands at the top of the window, and what keeps clear of the edge
# The text of these parts of a page that is drawn smaller than ``least`` px, with its size.
SMALLER = """([selector, least]) => {
  const small = [], roots = [document];
  const size = (node) => {
    const type = parseFloat(getComputedStyle(node).fontSize), line = node.closest("text");
    if (!line) return type * node.currentCSSZoom;
    const [drawn, made] = [line.getBoundingClientRect(), line.getBBox()];
    return type * Math.hypot(drawn.width, drawn.height) / Math.hypot(made.width, made.height);
  };
  for (const root of roots) {
    roots.push(...[...root.querySelectorAll("*")].map((node) => node.shadowRoot).filter(Boolean));
    for (const node of root.querySelectorAll(selector)) {
      const own = [...node.childNodes].some((part) => part.nodeType === 3 && part.textContent.trim());
      if (own && node.checkVisibility() && size(node) < least) small.push([node.textContent, size(node)]);
    }
  }
  return small;
}"""
MATTERS = {
    "training": ".live_figure text, .readout :not(.ask), .writing :not(.ask), .controls .knob :not(.ask, .remark)",
    "unrolled": ".network text:not(.mean, .empty), .network tspan:not(tspan tspan), .network .maths > span, .step_numbers .law",
    "perplexity": ".surprise *",
}
PRESENTING = "document.documentElement.hasAttribute('data-presenting')"


def presented(page: Page, path: str = "training", **query: object) -> Page:
    """A page of the dashboard, presented by its key."""
    visit(page, path, **SMALL_NETWORK, **query)
    page.locator(".present .ask").wait_for()
    page.keyboard.press("p")
    expect(page.get_by_test_id("stSidebar")).not_to_be_visible()
    return page


def offers(page: Page, name: str) -> None:
    """Something in a shadow root that offers itself for a key, and counts."""
    page.evaluate("""(name) => {
      const host = document.body.appendChild(document.createElement("div")), node = document.createElement("button");
      node.dataset.key = name;
      node.onclick = () => { window[name] = (window[name] ?? 0) + 1; };
      host.attachShadow({ mode: "open" }).append(node);
    }""", name)  # fmt: skip


@pytest.mark.parametrize("path", MATTERS)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_what_matters_can_be_read_from_the_last_row(new_page, path, theme):
    page = presented(new_page(color_scheme=theme), path)
    page.locator(MATTERS[path]).first.wait_for(state="attached")
    smaller = [MATTERS[path], LEAST - ROUNDED]
    until(page, lambda: page.evaluate(SMALLER, smaller), lambda small: not small)
    assert not unreadable(page)


def test_it_lasts_from_page_to_page_and_through_a_reload_until_escape(page):
    presented(page)
    until(page, lambda: asked_of(page), lambda asked: asked.get("present") == "1")
    page.goto(page.url.replace("/training?", "/unrolled?"))
    settled(page)
    until(page, lambda: page.evaluate(PRESENTING), bool)
    expect(page.locator(".network .stage")).to_be_visible()
    expect(page.locator(".page-hint").first).not_to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("stSidebar")).to_be_visible()
    until(page, lambda: asked_of(page), lambda asked: "present" not in asked)
    page.get_by_role("link", name="Recurrent step").click()
    expect(page.locator(".page-title h1")).to_have_text("Recurrent step")
    page.get_by_role("button", name="Present").click()
    expect(page.get_by_test_id("stSidebar")).not_to_be_visible()


def test_what_was_looked_at_is_presented_and_stands_there_again_afterwards(page):
    """The page is laid out otherwise, larger and without its hints: a place is no number of pixels."""
    visit(page, "unrolled", **SMALL_NETWORK)
    looked_at = page.locator(".product").first
    looked_at.evaluate("(node) => node.scrollIntoView()")

    def place() -> float:
        return looked_at.evaluate("(node) => node.getBoundingClientRect().top / node.currentCSSZoom")

    at = place()
    for key in ("p", "Escape"):
        page.keyboard.press(key)
        until(page, place, lambda top: abs(top - at) < MOVED)
        assert not unreadable(page)
        assert abs(place() - at) < MOVED


def test_a_clicker_turns_on_and_back_and_the_keys_play_and_step(page):
    presented(page, "unrolled")
    for name in ("next", "previous"):
        offers(page, name)
    for key in ("PageDown", "PageDown", "PageUp"):
        page.keyboard.press(key)
    assert page.evaluate("[next, previous]") == [2, 1]
    position = page.get_by_label("Position", exact=True)
    page.locator(".network .bar button").first.click()  # to the beginning
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press(".")
    expect(position).to_have_value("1")
    page.keyboard.press("Space")
    last = position.get_attribute("max")
    expect(position).to_have_value(last)


def test_black_a_spotlight_and_the_list_of_keys_lie_over_the_page(page):
    presented(page)
    black, spot, keys = (page.locator(f".presenting-overlay {part}") for part in (".black", ".spot", "dialog"))
    page.keyboard.press("b")
    expect(black).to_be_visible()
    until(page, black.bounding_box, lambda box: box == {"x": 0, "y": 0, "width": 1280, "height": 720})
    page.keyboard.press("Escape")
    expect(black).not_to_be_visible()
    page.keyboard.press("s")
    page.mouse.move(200, 300)
    until(page, lambda: spot.evaluate("spot => spot.style.getPropertyValue('--x')"), lambda x: x == "200px")
    page.locator(".transport .play").click()  # under the light
    expect(page.locator(".transport .play")).to_have_attribute("data-playing", "true")
    page.keyboard.press("Shift+?")
    expect(keys).to_be_visible()
    page.keyboard.press("Escape")
    expect(keys).not_to_be_visible()
    assert page.evaluate(PRESENTING)


def test_a_field_keeps_its_keys(page):
    visit(page, "perplexity", section="surprise", **SMALL_NETWORK)
    field = page.get_by_label("The text: type here")
    field.click()
    page.keyboard.press("End")
    page.keyboard.type("pbs?.k")
    until(page, field.input_value, lambda text: text.endswith("pbs?.k"))
    assert not page.evaluate(PRESENTING)
