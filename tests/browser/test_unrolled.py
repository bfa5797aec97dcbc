"""The Unrolled page in a browser: it plays, steps, is driven by keys alone, and keeps its place while the run trains."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.layout_checks import SMALL_NETWORK, fits
from tests.browser.waiting import same_node, settled, until, visit

# From now on every sub-step that the drawing comes to is kept.
EVERY_SUB_STEP = """whole => {
  window.subSteps = [whole.dataset.sub];
  const keep = () => subSteps.at(-1) !== whole.dataset.sub && subSteps.push(whole.dataset.sub);
  new MutationObserver(keep).observe(whole, { attributeFilter: ["data-sub"] });
}"""


@pytest.fixture
def opened(page: Page) -> Page:
    return open_page(page)


def open_page(page: Page, *, by_link: bool = False) -> Page:
    visit(page, "training" if by_link else "unrolled", **SMALL_NETWORK)
    if by_link:
        page.get_by_role("link", name="Unrolled").click()
    expect(page.get_by_role("heading", name="Unrolled")).to_be_visible()
    page.locator(".network .column").first.wait_for(state="attached")
    page.locator(".step_numbers .sums tbody tr").first.wait_for()
    return page


def whole(page: Page):
    return page.locator(".network .whole")


def at(page: Page, step: int) -> None:
    expect(whole(page)).to_have_attribute("data-step", str(step))


def choose(page: Page, label: str, option: str) -> None:
    page.get_by_role("combobox", name=label).click()
    page.get_by_role("option", name=option, exact=True).click()


def forty(page: Page) -> Page:
    choose(page, "Text", "a window of the text")
    expect(page.locator(".network .column")).to_have_count(40)
    return page


def law(page: Page) -> str:
    return page.locator(".step_numbers .sums .law").inner_text().replace("\n", "")


def test_it_plays_to_the_end_and_stops(page):
    opened = open_page(page, by_link=True)
    opened.get_by_role("button", name="To the beginning").click()
    at(opened, 0)
    opened.get_by_role("button", name="Play", exact=True).click()
    at(opened, 5)
    expect(whole(opened)).to_have_attribute("data-playing", "false")
    until(opened, lambda: law(opened), lambda said: said.startswith("h6"))


def test_keys_alone_do_everything(opened):
    whole(opened).focus()
    for key, step in [("Home", 0), ("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", 5), ("ArrowRight", 5)]:
        opened.keyboard.press(key)
        at(opened, step)
    opened.keyboard.press("Home")
    opened.keyboard.press("Space")
    expect(whole(opened)).to_have_attribute("data-playing", "true")
    opened.keyboard.press("Space")
    expect(whole(opened)).to_have_attribute("data-playing", "false")


def test_keys_elsewhere_do_nothing(opened):
    whole(opened).focus()
    opened.keyboard.press("Home")
    at(opened, 0)
    opened.get_by_role("heading", name="Unrolled").click()
    opened.evaluate("document.activeElement.blur()")
    opened.keyboard.press("ArrowRight")
    opened.evaluate("0")
    at(opened, 0)


def test_a_sub_step_can_be_looked_at_by_name(opened):
    opened.get_by_role("button", name="logits").click()
    expect(whole(opened)).to_have_attribute("data-sub", "3")
    expect(opened.locator(".network .caption")).to_contain_text("logits")
    part = opened.locator(".network .column").nth(5).locator(".prediction")
    expect(part).to_have_css("visibility", "hidden")
    opened.get_by_role("button", name="loss").click()
    expect(part).to_have_css("visibility", "visible")


def test_slow_motion_goes_through_every_sub_step(opened):
    opened.get_by_role("button", name="Slow motion").click()
    opened.get_by_role("button", name="embed").click()
    expect(whole(opened)).to_have_attribute("data-sub", "0")
    whole(opened).evaluate(EVERY_SUB_STEP)
    opened.get_by_role("button", name="Play", exact=True).click()
    until(opened, lambda: opened.evaluate("subSteps"), lambda seen: seen[:3] == ["0", "1", "2"])
    opened.get_by_role("button", name="Pause", exact=True).click()


def spoken_of(opened: Page) -> list[int]:
    """The step of the drawing, the cell, the layers, the product, the question, the drawing's equation and the tables; -1 of
    what is not drawn yet."""
    steps = [opened.locator(f"{part}[data-step]").get_attribute("data-step") for part in (".network .whole", ".cell .stage")]
    layers = opened.locator('.layers [data-layer="TimeRNN"] .box').evaluate_all("all => all.map((box) => box.dataset.is)")
    present = layers.index("present") if "present" in layers else -1
    counted = [
        opened.locator(".product tbody").get_attribute("data-done"),
        opened.locator(".dependence h3").get_attribute("data-step"),
        opened.locator(".network .law sub.step").first.inner_text(),
        law(opened).split("=")[0].strip("h "),
    ]
    return [*map(int, steps), present, *(int(said or 0) - 1 for said in counted)]


def all_speak_of(opened: Page, step: int) -> None:
    until(opened, lambda: spoken_of(opened), lambda steps: steps == [step] * 7)


def test_a_click_on_a_column_moves_the_head_and_all_speak_of_its_step(opened):
    opened.set_viewport_size({"width": 1280, "height": 3200})  # out of sight nothing is drawn again
    hit = opened.locator(".network .hit")
    hit.nth(1).hover()
    expect(opened.locator(".network .hover")).to_have_css("visibility", "visible")
    all_speak_of(opened, 5)
    hit.nth(2).click()
    all_speak_of(opened, 2)
    box = opened.locator(".step_numbers .cells").bounding_box()
    opened.mouse.click(box["x"] + box["width"] * 0.25, box["y"] + 30)
    all_speak_of(opened, 1)
    opened.locator(".unit_text bdi").nth(4).click()
    all_speak_of(opened, 4)


def test_a_unit_is_followed_from_table_to_cell_to_map(opened):
    opened.set_viewport_size({"width": 1280, "height": 3200})  # out of sight nothing is drawn again
    opened.locator(".step_numbers .unit button").nth(3).click()
    unit = opened.locator(".step_numbers .unit button").nth(3).inner_text().removeprefix("unit ")
    expect(opened.get_by_role("spinbutton", name="Unit")).to_have_value(unit)
    expect(opened.locator(".step_numbers .one-unit")).to_be_visible()
    expect(opened.locator(".cell .part.state .marked")).to_have_css("visibility", "visible")
    names = opened.locator(".step_numbers .unit button").all_inner_texts()
    opened.get_by_role("button", name="To the beginning").click()
    at(opened, 0)
    assert opened.locator(".step_numbers .unit button").all_inner_texts() == names
    whole(opened).focus()
    opened.keyboard.press("Escape")
    expect(opened.locator(".step_numbers .one-unit")).to_be_hidden()


def test_the_tables_fill_in_with_the_sub_steps(opened):
    parts = ["td.from-0 span", "td.from-1 span", "td.from-2 span", "tr.from-3 td:nth-child(2)", "td.from-4", ".nats"]
    for sub, name in enumerate(["embed", "pre-activation", "tanh", "logits", "softmax", "loss"]):
        opened.get_by_role("button", name=name, exact=True).click()
        for i, part in enumerate(parts):
            visible = "visible" if i <= sub else "hidden"
            expect(opened.locator(f".step_numbers {part}").first).to_have_css("visibility", visible)


def test_the_loop_opens_and_closes(opened):
    sheet = opened.locator(".network .sheet")
    opened.get_by_role("button", name="Fold into the loop").click()
    expect(sheet).to_have_attribute("data-folded", "true")
    whole(opened).focus()
    opened.keyboard.press("Home")
    for step in range(6):
        at(opened, step)
        expect(sheet.locator(".column:not(.behind)")).to_have_count(1)
        expect(sheet.locator(".column").nth(step)).to_have_css("opacity", "1")
        expect(sheet.locator(".column").nth(step).locator(".prediction")).to_have_css("visibility", "visible")
        opened.keyboard.press("ArrowRight")
    opened.get_by_role("button", name="Fold into the loop").click()
    expect(sheet).to_have_attribute("data-folded", "false")


def test_a_unit_is_chosen_by_number_and_by_suggestion(opened):
    number = opened.get_by_role("spinbutton", name="Unit")
    number.fill("3")
    number.press("Enter")
    words = opened.locator(".unit_text .tokens bdi")
    before = words.first.evaluate("node => node.style.background")
    opened.locator(".unit_text .offers button").first.click()
    expect(opened.locator('.unit_text .offers button[aria-pressed="true"]')).to_have_count(1)
    until(opened, lambda: words.first.evaluate("node => node.style.background"), lambda colour: colour != before)


def test_the_question_follows_the_play_head(opened):
    question = opened.locator(".dependence h3")
    whole(opened).focus()
    question.scroll_into_view_if_needed()  # out of sight it is not drawn again
    opened.keyboard.press("Home")
    expect(question).to_have_attribute("data-step", "1")
    opened.keyboard.press("ArrowRight")
    expect(question).to_have_attribute("data-step", "2")
    expect(opened.locator(".dependence rect.broken")).to_have_count(0)


def shades(opened: Page, strip: str) -> list[str]:
    return opened.locator(strip).evaluate_all("rects => rects.map((rect) => rect.getAttribute('fill'))")


def test_the_opened_cell_follows_the_play_head_and_the_sub_steps(opened):
    cell = opened.locator(".cell .stage")
    kept = same_node(opened.locator(".cell svg"))
    whole(opened).focus()
    opened.keyboard.press("Home")
    cell.scroll_into_view_if_needed()  # out of sight it is not drawn again
    expect(cell).to_have_attribute("data-step", "0")
    expect(cell.locator(".token")).to_have_text("m")
    expect(cell.locator(".before")).to_contain_text("all zeros")
    x, h = (cell.locator(strip).bounding_box() for strip in (".input-in", ".memory-in"))
    assert x["y"] < h["y"]  # joined as [x, h]
    cells = "rect:not(.frame, .marked)"
    handed_on = f".cell .part.state {cells}"
    for step, token in enumerate("achin", 1):
        before = shades(opened, handed_on)
        opened.keyboard.press("ArrowRight")
        expect(cell).to_have_attribute("data-step", str(step))
        expect(cell.locator(".token")).to_have_text(token)
        for handed_in in (".before", ".memory-in"):
            until(opened, lambda there=f".cell {handed_in} {cells}": shades(opened, there), lambda now, was=before: now == was)
        column = f".network .column:nth-child({step + 1} of .column) .part.state {cells}"
        until(opened, lambda there=column: shades(opened, there), lambda now: now == shades(opened, handed_on))
    for sub, (name, lit) in enumerate([("embed", "embed"), ("pre-activation", "sum"), ("tanh", "state"), ("logits", "output")]):
        opened.get_by_role("button", name=name, exact=True).click()
        cell.scroll_into_view_if_needed()
        expect(cell).to_have_attribute("data-sub", str(sub))
        expect(cell.locator('.part[data-is="doing"]')).to_have_class(f"part {lit}")
        expect(cell.locator('.part[data-is="todo"]')).to_have_count(5 - sub)
    assert kept()


def test_while_the_run_trains_the_head_keeps_its_place_and_nothing_is_rebuilt(opened):
    forty(opened)
    choose(opened, "Network", "the network")
    settled(opened)
    whole(opened).focus()
    opened.keyboard.press("Home")
    for _ in range(7):
        opened.keyboard.press("ArrowRight")
    at(opened, 7)
    until(opened, lambda: law(opened), lambda said: said.startswith("h8"))  # the numbers are of this text, too
    node, column = opened.locator(".network .sheet"), opened.locator(".network .column").nth(7)
    kept, kept_numbers = same_node(node), same_node(opened.locator(".step_numbers .sums"))
    before = column.inner_html()
    opened.get_by_role("button", name="Play: train the network").click()
    first = until(opened, column.inner_html, lambda html: html != before)
    until(opened, column.inner_html, lambda html: html != first)
    at(opened, 7)
    assert kept()
    assert kept_numbers()
    opened.get_by_role("button", name="Pause", exact=True).click()


def test_typed_text_is_never_markup(opened):
    choose(opened, "Text", "type your own")
    opened.get_by_label("Your text").fill("<b>a</b> <img src=x onerror=alert(1)>")
    opened.get_by_label("Your text").press("Enter")
    letters = opened.locator(".network .letter")
    until(
        opened,
        lambda: "".join(letters.all_text_contents()),
        lambda text: text.startswith("<b>a</b>"),
    )
    assert opened.locator(".network img, .step_numbers img, .cell img, .unit_text img, .dependence img").count() == 0


def test_reduced_motion_travels_nowhere(new_page):
    page = open_page(new_page(reduced_motion="reduce"))
    page.get_by_role("button", name="Slow motion").click()
    page.get_by_role("button", name="pre-activation").click()
    expect(whole(page)).to_have_attribute("data-sub", "1")
    expect(page.locator(".network .traveller")).to_have_count(0)
    assert page.locator(".network .head").evaluate("node => getComputedStyle(node).transitionDuration") == "0s"


@pytest.mark.parametrize("size", [(1280, 720), (390, 844)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_nothing_of_a_long_text_is_too_small_or_too_wide(new_page, size):
    page = open_page(new_page(color_scheme="dark", viewport={"width": 1280, "height": 720}))
    page.set_viewport_size({"width": size[0], "height": size[1]})
    forty(page)
    fits(page)
