"""One journey through the dashboard in Firefox, and in WebKit, the engine of Safari. All other tests use Chromium."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from pages.content.scenes import SCENES
from pages.export.site import Lecture, write_site
from tests.browser.engines import Engine, drag, firefox, key, wait, webkit
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
    x, y, _ = evaluate(engine, f"centre({selector!r}, {which})")
    engine.perform(drag((x, y)))


@pytest.mark.xdist_group("engines")
def test_every_page_works_in_this_engine(engine: Engine, server: Server, tmp_path: Path):
    engine.resize(1280, 720)
    for path, sections in PLACES.items():
        for section in sections:
            visit(engine, server.url, path, **({"section": section} if section else {}))
    the_network_is_as_wide_as_its_frame_and_a_column_is_chosen(engine, server.url)
    a_run_is_played_and_a_knob_dragged(engine, server.url)
    visit(engine, server.url, "unrolled", lang="zh")
    until(engine, r"/\p{Script=Han}/u.test(document.querySelector('.stMain h1')?.textContent ?? '')")
    a_scene_is_presented_by_keys(engine, server.url)
    a_file_is_opened_from_disk(engine, tmp_path)


def the_network_is_as_wide_as_its_frame_and_a_column_is_chosen(engine: Engine, url: str) -> None:
    """In each window the first and the last column are visible, or reached by scrolling: a click chooses them."""
    for width, height, presented in ((1280, 720, {}), (1600, 900, {}), (1280, 720, {"present": 1})):
        engine.resize(width, height)
        visit(engine, url, "unrolled", **presented)
        stage = evaluate(engine, "(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth])(find('.network .stage')[0])")
        assert stage[0] == stage[1] or presented
        for which, step in ((0, "0"), (-1, "5")):
            click(engine, ".network .hit", which)
            until(engine, f"find('.network .whole')[0].dataset.step === '{step}'")
    engine.resize(1280, 720)


def a_run_is_played_and_a_knob_dragged(engine: Engine, url: str) -> None:
    visit(engine, url, "training")
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
    engine.perform(key(PAGE_DOWN))
    until(engine, "find('.scene_bar .notice').length")
    check(engine)


def a_file_is_opened_from_disk(engine: Engine, folder: Path) -> None:
    list(write_site(folder, Lecture("One scene", {"": [SCENES["vanishing"]]})))
    [file] = [file for file in folder.glob("*.html") if file.name != "index.html"]
    engine.open(file.as_uri())
    engine.run(f"() => {{ {COLLECT} }}")
    until(engine, "document.querySelector('main[data-drawn]') && find('.network .hit').length")
    click(engine, ".network .hit")
    until(engine, "find('.network .whole')[0].dataset.step === '0'")
    check(engine)
