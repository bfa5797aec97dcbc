"""What a scene says is to be done, as a reader does it: one function for each scene."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from core.scenes.scene import Scene
from tests.browser.waiting import settled

PLAY = "Play: train the network"


def opened(page: Page, scene: Scene) -> None:
    """Wait until the run of the scene has come to where it begins."""
    if scene.update:
        expect(page.locator(".run_card")).to_contain_text(f"update {scene.update}", timeout=30_000)
        expect(page.locator(".run_card .card")).to_have_attribute("data-state", "paused")
        settled(page)


def press(*names: str) -> Callable[[Page], None]:
    """The buttons that say this, one after the other."""

    def do(page: Page) -> None:
        for name in names:
            page.get_by_role("button", name=name, exact=True).first.click()

    return do


def play_the_picture(page: Page) -> None:
    page.locator(".network .bar").get_by_role("button", name="Play", exact=True).click()


def swap_two(page: Page) -> None:
    tokens = page.locator(".two_networks button:not([disabled])")
    tokens.nth(1).click()
    tokens.nth(5).click()


def drag_to_full(page: Page) -> None:
    slider = page.get_by_role("slider", name="cut every τ =")
    slider.focus()
    slider.press("End")


def break_and_mend(page: Page) -> None:
    press(PLAY)(page)
    page.locator(".readout").get_by_role("button", name="Clip at 1").click()


DOES: dict[str, Callable[[Page], None]] = {
    "counting": press("What is there to notice?"),
    "state": swap_two,
    "products": press("New numbers"),
    "machine": play_the_picture,
    "hello": play_the_picture,
    "learning": press(PLAY),
    "branching": press("worst: one is 0"),
    "continuations": press("per token"),
    "lag": press(PLAY),
    "mirror": play_the_picture,
    "vanishing": press("1.1", "2"),
    "cut": drag_to_full,
    "reach": press("Train"),
    "price": press(PLAY),
    "too_fast": break_and_mend,
    "memorising": press(PLAY),
    "beating": press("Train both networks"),
}
