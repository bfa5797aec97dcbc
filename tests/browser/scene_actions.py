"""The actions that each scene asks for, by pointer or by keyboard alone."""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from playwright.sync_api import Locator, Page, expect

from core.config.link import STEP_PARAMETER
from pages.content.scene import Scene
from tests.browser.waiting import until, wait_until_idle

TRAINED = 120  # seconds until the run of a scene must have reached the scene's update
MOST = 200  # limit of Tab presses


class Step(NamedTuple):
    """An element of the page, and the key to press on it; with a pointer, Enter becomes a click."""

    find: Callable[[Page], Locator]
    key: str = "Enter"


def button(name: str, within: str = "body") -> Step:
    return Step(lambda page: page.locator(within).get_by_role("button", name=name, exact=True).first)


def token(place: int) -> Step:
    return Step(lambda page: page.locator(".two_networks button:not([disabled])").nth(place))


PLAY = button("Play: train the network")
PLAY_THE_PICTURE = button("Play", ".network .bar")
STEPS: dict[str, Sequence[Step]] = {
    "counting": [button("What is there to notice?")],
    "state": [token(15), token(16)],
    "products": [button("One product")],
    "machine": [PLAY_THE_PICTURE],
    "hello": [PLAY_THE_PICTURE, PLAY_THE_PICTURE, PLAY_THE_PICTURE],
    "learning": [PLAY, PLAY, PLAY],
    "branching": [button("worst: one is 0")],
    "continuations": [button("per token")],
    "lag": [PLAY],
    "mirror": [PLAY_THE_PICTURE],
    "vanishing": [button("1.05"), button("2")],
    "cut": [Step(lambda page: page.get_by_role("slider", name="cut every τ ="), "End")],
    "reach": [button("Train")],
    "price": [PLAY],
    "too_fast": [PLAY, button("Clip at 1", ".readout")],
    "memorising": [PLAY],
    "beating": [button("Train for 100 passes")],
}


def opened(page: Page, scene: Scene) -> None:
    """Wait until the question is shown, and the run and the play head are where the scene begins."""
    expect(page.locator(".scene_bar .question")).to_have_text(scene.question)
    if STEP_PARAMETER in scene.place:
        step, *_ = scene.place[STEP_PARAMETER].split()
        expect(page.locator(".network .whole")).to_have_attribute("data-step", str(int(step) - 1))
    if scene.update:
        expect(page.locator(".run_card")).to_contain_text(f"update {scene.update}", timeout=1000 * TRAINED)
        expect(page.locator(".run_card .card")).to_have_attribute("data-state", "paused")
    wait_until_idle(page)


def distance(strip: Locator, part: Locator) -> float:
    """The px from the lower edge of ``strip`` to the upper edge of ``part``; nan if either is invisible."""
    over, under = strip.bounding_box(), part.bounding_box()
    return under["y"] - over["y"] - over["height"] if over and under else math.nan


def expect_in_view(page: Page, scene: Scene) -> None:
    """Wait until the question is at the top of the window and the scene's subject right below it, if that is further down."""
    strip, part = page.locator(".scene_bar .panel"), scene.view or ("sections" if "section" in scene.place else "")
    if part:
        until(page, lambda: distance(strip, page.locator(f".st-key-{part}")), lambda px: 0 <= px <= 24)
    until(page, strip.bounding_box, lambda box: box and -1 <= box["y"] <= 20)


def do(page: Page, key: str, most: int | None = None) -> None:
    """Do the first ``most`` actions, by default all, that the scene with this key asks for."""
    for step in STEPS[key][:most]:
        node = step.find(page)
        node.click() if step.key == "Enter" else node.press(step.key)


def do_by_keys(page: Page, key: str) -> None:
    """Do all actions of a scene by keyboard alone."""
    card = page.locator(".run_card")
    for step in STEPS[key]:
        tab_to(page, step.find(page))
        before = card.inner_text()
        page.keyboard.press(step.key)
        if step is PLAY:  # the button may still have the focus: it is pressed again when the run pauses
            until(page, card.inner_text, lambda now, before=before: now != before)


def tab_to(page: Page, wanted: Locator) -> None:
    """Press Tab, if necessary, until ``wanted`` has the focus and is in the viewport."""
    wanted.wait_for()
    node = wanted.element_handle()  # located once: finding it by its role takes longer than the key press
    for _ in range(MOST):
        if node.evaluate("node => node.getRootNode().activeElement === node"):
            return expect(wanted).to_be_in_viewport()
        page.keyboard.press("Tab")
    raise AssertionError(f"{MOST} times Tab, and no focus on {wanted}")
