"""One journey through the dashboard in Firefox, and in WebKit, the engine of Safari. All other tests use Chromium."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest

from tests.browser.engines import LIMIT, Engine, drag, firefox, key, wait, webkit
from tests.browser.places import PLACES, SMALL_NETWORK
from tests.browser.waiting import javascript
from tests.dashboard_server import Server

REQUIRED = "RNN_REQUIRE_ENGINES"  # when set, a missing engine is a failure instead of a skip
FUNCTIONS = javascript("in_engines")
COLLECT = """
  window.errors ??= [];
  addEventListener("error", ({ message }) => message.startsWith("ResizeObserver loop") || errors.push(message));
  addEventListener("unhandledrejection", ({ reason }) => errors.push(String(reason)));
  const { error } = console;
  console.error = (...words) => { errors.push(words.join(" ")); error(...words); };
"""
PAGE_DOWN = "\ue00f"


@pytest.fixture(params=[firefox, webkit], ids=["firefox", "webkit"])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    with request.param(tmp_path) as engine:
        if engine is None:
            reason = f"{request.param.__name__} is missing: apt-get install firefox-esr webkit2gtk-driver xvfb"
            pytest.fail(reason) if os.environ.get(REQUIRED) else pytest.skip(reason)
        yield engine


def evaluate(engine: Engine, expression: str) -> Any:
    return engine.run(f"() => {{ {FUNCTIONS}; return {expression}; }}")


def until(engine: Engine, expression: str) -> None:
    wait(lambda: evaluate(engine, expression))


def visit(engine: Engine, url: str, path: str, **query: object) -> None:
    """Open a page and wait until it is drawn without problems; a chart may need another moment."""
    engine.open(f"{url}/{path}?{urlencode(SMALL_NETWORK | query)}")
    until(engine, "document.querySelectorAll('[data-testid=stApp]').length")
    engine.run(f"() => {{ {COLLECT} }}")
    until(engine, "settled()")
    check(engine)


def check(engine: Engine) -> None:
    problems: list[str] = []

    def none() -> bool:
        problems[:] = evaluate(engine, "problems()")
        return not problems

    try:
        wait(none)
    except AssertionError:
        raise AssertionError("\n".join(problems)) from None


def click(engine: Engine, selector: str, which: int = 0) -> None:
    """Click an element as soon as it is there and stays where it is."""
    until(engine, f"find({selector!r}).length")
    places: list[Any] = [None]

    def rests() -> bool:
        places.append(evaluate(engine, f"centre({selector!r}, {which})"))
        return places[-1] == places[-2]

    wait(rests)
    x, y, _ = places[-1]
    engine.perform(drag((x, y)))


def press(engine: Engine, selector: str) -> None:
    """Press an element wherever it is: the menu and the tabs may move while a page is drawn."""
    until(engine, f"find({selector!r}).length")
    evaluate(engine, f"find({selector!r})[0].click()")


@pytest.mark.xdist_group("engines")
def test_every_page_works_in_this_engine(engine: Engine, server: Server, tmp_path: Path):
    """Pages are opened by the menu, sections by their tabs, as loading takes longest; what is done on a page follows."""
    engine.resize(1280, 720)
    then = {"unrolled": a_column_is_chosen, "training": a_run_is_played_and_a_knob_dragged}
    visit(engine, server.url, "exercises")
    for path, (_, *others) in ({"": [""]} | PLACES).items():
        open_page(engine, path)
        if path == "perplexity":
            a_letter_is_picked(engine)
        for section in others:
            open_section(engine, section)
        if path in then:
            then[path](engine)
    open_page(engine, "unrolled")
    the_page_is_saved_and_opened_from_disk(engine, tmp_path)
    visit(engine, server.url, "", lang="zh")
    until(engine, r"/\p{Script=Han}/u.test(document.querySelector('.stMain h1')?.textContent ?? '')")
    a_scene_is_presented_by_keys(engine, server.url)


def open_page(engine: Engine, path: str) -> None:
    heading = "document.querySelector('.stMain h1')?.textContent"
    before = evaluate(engine, heading)
    press(engine, f"[data-testid=stSidebarNavLink][href$='/{path}']")
    until(engine, f"location.pathname.endsWith('/{path}') && {heading} !== {before!r} && settled()")
    check(engine)


def open_section(engine: Engine, section: str) -> None:
    press(engine, f'.tabs [data-value="{section}"]')
    until(engine, f"location.search.includes('section={section}') && settled()")  # the server writes the address
    check(engine)


def a_column_is_chosen(engine: Engine) -> None:
    """In each window the first and the last column are visible, or reached by scrolling: a click chooses them."""
    for width, height in ((1280, 720), (1600, 900)):
        engine.resize(width, height)
        until(engine, "find('.network .stage')[0].scrollWidth === find('.network .stage')[0].clientWidth")
        choose_columns(engine)
        check(engine)
    engine.resize(1280, 720)


def choose_columns(engine: Engine) -> None:
    for which, step in ((0, "0"), (-1, "5")):
        click(engine, ".network .hit", which)
        until(engine, f"find('.network .whole')[0].dataset.step === '{step}'")


def a_letter_is_picked(engine: Engine) -> None:
    until(engine, "find('.surprise .cell').length > 3")
    letter = evaluate(engine, "find('.surprise .cell')[3].textContent")
    click(engine, ".surprise .cell", 3)
    until(engine, f"find('.surprise .picked .cell')[0].textContent === {letter!r} && find('.surprise .picked + .column').length")


def a_run_is_played_and_a_knob_dragged(engine: Engine) -> None:
    click(engine, '.transport [data-key~="play"]')
    until(engine, "Number(find('.live_figure .plot')[0].dataset.drawn) > 3")
    slider = "find('.controls .knob input[type=range]')[0]"
    before = evaluate(engine, f"{slider}.value")
    x, y, width = evaluate(engine, "centre('.controls .knob input[type=range]')")
    engine.perform(drag((x, y), (x + width / 5, y), (x + width / 3, y)))
    until(engine, f"Number({slider}.value) > {before}")
    click(engine, '.transport [data-key~="play"]')
    until(engine, "find('.transport [data-key~=play]')[0].dataset.playing !== 'true'")
    check(engine)


def a_scene_is_presented_by_keys(engine: Engine, url: str) -> None:
    visit(engine, url, "unrolled", scene="machine", present=1)
    until(engine, "find('.scene_bar .question').length")
    choose_columns(engine)
    engine.perform(key(PAGE_DOWN))
    until(engine, "find('.scene_bar .notice').length")
    check(engine)


def the_page_is_saved_and_opened_from_disk(engine: Engine, folder: Path) -> None:
    """The file is what the button of the page offers; the browser's own dialogue is left out."""
    press(engine, ".st-key-as_page summary")
    until(engine, "find('.st-key-as_page [data-testid=stButton] button').length")
    evaluate(engine, "HTMLAnchorElement.prototype.click = function () { window.saved = this.href; }")
    press(engine, ".st-key-as_page [data-testid=stButton] button")
    press(engine, ".st-key-as_page [data-testid=stDownloadButton] button")
    until(engine, "window.saved")
    with urlopen(evaluate(engine, "saved"), timeout=LIMIT) as answer:
        (file := folder / "page.html").write_bytes(answer.read())
    engine.open(file.as_uri())
    engine.run(f"() => {{ {COLLECT} }}")
    until(engine, "document.querySelector('main[data-drawn]') && find('.network .hit').length")
    choose_columns(engine)
    check(engine)
