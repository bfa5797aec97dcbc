"""The Perplexity page in a browser: typed into, clicked, watched while the run trains; what is typed is never more than text."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.layout_checks import SMALL_NETWORK, legible, turn_to
from tests.browser.waiting import same_node, until, visit

EVIL = (
    "<script>document.title='run'</script><img src=x onerror=alert(1)>[a](javascript:alert(1))"
    r"![i](http://example.org/i.png)$\href{javascript:alert(1)}{x}$</style>:red[loud]"
)


SHADES = "nodes => nodes.map((node) => node.style.background)"


@pytest.fixture
def opened(page: Page) -> Page:
    return open_page(page)


def open_page(page: Page, *, by_link: bool = False) -> Page:
    visit(page, "training" if by_link else "perplexity", **SMALL_NETWORK)
    if by_link:
        page.get_by_role("link", name="Perplexity").click()
    expect(page.get_by_role("heading", name="Perplexity")).to_be_visible()
    page.locator(".surprise .column").first.wait_for()
    return page


def field(page: Page):
    return page.get_by_label("The text: type here")


def strip(page: Page) -> str:
    """The symbols under the bars, from left to right."""
    cells = (
        "nodes => nodes.map((n) => [parseFloat(n.style.left), n.querySelector('.cell').textContent]).sort((a, b) => a[0] - b[0])"
    )
    return "".join(symbol for _, symbol in page.locator(".surprise .column").evaluate_all(cells))


def reads(page: Page, text: str) -> None:
    until(page, lambda: strip(page), lambda seen: seen == text)


def test_typing_recolours_the_text_and_moves_its_bars(page):
    opened = open_page(page, by_link=True)
    kept = same_node(field(opened))
    field(opened).fill("the value")
    reads(opened, "the·value")
    field(opened).press("End")
    field(opened).press_sequentially(" is")
    reads(opened, "the·value·is")
    assert kept()
    assert field(opened).evaluate("field => field === field.getRootNode().activeElement")
    expect(opened.locator(".surprise .share bdi, .surprise .title bdi")).to_have_text("s")
    expect(opened.locator(".surprise .token")).to_have_count(12)
    background = opened.locator(".surprise .token").nth(3).evaluate("node => node.style.background")
    assert background.startswith("rgb")


def test_what_is_typed_is_seen_before_it_has_a_colour(opened):
    field(opened).fill("the value")
    reads(opened, "the·value")
    mirrored = field(opened).evaluate(
        """field => {
            field.value = "the new value";
            field.dispatchEvent(new Event("input", { bubbles: true }));
            return field.parentNode.querySelector(".mirror").textContent;
        }"""
    )
    assert mirrored.rstrip("\u200b") == "the new value"
    reads(opened, "the·new·value")


def test_a_clicked_token_fills_the_panels(opened):
    field(opened).fill("the value")
    reads(opened, "the·value")
    columns = opened.locator(".surprise .plot")
    pitch = opened.locator(".surprise .frame").bounding_box()["width"]
    columns.click(position={"x": 2.5 * pitch, "y": 60})
    expect(opened.locator(".surprise .title bdi")).to_have_text("e")
    expect(opened.locator(".surprise .after bdi")).to_have_text("th")
    opened.locator(".surprise .scroller").focus()
    opened.keyboard.press("ArrowRight")
    expect(opened.locator(".surprise .title bdi")).to_have_text("·")
    opened.keyboard.press("End")
    expect(opened.locator(".surprise .after bdi")).to_contain_text("valu")
    box = opened.locator(".surprise .token").nth(1).bounding_box()
    opened.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(opened.locator(".surprise .after bdi")).to_have_text("t")


def test_tabs_and_line_breaks_can_be_seen(opened):
    field(opened).fill("the\tvalue\nis")
    reads(opened, "thevalue↵is")  # this text has no tabs: left out
    marks = opened.locator(".surprise .mirror .tab, .surprise .mirror .break")
    assert marks.evaluate_all("nodes => nodes.map((n) => getComputedStyle(n, '::before').content)") == ['"→"', '"↵"']
    same_lines = "node => node.offsetHeight === node.parentNode.querySelector('textarea').scrollHeight"
    assert opened.locator(".surprise .mirror").evaluate(same_lines)


def test_the_coloured_letters_lie_under_the_typed_ones(opened):
    field(opened).fill("the value of the expression is returned " * 12)
    until(opened, opened.locator(".surprise .token").count, lambda count: count == 480)
    heights = "node => [node.offsetHeight, node.parentNode.querySelector('textarea').scrollHeight]"
    mirror, text = opened.locator(".surprise .mirror").evaluate(heights)
    assert mirror == text > 60


def test_a_hundred_thousand_pasted_characters_are_read_in_part(opened):
    pasted = """field => {
        const data = new DataTransfer();
        data.setData("text/plain", "the value of it\\n".repeat(6250));
        field.select();
        field.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    }"""
    field(opened).evaluate(pasted)
    expect(opened.locator(".surprise .notices")).to_contain_text("100\u2009000 characters")
    field(opened).press("End")
    field(opened).press("x")
    until(opened, opened.locator(".surprise .token").count, lambda count: count == 2000)


def test_a_short_text_after_the_end_of_a_long_one(opened):
    long = "the value of an expression " * 5
    field(opened).fill(long)
    until(opened, lambda: strip(opened), lambda seen: len(seen) > 20 and seen in long.replace(" ", "·"))
    opened.locator(".surprise .scroller").evaluate("scroller => { scroller.scrollLeft = scroller.scrollWidth }")
    until(opened, lambda: strip(opened), lambda seen: seen.endswith("expression·"))
    field(opened).fill("the end")
    reads(opened, "the·end")


def test_one_update_from_the_card_is_read_at_once(opened):
    field(opened).fill("the value of an expression")
    reads(opened, "the·value·of·an·expression")
    running = opened.locator(".surprise .run-label")
    before = running.inner_text()
    opened.get_by_role("button", name="One update").click()
    until(opened, running.inner_text, lambda words: words != before)


def test_the_difference_of_two_models_and_a_model_alone(opened):
    opened.get_by_role("button", name="difference").click()
    expect(opened.locator(".surprise .column .gains, .surprise .column .loses").first).to_be_visible()
    choosing_among_all = opened.locator(".surprise .others b").last.inner_text()
    opened.get_by_label("Another model beside it").select_option("none")
    expect(opened.get_by_role("button", name="difference")).to_be_hidden()
    expect(opened.locator(".surprise .column .dash:visible")).to_have_count(0)
    opened.get_by_label("The model that is looked at").select_option("counted-0")
    expect(opened.locator(".surprise .number")).to_have_text(choosing_among_all)


def test_while_the_run_trains_the_text_is_read_again_and_nothing_is_rebuilt(opened):
    number, kept = opened.locator(".surprise .number"), same_node(opened.locator(".surprise .plot"))
    before = number.inner_text()
    opened.get_by_role("button", name="Play: train the network").click()
    first = until(opened, number.inner_text, lambda words: words != before)
    field(opened).fill("the value")
    reads(opened, "the·value")
    until(opened, number.inner_text, lambda words: words != first)
    assert kept()
    opened.get_by_role("button", name="Pause", exact=True).click()


def nothing_ran(page: Page, *roots: str) -> None:
    """No element that a text could have made, and no script that has run; other hosts are watched by every test."""
    for root in roots:
        assert page.locator(f"{root} :is(img, script, a, b > b)").count() == 0
    assert page.title() != "run"


def test_typed_text_is_never_markup(opened):
    field(opened).fill(EVIL)
    until(opened, opened.locator(".surprise .token").count, lambda count: count == len(EVIL))
    assert opened.locator(".surprise .mirror").text_content().rstrip("\u200b") == field(opened).input_value() == EVIL
    nothing_ran(opened, ".surprise")

    turn_to(opened, "continuations", ".continuations .row")
    opened.get_by_label("A continuation of your own").fill(EVIL)
    opened.get_by_label("A continuation of your own").press("Enter")
    own = opened.locator(".continuations .row bdi").filter(has_text="script")
    expect(own).to_have_text(EVIL)
    opened.get_by_label("A continuation of your own").fill("a\ttab")
    opened.get_by_label("A continuation of your own").press("Enter")
    expect(opened.locator(".continuations .row .tab")).to_have_count(1)
    opened.get_by_label("The beginning").fill(EVIL)
    nothing_ran(opened, ".continuations")

    turn_to(opened, "writing", ".samples .token")
    opened.get_by_label("Prompt").fill(EVIL)
    opened.get_by_label("Prompt").press("Enter")
    expect(opened.locator(".samples .given").first).to_have_text(EVIL)
    nothing_ran(opened, ".samples")


def test_the_continuations_are_ranked_both_ways_and_the_reader_s_own_come_and_go(opened):
    turn_to(opened, "continuations", ".continuations .row")
    ranks = opened.locator(".continuations .rows .rank")
    until(opened, ranks.all_inner_texts, lambda said: sorted(said) == ["1", "2", "3", "4", "5"])
    opened.get_by_role("button", name="per token").click()
    expect(opened.locator(".continuations .says")).to_contain_text("Per token")
    opened.get_by_label("A continuation of your own").fill("cats and dogs")
    opened.get_by_role("button", name="Add").click()
    expect(opened.locator(".continuations .rows .row")).to_have_count(6)
    opened.get_by_role("button", name="Take away").locator("visible=true").click()
    expect(opened.locator(".continuations .rows .row")).to_have_count(5)


def test_texts_appear_token_by_token_and_tell_what_else_could_have_come(opened):
    turn_to(opened, "writing", ".samples .token")
    first = opened.locator(".samples .words").first
    tokens = first.locator(".token")
    early = until(opened, tokens.count, lambda count: count > 5)
    until(opened, tokens.count, lambda count: count > early + 10)
    first.locator(".token:not(.break, .tab)").nth(2).hover()
    tip = opened.locator(".samples .tip")
    expect(tip).to_be_visible()
    expect(tip.locator(".came")).to_have_count(1)
    opened.mouse.move(5, 5)
    expect(tip).to_be_hidden()
    first.focus()
    opened.keyboard.press("ArrowRight")
    expect(tip).to_be_visible()


def test_the_temperature_bends_the_next_choice_at_once(opened):
    turn_to(opened, "writing", ".samples .pair")
    expect(opened.locator(".samples .key")).to_contain_text("at temperature 1:")
    slider = opened.get_by_role("slider", name="Temperature")
    slider.focus()
    opened.keyboard.press("End")
    expect(opened.locator(".samples .key b")).to_have_text("at temperature 10:")
    opened.get_by_label("always the most probable").check()
    expect(opened.locator(".samples .key b")).to_have_text("always the most probable:")


def test_written_texts_are_there_when_the_reader_comes_back(opened):
    turn_to(opened, "writing", ".samples .token")
    words = opened.locator(".samples .words").first
    beginning = until(opened, words.inner_text, lambda text: len(text) > 30)[:20]
    turn_to(opened, "surprise", ".surprise .column")
    turn_to(opened, "writing", ".samples .token")
    until(opened, words.inner_text, lambda text: len(text) > 30)
    assert words.inner_text().startswith(beginning)


def test_long_words_are_not_cut_by_their_panels(new_page):
    page = new_page(viewport={"width": 390, "height": 844})
    text = "the implementation of a representation is the assignment_expression of the specification"
    visit(page, "perplexity", unit="word", vocab_cap=1000, text=text, **SMALL_NETWORK)
    page.locator(".surprise .column").first.wait_for()
    page.locator(".surprise .scroller").focus()
    page.keyboard.press("End")
    expect(page.locator(".surprise .after bdi")).to_contain_text("of the")
    wide = "nodes => nodes.map((n) => [n.scrollWidth - n.clientWidth, n.ariaLabel])"
    panels = page.locator(".surprise section, .surprise .after")
    until(page, lambda: [over for over in panels.evaluate_all(wide) if over[0] > 0], lambda cut: not cut)


def test_the_running_perplexity_is_not_struck_through_by_its_curve(opened):
    field(opened).fill("the value of the expression is")
    reads(opened, "the·value·of·the·expression·is")
    for order, model in ((0, "uniform"), (3, "trigram"), (5, "5-gram")):
        opened.get_by_label("The model that is looked at").select_option(f"counted-{order}")
        expect(opened.locator(".surprise .legend b").first).to_have_text(model)
        label, dot = (opened.locator(part).bounding_box() for part in (".surprise .run-label", ".surprise .running circle"))
        assert dot["y"] + dot["height"] <= label["y"] + 3 or label["y"] + label["height"] <= dot["y"] + 3


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_letters_stand_out_from_the_shades_below_them(new_page, scheme):
    page = new_page(color_scheme=scheme)
    visit(page, "perplexity", model="counted-4", **SMALL_NETWORK)  # it has every shade: sure of some letters, surprised by others
    page.locator(".surprise .column").first.wait_for()
    until(page, lambda: page.locator(".surprise .token").evaluate_all(SHADES), lambda shades: len(set(shades)) > 8)
    legible(page)
    turn_to(page, "writing", ".samples .token")
    page.locator(".samples .token:not(.break, .tab)").first.hover()
    legible(page)
    visit(page, "recurrent_step", section="networks", **SMALL_NETWORK)
    letter = page.locator(".two_networks button.token").nth(3)
    letter.click()  # the mouse stays on it
    expect(letter).to_have_attribute("aria-pressed", "true")
    legible(page)
