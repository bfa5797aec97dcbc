"""Random presses on all pages and sections while a run trains: a pressed tab opens its section, and afterwards the page must
show the run's own numbers.

Slow seeds press 150 times, as in a lecture, or as often as ``RNN_PRESSES`` in the environment says.
"""

import contextlib
import json
import math
import os
import random
import re
from urllib.parse import urlencode, urlsplit
from urllib.request import urlopen

import pytest
from playwright.sync_api import Error, Page

from core.config.language import languages, translations
from pages.figures.parts.numbers import number
from tests.browser.layout_checks import evaluate
from tests.browser.places import PLACES, SMALL_NETWORK
from tests.browser.training_page import PAUSE, PLAY
from tests.browser.waiting import LIMIT, javascript, query_params, until, visit, wait_until_idle

PAUSE_EVERY = 25  # presses
PATIENCE = 4 * LIMIT  # seconds for one update of the largest network that can be chosen
WORDS = ("", "the time", "<b>x</b><script>alert(1)</script>", r"$\frac{1}{0}$ **b** :red[x]", "😀漢字\u202eabc\x00", "a" * 3000)
NONSENSE = (*WORDS, "0", "-1", "1e999", "NaN", "7")
KINDS = ("page", "section", "button", "button", "range", "range", "choice", "field", "drawing")
CHOOSE = javascript("pressable")
SET_SELECT = javascript("set_select")


def press(page: Page, rng: random.Random) -> str:
    """Press a random element or point; return a description of the press."""
    kind, path = rng.choice(KINDS), urlsplit(page.url).path
    found = evaluate(page, CHOOSE, [kind, rng.random()])
    if found is None:
        return f"no {kind}"
    x, y = found["x"] + found["width"] / 2, found["y"] + found["height"] / 2
    if kind == "drawing":
        x, y = found["x"] + rng.random() * found["width"], found["y"] + rng.random() * found["height"]
    if kind == "choice" and found["of"]:
        page.evaluate(SET_SELECT, rng.randrange(found["of"]))
    else:
        page.mouse.click(x, y)
    if kind == "range":
        page.keyboard.press(rng.choice(("Home", "End", "PageUp", "PageDown", "ArrowLeft", "ArrowRight")))
    elif kind == "choice" and not found["of"]:
        for _ in range(rng.randrange(4)):
            page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
    elif kind == "field":
        page.keyboard.press("ControlOrMeta+a")
        page.keyboard.insert_text(rng.choice(NONSENSE))
        page.keyboard.press("Enter")
    if found["section"] and page.evaluate("window.reached"):
        expect_section(page, path, found["section"], found["first"])
    page.wait_for_timeout(rng.randrange(60))  # ms
    return f"{kind} {found['says']!r}"


def expect_section(page: Page, path: str, section: str, first: str) -> None:
    """Wait until the server has drawn a section of the page of this path, or another page that was requested before: its URL may
    be there while the tabs are still those of the page that is left."""

    def is_left() -> bool:
        now = urlsplit(page.url).path
        return now != path or section not in PLACES.get(now.strip("/"), ())

    until(page, lambda: query_params(page).get("section", first), lambda now: now == section or is_left())


def recomputed(port: int, text: str = "") -> dict:
    """The numbers that the page should show for the run and this text, recomputed by the server from the parameters."""
    with urlopen(f"http://127.0.0.1:{port}/?{urlencode({'text': text})}", timeout=PATIENCE) as answer:
        return json.load(answer)


def click_first(page: Page, *names: str) -> None:
    """Click the first visible button with one of these names, in any language; ignore a missing or disappearing button."""
    for name in (translations(code).gettext(name) for name in names for code in languages()):
        button = page.get_by_role("button", name=name, exact=True)
        with contextlib.suppress(Error):
            if button.count() and button.first.is_visible():
                button.first.click(timeout=2000)  # ms
                return


def pause(page: Page, port: int) -> None:
    """Pause the run if it trains. If an earlier moment is shown, return to the present first."""
    page.keyboard.press("Escape")
    wait_until_idle(page)

    def paused(now: dict) -> bool:
        trains = now["state"] in ("training", "waiting")
        if trains:
            page.keyboard.press("Escape")  # each press closes a card, a dialog or presenting mode, which hides the pause button
            click_first(page, "Close", PAUSE, "Pause", "Now")
        return not trains

    until(page, lambda: recomputed(port), paused, limit=PATIENCE)


def written(value: float) -> set[str]:
    """The possible texts of this number: training keeps seven digits."""
    return {number(value * (1 + relative)) for relative in (-2e-5, 0, 2e-5)}


def read_page(page: Page) -> dict[str, list[str]]:
    """The visible numbers and errors of the page."""

    def texts(selector: str) -> list[str]:
        return page.locator(selector).filter(visible=True).all_text_contents()

    typed = page.locator(".surprise textarea").filter(visible=True)
    return {
        "text": [field.input_value() for field in typed.all()],
        "surprise": texts(".surprise .number"),
        "held_out": texts(":is(.readout, .run_card) .number"),
        "unrolled": [text for text in texts(".step_numbers *") if re.fullmatch(r"mean so far .* perplexity \S+", text)],
        "trouble": texts('.component.error, [data-testid="stException"]'),
    }


def agrees(shown: dict[str, list[str]], port: int) -> bool:
    """Whether the page shows the recomputed numbers; a diverged run shows none."""
    now = recomputed(port, *shown["text"])
    steps = [written(value) for value in now["unrolled"]]
    means = [text.rsplit(" ", 1)[1] for text in shown["unrolled"]] if steps else []
    return (
        not shown["trouble"]
        and (now["state"] == "diverged" or all(text in written(now["held_out"]) for text in shown["held_out"] if text))
        and all(any(text in step for step in steps) for text in means)
        and (math.isnan(now["surprise"]) or all(text in written(now["surprise"]) for text in shown["surprise"]))
    )


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (2, 3))])
def test_after_random_presses_the_page_shows_the_runs_own_numbers(page: Page, introspection_port: int, seed: int):
    rng, log, paths, compared = random.Random(seed), [], set(), set()
    port, presses = introspection_port, 60 if seed == 1 else int(os.environ.get("RNN_PRESSES", "150"))
    page.on("dialog", lambda dialog: dialog.dismiss())
    visit(page, **SMALL_NETWORK)

    def agrees_when_paused() -> bool:
        pause(page, port)
        with contextlib.suppress(Error):  # the page is being loaded or redrawn
            numbers = read_page(page)
            compared.update(kind for kind in numbers if numbers[kind])
            return agrees(numbers, port)
        return False

    try:
        for count in range(1, presses + 1):
            try:
                log.append(press(page, rng))
            except Error as error:  # the element has disappeared
                log.append(f"missed: {str(error)[:60]}")
            paths.add(urlsplit(page.url).path)
            if count % PAUSE_EVERY == 0:
                # repeated: a run still being created when the other one was paused may begin to train
                until(page, agrees_when_paused, bool, limit=PATIENCE)
                click_first(page, PLAY)
    except BaseException:
        print("\n".join(log[-40:]), recomputed(port), sep="\n")
        print(read_page(page))
        raise
    assert len(paths) > 1
    assert "held_out" in compared
