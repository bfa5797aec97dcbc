"""Every scene, presented: its question, then its actions, then its notice, all of that visible in the window."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from core.config.link import VIEW
from pages.content.lecture import own_scene, saved
from pages.content.scene import Scene
from pages.content.scenes import CHAPTERS, SCENES
from tests.browser.layout_checks import evaluate
from tests.browser.scene_actions import do, expect_in_view, opened
from tests.browser.waiting import until, visit, wait_until_idle

SIZES = {"width": 1280, "height": 720}, {"width": 1920, "height": 1080}
CHART = (".readout .number", ".run_view .plot")
NETWORK = (".network .letter", ".network .nats")
SEEN = {  # the parts that the notice of each scene mentions
    "counting": (".live_figure .plot",),
    "state": (".two_networks .tokens", ".two_networks .verdict"),
    "products": (".blocks .matrix", ".blocks .sum"),
    "machine": NETWORK,
    "hello": (".network .column ~ .column .letter", ".network .column ~ .column .nats"),
    "learning": CHART,
    "branching": (".choices .token", ".choices .result", ".choices .written", ".choices .axis"),
    "continuations": (".continuations .row", ".continuations .says"),
    "lag": CHART,
    "mirror": NETWORK,
    "vanishing": (".st-key-what_if_chart .plot",),
    "cut": (*NETWORK, ".st-key-kept_for_hall"),
    "reach": (".st-key-proof .plot",),
    "price": CHART,
    "too_fast": CHART,
    "memorising": CHART,
    "beating": (".st-key-table_can_win .plot",),
}
REASONS = {  # the parts that show the reason, of scenes that scroll to it
    "machine": (".replacement .letter", ".replacement .length", ".replacement .p"),
    "lag": (".bit_rows .says", ".bit_rows circle"),
    "cut": (".st-key-kept_at_first",),
    "reach": (".st-key-proof .plot", ".st-key-windows_reset"),
    "price": (".echo_task .letter", ".echo_task .choices"),
    "too_fast": (".st-key-gradient_norms .plot",),
}
# Of the elements that the selectors find, those not completely in the window below the strip.
OUT_OF_SIGHT = """(selectors) => {
  const panel = deep(document).find((node) => node.matches(".scene_bar .panel")).getBoundingClientRect();
  return selectors.flatMap((one) => {
    const bottom = one.startsWith(".scene_bar") ? panel.top : panel.bottom;
    const found = deep(document).filter((node) => node.matches(one) && node.getBoundingClientRect().width);
    const out = found.map((node) => node.getBoundingClientRect()).filter((box) =>
      box.top < bottom - 1 || box.bottom > innerHeight + 1 || box.left < -1 || box.right > innerWidth + 1);
    return found.length ? out.map((box) => [one, box.left, box.top, box.right, box.bottom].join(" ")) : [`${one}: none`];
  });
}"""
# Of the elements that the selector finds: whether each can be seen.
SEEN_OF = """(selector) => deep(document).filter((node) => node.matches(selector)).map((node) => {
  const { visibility, opacity } = getComputedStyle(node);
  return visibility === "visible" && opacity !== "0";
})"""

TRAINED_LATER = ("learning", "memorising", "beating")  # their reasons need a network that has passed lines
MORE = ".scene_bar [data-key=reveal]:not([hidden])"  # the button that shows the next step of Why
GONE = ("products",)  # scenes whose control goes when it is pressed
TIMES = {"cut": 3, "products": 1}  # presses until the scene is done; the next one draws other numbers
# The state that a press changes, at once or with the answer: the URL, pressed buttons, sliders, and whether the scene is done.
STANDS = """() => [location.search, ...deep(document).flatMap((node) => node.matches("[aria-pressed=true]") ? [node.textContent]
  : node.matches("input[data-do]") ? [node.value] : node.matches(".scene_bar .tick.done") ? ["done"] : [])]"""


def press_k(page: Page, scene: Scene) -> None:
    """Press K until all actions of the scene are done; each press must change something."""
    for _ in range(TIMES.get(scene.key, len(scene.presses))):
        before = evaluate(page, STANDS)
        page.keyboard.press("k")
        until(page, lambda: evaluate(page, STANDS), lambda now, before=before: now != before)
        wait_until_idle(page)
    expect(page.locator(".scene_bar .tick")).to_have_text("done")


def expect_shown_in_sight(page: Page, part: str, seen: Sequence[str]) -> None:
    """Wait until this part of the bar and what the scene is about are in the window, whatever its size."""
    expect(page.locator(part)).to_be_visible()
    for size in SIZES:
        page.set_viewport_size(size)
        until(page, lambda: evaluate(page, OUT_OF_SIGHT, [*seen, part]), lambda found: not found)
    page.set_viewport_size(SIZES[0])


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_scene_can_be_presented_with_page_down_and_k(page: Page, chapter: str):
    first, *others = CHAPTERS[chapter]
    notice = page.locator(".scene_bar .notice")
    visit(page, "", scene=first.key, present=1)
    for scene in (first, *others):
        if scene is not first:
            page.keyboard.press("PageDown")
        opened(page, scene)
        expect_in_view(page, scene)
        expect(notice).to_be_hidden()
        for part in {*REASONS.get(scene.key, ())} - {*SEEN[scene.key]}:
            assert not any(evaluate(page, SEEN_OF, part)), part
        if scene.presses and scene.done.kind in ("pressed", "address"):
            press_k(page, scene)
        if scene.done.kind != "shown" and scene.key not in GONE:
            do(page, scene.key, most=1 if scene.holds or scene.key == "too_fast" else None)
        expect(notice).to_be_hidden()
        page.keyboard.press("PageDown")
        expect_shown_in_sight(page, ".scene_bar .notice", SEEN[scene.key])
        if scene.key not in TRAINED_LATER:
            expect(page.locator(".scene_bar .reason")).to_have_count(len(scene.why))
        while page.locator(MORE).count():
            page.keyboard.press("PageDown")
            expect_shown_in_sight(page, ".scene_bar .reason.shown", REASONS.get(scene.key, SEEN[scene.key]))


LETTERS, NATS, TEXT = ".network .letter", ".network .nats", ".replacement .letter"


@pytest.mark.parametrize(
    ("hides", "hidden", "left"),
    [("page", [LETTERS, NATS, TEXT], []), ("numbers", [NATS], [LETTERS]), ("section", [TEXT], [LETTERS, NATS])],
)
def test_what_an_own_scene_hides_is_hidden_until_its_notice_is_shown(
    page: Page, tmp_path: Path, hides: str, hidden: list[str], left: list[str]
):
    place = {"text": "machine", "network": "small", VIEW: "letter_left"}
    scene = own_scene("unrolled", place, name="Mine", notice="So it is.", hides=hides)
    file = tmp_path / "mine.json"
    file.write_text(saved({scene.key: scene}), encoding="utf-8")
    visit(page, "", present=1).locator(".lecture input[type=file]").set_input_files(file)
    expect(page.locator(".lecture li")).to_have_count(1)
    wait_until_idle(page)
    page.keyboard.press("PageDown")
    expect(page.locator(".scene_bar .question")).to_have_text(scene.name)

    def expect_seen(parts: list[str], seen: bool) -> None:
        for part in parts:
            until(page, lambda part=part: evaluate(page, SEEN_OF, part), lambda now: now and set(now) == {seen})

    expect_seen(hidden, False)
    expect_seen(left, True)
    page.evaluate(WITH_NOTE)
    expect(page.locator(".st-key-loading .made-by-test")).to_be_visible()
    page.keyboard.press("PageDown")
    expect(page.locator(".scene_bar .notice")).to_be_visible()
    expect_seen([*hidden, *left], True)


# A note where the page says that a run is being made.
WITH_NOTE = """() => document.querySelector(".stMainBlockContainer > .stVerticalBlock").insertAdjacentHTML("beforeend",
  '<div><div class="st-key-loading"><p class="made-by-test">The new run is being made.</p></div></div>')"""


def test_after_the_last_scene_a_closing_slide_stays_until_page_up(page: Page):
    *_, last = SCENES.values()
    visit(page, "", scene=last.key, present=1)
    opened(page, last)
    page.keyboard.press("PageDown")
    expect(page.locator(".scene_bar .notice")).to_be_visible()
    for _ in range(2):
        page.keyboard.press("PageDown")
        expect(page.locator(".closing_slide h2")).to_be_in_viewport(ratio=1)
        wait_until_idle(page)
    page.keyboard.press("PageUp")
    opened(page, last)
