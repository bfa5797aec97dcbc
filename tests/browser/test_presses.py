"""Random presses over all pages and sections while the run trains: nothing breaks, and every rest shows the run's own numbers.

Seeded. ``RNN_PRESSES=2000`` presses as often as a whole lecture; ``RNN_PRESSES_SEED`` chooses other ones.
"""

import contextlib
import json
import math
import os
import random
from urllib.parse import urlencode, urlsplit
from urllib.request import urlopen

import pytest
from playwright.sync_api import Error, Page

from core.figures.parts.numbers import number
from tests.browser.layout_checks import SMALL_NETWORK
from tests.browser.waiting import LIMIT, settled, until, visit
from tests.dashboard_server import Server

PRESSES, BETWEEN_RESTS = int(os.environ.get("RNN_PRESSES", 150)), 25
PATIENCE = 4 * LIMIT  # seconds: that long an update may take of the largest network that can be chosen, and what is judged then
SEED = int(os.environ.get("RNN_PRESSES_SEED", 1))
WORDS = ("", "the time", "<b>x</b><script>alert(1)</script>", r"$\frac{1}{0}$ **b** :red[x]", "😀漢字\u202eabc\x00", "a" * 3000)
NONSENSE = (*WORDS, "0", "-1", "1e999", "NaN", "7")
KINDS = ("page", "section", "button", "button", "range", "range", "choice", "field", "drawing")
# What can be pressed, by kind; the chosen one is brought into view and marked, and its middle told.
CHOOSE = """([kind, share]) => {
  const found = {page: [], section: [], button: [], range: [], choice: [], field: [], drawing: []};
  const kindOf = (node) => {
    if (node.closest('[data-testid="stSidebarNav"]')) return node.matches("a") ? "page" : null;
    if (node.closest('[data-testid="stSidebarHeader"], [data-testid="stToolbar"], [data-testid="stFileUploader"]')) return null;
    if (node.matches(".sections button")) return "section";
    if (node.matches('input[type="range"]')) return "range";
    if (node.matches('select, [role="combobox"]')) return "choice";
    if (node.matches('input, textarea, [contenteditable="true"]')) return "field";
    if (node.matches("button, [role=button], [role=slider], summary")) return "button";
    return node.matches("svg, canvas") && node.clientWidth > 150 ? "drawing" : null;
  };
  const walk = (node) => {
    if (node.shadowRoot) walk(node.shadowRoot);
    for (const child of node.children ?? []) {
      const box = child.getBoundingClientRect();
      const style = getComputedStyle(child);
      if (box.width && box.height && style.visibility !== "hidden" && !child.disabled) {
        const its = kindOf(child);
        if (its) found[its].push(child);
      }
      walk(child);
    }
  };
  walk(document.body);
  const chosen = found[kind][Math.floor(share * found[kind].length)];
  if (!chosen) return null;
  chosen.scrollIntoView({block: "center", behavior: "instant"});
  const box = chosen.getBoundingClientRect();
  window.pressed = chosen;
  return {x: box.x, y: box.y, width: box.width, height: box.height, of: chosen.matches("select") ? chosen.options.length : 0,
          says: chosen.getAttribute("aria-label") ?? (chosen.value ?? chosen.textContent).slice(0, 40)};
}"""
SET_SELECT = """(place) => {
  const select = window.pressed;
  select.selectedIndex = place;
  select.dispatchEvent(new Event("input", {bubbles: true}));
  select.dispatchEvent(new Event("change", {bubbles: true}));
}"""
SAID = """() => {
  const everything = (selector) => {
    const found = [];
    const walk = (node) => {
      for (const each of node.querySelectorAll(selector)) if (each.getClientRects().length) found.push(each);
      for (const each of node.querySelectorAll("*")) if (each.shadowRoot) walk(each.shadowRoot);
    };
    walk(document);
    return found;
  };
  const texts = (selector) => everything(selector).map((each) => each.textContent);
  const [typed] = everything(".surprise textarea");
  return {
    text: typed ? typed.value : "",
    surprise: texts(".surprise .number"),
    held_out: texts(".readout .number, .run_card .number"),
    unrolled: texts(".step_numbers *").filter((text) => /^mean so far .* perplexity \\S+$/.test(text)),
    trouble: texts('.paper.trouble, [data-testid="stException"]'),
  };
}"""


@pytest.fixture(scope="module")
def server(looked_into: Server) -> Server:
    return looked_into


def press(page: Page, dice: random.Random) -> str:
    """One press, wherever it falls; what was pressed."""
    kind = dice.choice(KINDS)
    found = page.evaluate(CHOOSE, [kind, dice.random()])
    if found is None:
        return f"no {kind}"
    x, y = found["x"] + found["width"] / 2, found["y"] + found["height"] / 2
    if kind == "drawing":
        x, y = found["x"] + dice.random() * found["width"], found["y"] + dice.random() * found["height"]
    if kind == "choice" and found["of"]:
        page.evaluate(SET_SELECT, dice.randrange(found["of"]))
    else:
        page.mouse.click(x, y)
    if kind == "range":
        page.keyboard.press(dice.choice(("Home", "End", "PageUp", "PageDown", "ArrowLeft", "ArrowRight")))
    elif kind == "choice" and not found["of"]:
        for _ in range(dice.randrange(4)):
            page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
    elif kind == "field":
        page.keyboard.press("ControlOrMeta+a")
        page.keyboard.insert_text(dice.choice(NONSENSE))
        page.keyboard.press("Enter")
    page.wait_for_timeout(dice.randrange(60))  # ms
    return f"{kind} {found['says']!r}"


def truth(window: int, text: str = "") -> dict:
    """What the run's parameters say, and what they say of this text."""
    with urlopen(f"http://127.0.0.1:{window}/?{urlencode({'text': text})}", timeout=PATIENCE) as answer:
        return json.load(answer)


def push(page: Page, *names: str) -> None:
    """Click the first button with one of these names that can be seen, if any, and if it stays so long."""
    for name in names:
        button = page.get_by_role("button", name=name, exact=True)
        with contextlib.suppress(Error):
            if button.count() and button.first.is_visible():
                button.first.click(timeout=2000)  # ms
                return


def rest(page: Page, window: int) -> dict:
    """Pause the run, if it trains, and wait until nothing moves. Who looks back may have to come back to now first."""
    page.keyboard.press("Escape")
    settled(page)

    def rests(now: dict) -> bool:
        trains = now["state"] in ("training", "waiting")
        if trains:
            page.keyboard.press("Escape")  # one press each: a mark, a card, then presenting, which hides what pauses
            push(page, "Close", "Pause training", "Pause", "Now")  # a sheet may lie over the page
        return not trains

    return until(page, lambda: truth(window), rests, limit=PATIENCE)


def written(value: float) -> set[str]:
    """How this number may be written: training keeps seven digits."""
    return {number(value * (1 + nearly)) for nearly in (-2e-5, 0, 2e-5)}


def said(page: Page) -> dict | None:
    """What the screen says; None of a page that is being loaded again."""
    try:
        return page.evaluate(SAID)
    except Error:
        return None


MOST_LEEWAY = 5  # times as far as one rounding of the parameters moves it, for every step rounds again


def judged(now: dict) -> set[str]:
    """How the held-out perplexity is written: the exact one's, or that of float32 where rounding explains the difference."""
    exact, shown = now["held_out"], now["published"]
    explained = now["leeway"] and abs(math.log(shown / exact)) < MOST_LEEWAY * now["leeway"]
    return written(shown if explained else exact)


def agrees(said: dict, window: int) -> bool:
    """Whether the screen says what the run's parameters say; a diverged run shows no number of its own."""
    now = truth(window, said["text"])
    steps = [written(value) for value in now["unrolled"]]
    shown = [text.rsplit(" ", 1)[1] for text in said["unrolled"]] if steps else []
    return (
        not said["trouble"]
        and (now["state"] == "diverged" or all(text in judged(now) for text in said["held_out"] if text))
        and all(any(text in step for step in steps) for text in shown)
        and (math.isnan(now["surprise"]) or all(text in written(now["surprise"]) for text in said["surprise"]))
    )


def test_whatever_is_pressed_nothing_breaks_and_every_rest_shows_the_runs_own_numbers(new_page, window):
    page, dice, log = new_page(color_scheme="light"), random.Random(SEED), []
    page.on("dialog", lambda dialog: dialog.dismiss())
    page.on("console", lambda said: said.type == "error" and log.append(f"error: {said.text[:300]}"))
    visit(page, **SMALL_NETWORK)
    seen = set()
    try:
        for number_of in range(1, PRESSES + 1):
            try:
                log.append(press(page, dice))
            except Error as error:  # what was to be pressed went away meanwhile
                log.append(f"missed: {str(error)[:60]}")
            seen.add(urlsplit(page.url).path)
            if number_of % BETWEEN_RESTS == 0:
                # again and again: a run that was being made when the other one was paused may still begin to train
                until(page, lambda: rest(page, window) and said(page), lambda what: what and agrees(what, window), limit=PATIENCE)
                push(page, "Play: train the network")
    except BaseException:
        print("\n".join(log[-40:]), said(page), sep="\n")
        print(truth(window))
        raise
    assert len(seen) > 1
