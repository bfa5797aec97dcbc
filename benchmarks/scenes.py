"""`python -m benchmarks.scenes`: opens every scene by its link as a new visitor, and carries out its task.

Prints the seconds until the page can be used, then until the run has reached the scene's update, and then until the scene is
done, beside the limit for the last. The exit status is the number of scenes that took longer.
"""

import math
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Error as PlaywrightError, Page, expect, sync_playwright

from pages.content.scene import Scene
from pages.content.scenes import SCENES
from tests.browser.chromium import FLAGS, find_chromium
from tests.browser.scene_actions import do, opened
from tests.browser.waiting import wait_until_idle
from tests.dashboard_server import serving

SIZE = {"width": 1280, "height": 720}
LIMIT = 15  # seconds that the task of a scene may take, unless it has a limit of its own
LIMITS = {
    "state": 20,
    "hello": 20,
    "learning": 40,
    "lag": 20,
    "vanishing": 20,
    "reach": 50,
    "price": 20,
    "too_fast": 30,
    "memorising": 20,
    "beating": 30,
}


def main() -> int:
    """Time every scene, or those named on the command line."""
    chosen = [SCENES[key] for key in sys.argv[1:]] or list(SCENES.values())
    late = []
    print(f"{'scene':<16}{'page':>8}{'trained':>9}{'done':>7}{'limit':>8}")
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder), "streamlit") as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(playwright), args=FLAGS)
        for scene in chosen:
            page = browser.new_context(viewport=SIZE, base_url=server.url).new_page()
            times = [_timed(act, page, scene) for act in (_visit, opened, _done)]
            limit = LIMITS.get(scene.key, LIMIT)
            print(f"{scene.key:<16}{times[0]:>8.1f}{times[1]:>9.1f}{times[2]:>7.1f}{limit:>8}", flush=True)
            late += [scene.key] if times[2] > limit else []
            page.context.close()
    print(f"later than the limit: {', '.join(late) or 'none'}")
    return len(late)


def _visit(page: Page, scene: Scene) -> None:
    page.goto(f"/{scene.address}")
    wait_until_idle(page)
    page.locator(".scene_bar .question").wait_for()


def _done(page: Page, scene: Scene) -> None:
    do(page, scene.key)
    expect(page.locator(".scene_bar .tick")).to_have_text("done", timeout=60_000)


def _timed(act: Callable[[Page, Scene], None], page: Page, scene: Scene) -> float:
    """The seconds that ``act`` takes; infinite if it fails."""
    began = time.perf_counter()
    try:
        act(page, scene)
    except (AssertionError, PlaywrightError) as error:
        print(f"{scene.key}: {str(error).splitlines()[0]} {page.url}")
        return math.inf
    return time.perf_counter() - began


if __name__ == "__main__":
    sys.exit(main())
