"""The hall answers, in browsers: a wall, the lecturer's window, and two phones, one of them Chinese and dark."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from core.config.language import gettext, use_language
from pages.content.questions import HALL_QUESTIONS
from pages.content.scenes import SCENES
from pages.figures.room.wall import AFTER_FIRST_VOTE
from tests.browser.accessibility import violations
from tests.browser.places import open_page
from tests.browser.waiting import until, visit

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
SIZES = ({"width": 1280, "height": 720}, {"width": 320, "height": 180})
PRESSED = '[aria-pressed="true"]'
# An element of the wall that reaches beyond it, or text that lies over other text; the sizes are those of lines of text.
COLLIDING = """([root, parts]) => {
  const boxes = [...document.querySelectorAll(parts)].flatMap((node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return [...range.getClientRects()].filter(({ width }) => width > 1).map((box) => [node.textContent, box]);
  });
  const { innerWidth: w, innerHeight: h } = window;
  const beyond = boxes.filter(([, box]) => box.left < -1 || box.top < -1 || box.right > w + 1 || box.bottom > h + 1);
  const over = boxes.flatMap(([one, a], i) => boxes.slice(i + 1).filter(([other, b]) => other !== one
    && Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.3 * Math.min(a.height, b.height))
    .map(([other]) => `${one} | ${other}`));
  return [...beyond.map(([text]) => text), ...over];
}"""
TEXT = ".wall :is(h2, .option > span, .options > li > span, .share, .said, figcaption, svg text, .address, footer > p, button)"


@pytest.fixture
def phones(new_page: Callable[..., Page]) -> tuple[Page, Page]:
    english = new_page(**PHONE, locale="en-GB", color_scheme="light")
    return english, new_page(**PHONE, locale="zh-CN", color_scheme="dark")


def in_chinese(message: str) -> str:
    use_language("zh")
    try:
        return gettext(message)
    finally:
        use_language("en")


def go_on(wall: Page, step: str) -> None:
    """Press V, and wait until the wall shows this step."""
    wall.keyboard.press("v")
    wall.locator(f".room .wall.{step} h2").wait_for()


def join(link: str, *phones: Page) -> None:
    for phone in phones:
        phone.goto(link)
        phone.locator("#a button").first.wait_for()
        assert violations(phone) == []


def send(phone: Page) -> None:
    phone.locator("button.send").tap()
    expect(phone.locator("#s")).not_to_have_text("")


def draw(phone: Page) -> None:
    box = phone.locator("svg").bounding_box()
    phone.mouse.move(box["x"] + 0.15 * box["width"], box["y"] + 0.2 * box["height"])
    phone.mouse.down()
    phone.mouse.move(box["x"] + 0.95 * box["width"], box["y"] + 0.7 * box["height"], steps=5)
    phone.mouse.up()
    send(phone)


def path(phone: Page) -> list[int]:
    """The coordinates of the drawn curve in px; they make their way as perplexities."""
    drawn = phone.locator("svg .d").get_attribute("d") or ""
    return [round(float(one)) for one in re.findall(r"[\d.]+", drawn)]


def option(phone: Page, words: str) -> Locator:
    return phone.locator("#a button", has_text=words)


def expect_readable(wall: Page) -> None:
    """No text of the wall lies over other text or beyond the wall, also where the wall is seen from afar."""
    for size in SIZES:
        wall.set_viewport_size(size)
        until(wall, lambda: wall.evaluate(COLLIDING, ["", TEXT]), lambda found: not found)
    wall.set_viewport_size(SIZES[0])


def answers(wall: Page, many: int) -> None:
    expect(wall.locator(".room .status")).to_contain_text(f"{many} answer")


def test_a_hall_guesses_votes_twice_and_draws_and_each_time_the_truth_comes(new_page: Callable[..., Page], phones):
    wall = new_page(color_scheme="light")
    english, chinese = phones
    visit(wall, "", scene="counting")
    wall.locator(".present .ask").first.wait_for()  # the script that handles keys is loaded
    wall.locator('.room [data-key="room"]:enabled').wait_for(state="attached")
    with wall.expect_popup() as opened:
        wall.keyboard.press("w")
    window = opened.value
    wall.bring_to_front()  # else it is drawn no more, as a tab in the background

    go_on(wall, "first")
    link = window.locator(".door .link").inner_text()
    join(link, *phones)
    expect(english.locator("#q")).to_have_text(HALL_QUESTIONS["counting"].question)
    expect(chinese.locator("#q")).to_have_text(in_chinese(HALL_QUESTIONS["counting"].question))
    english.locator("input").fill("0.75")
    guess = english.locator("output").inner_text()
    send(english)
    answers(wall, 1)
    send(chinese)
    answers(wall, 2)
    english.reload()
    expect(english.locator("output")).to_have_text(guess)
    expect_readable(wall)
    go_on(wall, "talk")
    expect(window.locator(".answers")).to_contain_text("median")
    expect(wall.locator(".room .answers")).to_have_count(0)
    expect_readable(wall)
    wall.get_by_role("button", name="Show the truth").click()
    expect(wall.locator(".room .answers")).to_contain_text("The answer")
    expect(english.locator("button.send")).to_be_disabled()
    expect_readable(wall)
    wall.keyboard.press("v")
    expect(wall.locator(".room .wall")).not_to_be_visible()

    question = HALL_QUESTIONS["state"]
    wall.locator('.scene_bar [data-key="next"]').click()
    expect(wall.locator(".scene_bar .question")).to_have_text(SCENES["state"].question)
    wall.locator('.room [data-key="room"]:enabled').wait_for(state="attached")
    go_on(wall, "first")
    option(english, question.right).tap()  # who has joined is there still
    option(chinese, in_chinese(question.wrong[0].words)).tap()
    answers(wall, 2)
    order = english.locator("#a button").all_inner_texts()
    chinese.reload()
    expect(option(chinese, in_chinese(question.wrong[0].words)).and_(chinese.locator(PRESSED))).to_be_visible()
    for phone in phones:
        assert violations(phone) == []
    expect_readable(wall)
    go_on(wall, "talk")
    expect(window.locator(".advice")).to_have_text(str(AFTER_FIRST_VOTE["discuss"]))
    expect(window.locator("main")).to_contain_text(str(question.wrong[0].misunderstanding))
    expect(wall.locator(".room .answers")).to_have_count(0)
    expect(english.locator("#a button:disabled")).to_have_count(4)
    go_on(wall, "second")
    for phone in phones:
        expect(phone.locator("#a button:enabled")).to_have_count(4)
        expect(phone.locator(PRESSED)).to_have_count(0)
    assert english.locator("#a button").all_inner_texts() == order
    option(english, question.right).tap()
    option(chinese, in_chinese(question.right)).tap()
    answers(wall, 2)
    go_on(wall, "truth")
    right = wall.locator(".bars li.right")
    expect(right.locator(".option")).to_contain_text(question.right)
    expect(right.locator(".share")).to_have_text(["50 % (1)", "100 % (2)"])
    letter = right.locator(".letter").inner_text()
    for phone in phones:
        expect(phone.locator("#s")).to_contain_text(letter)
    expect_readable(wall)
    wall.keyboard.press("Escape")

    open_page(wall, "Training")
    wall.locator('.room [data-key="room"]:enabled').wait_for(state="attached")
    go_on(wall, "first")
    for phone in phones:
        phone.locator("svg").wait_for()
        assert violations(phone) == []
        draw(phone)
    answers(wall, 2)
    drawn = path(english)
    assert len(drawn) > 40
    english.reload()
    until(english, lambda: path(english), lambda again: again == drawn)
    expect_readable(wall)
    go_on(wall, "talk")
    wall.get_by_role("button", name="Show the truth").click()
    expect(wall.locator(".curves .faint")).to_have_count(2)
    run = wall.locator(".curves .run")
    until(wall, lambda: run.get_attribute("d"), lambda d: "L" in d)
    expect(wall.locator("figcaption")).to_contain_text("closest")
