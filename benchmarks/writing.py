"""The speed of the Perplexity page: `python -m benchmarks.writing`. A real server and a real Chromium; needs no network.

Prints median and worst of the time from changing a token in a text of 200 until the page is redrawn, with the run paused and
training, and of the tokens per second that appear in each written text while the run trains. Nothing is asserted.
"""

import time

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.browser import IDLE, PLAY, TIMES, launch, open_training, print_row, serve

TEXT = "the value of the expression is returned. " * 5  # 205 characters
SECONDS = 4.0
# Replaces a character in the middle of the text; returns the ms until its column, its bar and its numbers are drawn.
EDIT = """
async ([field, letter]) => {
    const root = field.getRootNode(), at = 100;
    const number = () => root.querySelector(".run-label").textContent + root.querySelector(".facts").textContent;
    const before = number();
    field.value = field.value.slice(0, at) + letter + field.value.slice(at + 1);
    field.setSelectionRange(at + 1, at + 1);
    const began = performance.now();
    field.dispatchEvent(new Event("input", { bubbles: true }));
    while (root.querySelector(".column.picked .cell")?.textContent !== letter || number() === before)
        await new Promise(requestAnimationFrame);
    return performance.now() - began;
}
"""

BEGUN = "columns => { const n = columns.querySelectorAll('.token').length; return n > 0 && n < 60; }"


def main() -> None:
    print(f"{'':44}{'median':>9}{'worst':>9}   mark")
    with sync_playwright() as playwright, serve() as (url, _):
        browser = launch(playwright)
        page = _perplexity(browser, url)
        _edited(page, "an edited token of 200, run paused, ms")
        page.get_by_role("button", name=PLAY).click()
        _edited(page, "an edited token of 200, run training, ms")
        _written(page)
        browser.close()


def _perplexity(browser: Browser, url: str) -> Page:
    page = open_training(browser, url)
    page.get_by_role("link", name="Perplexity").click()
    page.locator(".surprise .column").first.wait_for()
    page.locator(IDLE).wait_for()
    return page


def _edited(page: Page, what: str) -> None:
    field = page.get_by_label("The text: type here")
    field.fill(TEXT)
    page.wait_for_function("field => field.getRootNode().querySelectorAll('.token').length > 200", arg=field.element_handle())
    times = [field.evaluate(f"(field, letter) => ({EDIT})([field, letter])", letter) for letter in "qxzjkwvbQXZJ"[: 2 * TIMES]]
    print_row(what, times, "200")


def _written(page: Page) -> None:
    page.get_by_role("button", name="Writing", exact=True).click()
    page.locator(".samples .token").first.wait_for()
    rates = []
    for _ in range(TIMES):
        page.get_by_role("button", name="Write", exact=True).click()
        page.wait_for_function(BEGUN, arg=page.locator(".samples .columns").element_handle())
        before, began = _tokens(page), time.perf_counter()
        page.wait_for_timeout(1000 * SECONDS)
        rates.append((_tokens(page) - before) / (time.perf_counter() - began))
    print_row("tokens a second in each of 3 texts, training", rates, "20", worst=min)


def _tokens(page: Page) -> int:
    """The number of tokens of the shortest text."""
    return min(
        page.locator(".samples .words").evaluate_all("texts => texts.map((text) => text.querySelectorAll('.token').length)")
    )


if __name__ == "__main__":
    main()
