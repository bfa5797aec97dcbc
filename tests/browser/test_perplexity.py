"""The Perplexity page in a browser: typed text and its bars, training, generated texts; typed markup is escaped."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.places import open_section, visit_section
from tests.browser.training_page import PLAY
from tests.browser.waiting import same_node, until

EVIL = (
    "<script>document.title='run'</script><img src=x onerror=alert(1)>[a](javascript:alert(1))"
    r"![i](http://example.org/i.png)$\href{javascript:alert(1)}{x}$</style>:red[loud]"
)
PARTS = {"continuations": ".continuations .row", "writing": ".samples .token", "surprise": ".surprise .column"}


@pytest.fixture
def surprise(page: Page) -> Page:
    visit_section(page, "perplexity", "surprise")
    page.locator(".surprise .column").first.wait_for()
    return page


def field(page: Page) -> Locator:
    return page.get_by_label("The text: type here")


def expect_symbols(page: Page, text: str) -> None:
    columns = page.locator(".surprise .column")
    cells = "nodes => nodes.map((n) => [parseFloat(n.style.left), n.querySelector('.cell').textContent])"
    until(page, lambda: "".join(symbol for _, symbol in sorted(columns.evaluate_all(cells))), lambda symbols: symbols == text)


def test_typed_text_moves_the_bars_and_a_clicked_token_fills_the_panels(surprise: Page):
    is_same, text = same_node(field(surprise)), surprise.locator(".surprise .token")
    field(surprise).fill("the value")
    expect_symbols(surprise, "the·value")
    token, context = surprise.locator(".surprise .title bdi"), surprise.locator(".surprise .after bdi")
    width = surprise.locator(".surprise .frame").bounding_box()["width"]
    surprise.locator(".surprise .plot").click(position={"x": 2.5 * width, "y": 60})
    expect(token).to_have_text("e")
    expect(context).to_have_text("th")
    surprise.locator(".surprise .scroller").press("ArrowRight")
    expect(token).to_have_text("·")
    surprise.keyboard.press("End")
    expect(context).to_contain_text("valu")
    box = surprise.locator(".surprise .token").nth(1).bounding_box()
    surprise.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(context).to_have_text("t")
    field(surprise).press("End")
    field(surprise).press_sequentially(" is")
    expect_symbols(surprise, "the·value·is")
    assert is_same()
    assert field(surprise).evaluate("field => field === field.getRootNode().activeElement")
    expect(surprise.locator(".surprise .share bdi, .surprise .title bdi")).to_have_text("s")
    expect(text).to_have_count(12)
    field(surprise).fill("the\tvalue of the expression is returned\n" * 12)
    until(surprise, text.count, lambda count: count == 480)
    heights = "node => [node.offsetHeight, node.parentNode.querySelector('textarea').scrollHeight]"
    mirror, typed = surprise.locator(".surprise .mirror").evaluate(heights)
    assert mirror == typed > 60  # the coloured letters lie exactly behind the typed ones


def test_while_the_run_trains_the_text_is_evaluated_again_and_nothing_rebuilt(surprise: Page):
    number, is_same = surprise.locator(".surprise .number"), same_node(surprise.locator(".surprise .plot"))
    before = number.inner_text()
    surprise.get_by_role("button", name=PLAY).click()
    first = until(surprise, number.inner_text, lambda text: text != before)
    field(surprise).fill("the value")
    expect_symbols(surprise, "the·value")
    until(surprise, number.inner_text, lambda text: text != first)
    assert is_same()
    surprise.get_by_role("button", name="Pause", exact=True).click()


def test_typed_text_is_escaped_in_every_section(surprise: Page):
    def expect_no_markup(root: str) -> None:  # a request to another host fails every test
        assert surprise.locator(f"{root} :is(img, script, a, b > b)").count() == 0
        assert surprise.title() != "run"

    field(surprise).fill(EVIL)
    until(surprise, surprise.locator(".surprise .token").count, lambda count: count == len(EVIL))
    assert surprise.locator(".surprise .mirror").text_content().rstrip("\u200b") == field(surprise).input_value() == EVIL
    expect_no_markup(".surprise")
    open_section(surprise, "continuations", PARTS["continuations"])
    own = surprise.get_by_label("A continuation of your own")
    own.fill(EVIL)
    own.press("Enter")
    expect(surprise.locator(".continuations .row bdi").filter(has_text="script")).to_have_text(EVIL)
    surprise.get_by_label("The beginning").fill(EVIL)
    expect_no_markup(".continuations")
    open_section(surprise, "writing", PARTS["writing"])
    surprise.get_by_label("Prompt").fill(EVIL)
    surprise.get_by_label("Prompt").press("Enter")
    expect(surprise.locator(".samples .given").first).to_have_text(EVIL)
    expect_no_markup(".samples")


def test_texts_are_written_token_by_token_and_are_there_after_another_section(page: Page):
    visit_section(page, "perplexity", "writing")
    first, tip = page.locator(".samples .words").first, page.locator(".samples .tip")
    tokens = first.locator(".token")
    early = until(page, tokens.count, lambda count: count > 5)
    until(page, tokens.count, lambda count: count > early + 10)
    first.locator(".token:not(.break, .tab)").nth(2).hover()
    expect(tip).to_be_visible()
    expect(tip.locator(".came")).to_have_count(1)
    page.mouse.move(5, 5)
    expect(tip).to_be_hidden()
    first.press("ArrowRight")
    expect(tip).to_be_visible()
    beginning = until(page, first.inner_text, lambda text: len(text) > 30)[:20]
    open_section(page, "surprise", PARTS["surprise"])
    open_section(page, "writing", PARTS["writing"])
    until(page, first.inner_text, lambda text: len(text) > 30)
    assert first.inner_text().startswith(beginning)
    page.get_by_role("button", name="Write", exact=True).click()
    until(page, tokens.count, lambda count: 5 < count < 50)
