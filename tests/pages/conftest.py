"""The dashboard without a browser: its script run by Streamlit's own test runner, a fresh session for each visitor."""

import html
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Element, Node
from streamlit.util import calc_hash

from core.settings import KNOBS
from pages.training.presets import load
from pages.ui.controls import choose
from pages.ui.presence import shelf

DASHBOARD = Path(__file__).parents[2] / "dashboard.py"
TRAINING, START = calc_hash("training"), calc_hash("")
LIMIT = 60.0  # seconds after which a script run or a thread has failed


class Visitor:
    """One session, on the page with this hash (Training, without one). Every run of the script is checked for exceptions.

    Our browser components cannot be clicked here: call what their callbacks call, then :meth:`run`.
    """

    def __init__(self, page_hash: str, query: dict[str, object]) -> None:
        self.app = AppTest.from_file(str(DASHBOARD), default_timeout=LIMIT)
        self.app._page_hash = page_hash or TRAINING
        for name, value in query.items():
            self.app.query_params[name] = str(value)
        self.run()

    def run(self) -> "Visitor":
        self.app.run()
        assert not self.app.exception, self.app.exception
        return self

    @property
    def stage(self):
        return self.app.session_state["stage"]

    @property
    def url(self) -> dict[str, str]:
        return {name: value[0] if isinstance(value, list) else value for name, value in self.app.query_params.items()}

    @property
    def wishes(self) -> dict[str, Any]:
        """What this visitor has chosen on the open page."""
        return self.app.session_state[self.stage.page]

    def turn_to(self, section: str, **choices: Any) -> "Visitor":
        """A section of the open page, with these choices made in it."""
        self.wishes.update(section=section, **choices)
        return self.run()

    def forget(self) -> "Visitor":
        """Let the next look find everything anew."""
        self.stage.found.clear()
        return self

    def widget(self, name: str) -> Element:
        """The native widget of this name."""
        (found,) = (node for node in below(self.app._tree) if getattr(node, "key", "") == name)
        return found

    def shown(self, name: str) -> dict[str, Any]:
        """The control of a setting, as the browser is given it."""
        kind = "live" if KNOBS[name].kind == "live" else KNOBS[name].group
        return self.bar(f"{kind}_knobs")[name]

    def choose(self, name: str, value: object) -> "Visitor":
        """Choose a setting's value, as its control would."""
        choose(self.stage, name, value)
        return self.run()

    def load(self, preset: str) -> "Visitor":
        """Press a preset."""
        load(self.stage, preset)
        return self.run()

    def press(self, label: str) -> "Visitor":
        """Press the button that says this."""
        (button,) = (button for button in self.app.button if button.label == label)
        button.click()
        return self.run()

    def scene(self, key: str) -> dict[str, Any]:
        """What a browser component was given to draw."""
        (component,) = (node for node in below(self.app._tree) if getattr(node, "key", None) == key)
        return json.loads(component.proto.bytes.split(b"\n")[1])

    def bar(self, key: str = "sections") -> dict[str, dict[str, Any]]:
        """The controls of a bar, by name."""
        return {control["name"]: control for row in self.scene(key)["rows"] for control in row}

    @property
    def notices(self) -> list[str]:
        """The sentences that must be seen, as a browser reads them; ``AssertionError`` if one of them holds markup."""
        blocks = [re.fullmatch(r'<div class="page-notice"[^>]*>(.*)</div>', node.proto.body, re.DOTALL) for node in self._html()]
        said = [sentence for block in blocks if block for sentence in block[1].split("<br>")]
        assert not [text for text in said if "<" in text or ">" in text]
        return [html.unescape(text) for text in said]

    def _html(self) -> list[Element]:
        return [node for node in below(self.app._tree) if node.type == "html"]


def below(node: Node) -> Iterator[Node]:
    for child in getattr(node, "children", {}).values():
        yield child
        yield from below(child)


@pytest.fixture(autouse=True)
def only_our_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that has called ``st.navigation`` once runs dashboard.py ever after; the test runner forgets it each time."""
    make = PagesManager.__init__

    def remembering(manager: PagesManager, *args: object, **options: object) -> None:
        make(manager, *args, **options)
        PagesManager.uses_pages_directory = False

    monkeypatch.setattr(PagesManager, "__init__", remembering)


@pytest.fixture
def visit() -> Iterator[Callable[..., Visitor]]:
    """``visit(hidden_size=16, ...)`` opens the dashboard with these URL parameters. Afterwards every run is paused."""
    visitors = []

    def visit(page_hash: str = "", **query: object) -> Visitor:
        visitors.append(Visitor(page_hash, query))
        return visitors[-1]

    yield visit
    for visitor in visitors:
        for run in (visitor.stage.run, *visitor.stage.beside.values()):
            run.pause()
            assert run.join(LIMIT)
    shelf().clear()
