"""The number, length, compression and counting in a browser: sliders act while dragged, and nothing is too small or too wide."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.layout_checks import turn_to
from tests.browser.waiting import until, visit

SMALL = {"max_tokens": 20_000, "hidden_size": 16, "batch_size": 8, "num_steps": 8, "cosine_until": 0}
PARTS = {  # what of each section can be seen, the last part first
    "surprise": ".surprise .column",
    "number": ".grid table",
    "length": ".grid table",
    "compression": '.live_figure .plot[data-drawn][aria-label^="Cross-entropy"]',
    "continuations": ".continuations .row",
    "counting": ".live_figure .plot[data-drawn]",
    "writing": ".samples .token",
}


@pytest.fixture
def small(page: Page) -> Page:
    return opened(page)


def opened(page: Page) -> Page:
    visit(page, "perplexity", **SMALL)
    page.locator(".sections").first.wait_for()
    return page


def go(page: Page, section: str) -> None:
    turn_to(page, section, PARTS[section])


def number(page: Page) -> str:
    return page.locator(".choices .number").inner_text()


ROOM = """plot => {
  const box = (node) => node.getBoundingClientRect(), title = box(plot.querySelector(".g-ytitle"));
  const ticks = [...plot.querySelectorAll(".yaxislayer-above .ytick text")].map((tick) => box(tick).left);
  return { ticks: ticks.length, before: title.left - box(plot).left, behind: Math.min(...ticks) - title.right };
}"""  # px on both sides of the axis title: to the edge of the chart, and to the numbers of the axis


def test_the_ticks_of_the_length_chart_stand_beside_its_title(small):
    go(small, "length")
    chart = small.locator(".live_figure .plot[data-drawn]").first
    until(small, lambda: chart.evaluate(ROOM), lambda room: room["ticks"] > 2 and min(room["before"], room["behind"]) >= 0)
    expect(chart.locator(".legend .traces")).to_have_count(4)


def test_a_slider_acts_while_it_is_dragged(small):
    go(small, "number")
    slider = small.get_by_role("slider", name="p of token 2")
    expect(small.locator(".choices .number")).to_have_text("2.50")
    box = slider.bounding_box()
    middle = box["y"] + box["height"] / 2
    small.mouse.move(box["x"] + 0.2 * box["width"], middle)
    small.mouse.down()
    seen = set()
    for share in (0.3, 0.5, 0.7, 0.95):
        small.mouse.move(box["x"] + share * box["width"], middle)
        seen.add(until(small, lambda: number(small), lambda text: text not in seen and text != "2.50"))
    assert len(seen) == 4  # while the button is still down
    small.mouse.up()


def test_best_uniform_and_worst_are_one_click_away(small):
    go(small, "number")
    for name, wanted in (("best: 1", "1.00"), ("worst: one is 0", "∞"), ("0.8 and 0.2", "2.50"), ("p = 0.2", "5.00")):
        small.get_by_role("button", name=name, exact=True).click()
        expect(small.locator(".choices .number")).to_have_text(wanted)
    expect(small.get_by_role("slider")).to_have_count(1)
    expect(small.locator(".choices .squares i")).to_have_count(5)


def test_keys_move_a_slider(small):
    go(small, "number")
    slider = small.get_by_role("slider", name="p of token 1")
    slider.focus()
    slider.press("End")
    expect(small.locator(".choices .number")).to_have_text("2.24")  # the geometric mean of 1 and 5
    expect(slider).to_be_focused()


def test_another_sentence_another_product(small):
    go(small, "length")
    product = small.locator(".grid table").first.locator("tbody tr").nth(1).locator("td").last
    before = product.inner_text()
    small.locator('.sections [data-value="shuffled"]').click()
    until(small, product.inner_text, lambda text: text != before)


def test_two_networks_train_while_one_looks(small):
    go(small, "counting")
    small.get_by_role("button", name="Train both networks").click()
    epochs = small.locator(".grid table").last.locator("tbody tr").last.locator("td").nth(1)  # the other is soon done
    first = until(small, lambda: epochs.inner_text() if epochs.count() else "", lambda text: text not in ("", "–"))
    until(small, epochs.inner_text, lambda text: text != first)
    small.get_by_role("button", name="Pause", exact=True).last.click()
    expect(small.get_by_role("button", name="Go on")).to_be_visible()


WIDER = """(words, longest) => {
  const letters = words.appendChild(document.createElement("span")), sign = words.appendChild(document.createElement("span"));
  sign.className = "token break";
  sign.textContent = "\\n";
  return Math.max(...Array.from({ length: longest }, (_, long) => {
    letters.textContent = "m".repeat(long);
    return words.scrollWidth - words.clientWidth;
  }));
}"""


def test_the_sign_of_a_line_s_end_stays_in_the_box_wherever_the_line_ends(small):
    go(small, "writing")
    words = small.locator(".samples .words").first
    assert words.evaluate(WIDER, 80) <= 0
