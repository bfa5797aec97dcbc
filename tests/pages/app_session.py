"""The dashboard without a browser: Streamlit's own test runner (``AppTest``) runs its script in a new session each time."""

import html
import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from streamlit.components.v2.component_manager import BidiComponentManager
from streamlit.runtime.caching.cache_resource_api import clear_session_cache
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Element, Node
from streamlit.util import calc_hash

from core.config.settings import KNOBS
from pages.app.connection.connections import detached_sessions
from pages.app.navigation.auto_refresh import LOADING
from pages.app.panels.settings_controls import choose
from pages.app.session.session import Session
from pages.app.widgets.component_factory import DATA_TYPES
from tests.pages.figures.drawings import check_data

ROOT = Path(__file__).parents[2]
LIMIT = 60.0  # seconds after which a script run or a thread has failed
START = ""  # the URL path of the start page
SMALL = {"max_tokens": 10_000, "hidden_size": 8, "batch_size": 4, "num_steps": 8, "cosine_until": 0}
HOSTILE = (
    "<img src=x onerror=alert(1)>",
    "$\\href{javascript:alert(1)}{x}$",
    "**bold** :red[x] `c`",
    "\x00\ud7ff\U0001f600",
    "1" * 5000,
)


class AppSession:
    """One session, on the page with this hash. After every run, exceptions and types of data are checked.

    ``AppTest`` cannot click our browser components: call the functions that their callbacks call, then :meth:`run`.
    """

    def __init__(self, page_hash: str, query: dict[str, object]) -> None:
        self.app = AppTest.from_file(str(ROOT / "dashboard.py"), default_timeout=LIMIT)
        self.app._page_hash = page_hash
        for name, value in query.items():
            self.app.query_params[name] = str(value)
        self.run()

    def run(self) -> "AppSession":
        self.app.run()
        assert not self.app.exception, self.app.exception
        for name, data in self.components():
            check_data(data, DATA_TYPES[name])
        return self

    def switch_page(self, page: str) -> "AppSession":
        (file,) = (ROOT / "pages").glob(f"[0-9]_{page or 'start'}.py")
        self.app.switch_page(f"pages/{file.name}")
        return self.run()

    def open_scene(self, key: str) -> "AppSession":
        """Open this scene as its button does; without a key, the start page."""
        self.stage.scenes.request(key, self.stage.scenes.opened)
        self.run()
        self.app._page_hash = calc_hash(self.stage.navigation.page)  # the test runner does not notice the page change
        return self

    def open_place(self, address: str) -> "AppSession":
        """Open an address of our own pages as a link to a place does."""
        self.stage.navigation.request_place(address)
        self.run()
        self.app._page_hash = calc_hash(self.stage.navigation.page)
        return self

    def wait(self) -> "AppSession":
        assert self.stage.run.join(LIMIT)
        return self

    @property
    def stage(self) -> Session:
        return self.app.session_state["session"]

    @property
    def url(self) -> dict[str, str]:
        return {name: value[0] if isinstance(value, list) else value for name, value in self.app.query_params.items()}

    @property
    def choices(self) -> dict[str, Any]:
        return self.app.session_state[self.stage.navigation.page]

    def open_section(self, section: str, **choices: Any) -> "AppSession":
        """Open a section of the page, with these choices made in it."""
        self.choices.open = section
        self.choices.update(choices)
        return self.run()

    def clear_results(self) -> "AppSession":
        """Clear the session's cache, so that the next run of the script computes everything again."""
        self.stage.cache.clear()
        return self

    def train(self, updates: int = 3) -> "AppSession":
        self.stage.run.step(updates)
        return self.run()

    def start(self, own_text: str | None = None, **changes: Any) -> "AppSession":
        """Start a run with these settings changed; assert that they are accepted."""
        self.stage.start(self.stage.settings.but(**changes), own_text)
        assert not self.stage.problem
        return self.run()

    def set_params(self, **weights: Any) -> "AppSession":
        """Overwrite weights of the run, and clear the results computed from them."""
        for name, value in weights.items():
            getattr(self.stage.monitored.trainer.params, name)[...] = value
        return self.clear_results()

    def widget(self, name: str) -> Element:
        (found,) = (node for node in self.nodes() if getattr(node, "key", None) == name)
        return found

    def select(self, widget: str, value: str) -> "AppSession":
        self.widget(widget).set_value(value)
        return self.run()

    def control(self, name: str) -> dict[str, Any]:
        """The data of a setting's control, as sent to the browser."""
        kind = "live" if KNOBS[name].kind == "live" else KNOBS[name].group
        return self.controls(f"{kind}_knobs")[name]

    def choose(self, name: str, value: object) -> "AppSession":
        """Choose a setting's value as its control does."""
        choose(self.stage, name, value)
        return self.run()

    def press(self, label: str, *, first: bool = False) -> "AppSession":
        """Press the button with this label; there is only one, or it is the ``first``."""
        button, *others = (button for button in self.app.button if button.label == label)
        assert first or not others
        button.click()
        return self.run()

    def data(self, key: str) -> dict[str, Any]:
        """The data sent to the browser component with this key."""
        return component_data(self.widget(key))

    def components(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """The name and the data of every browser component on the page."""
        for node in self.nodes("bidi_component"):
            yield node.proto.component_name, component_data(node)

    def controls(self, key: str = "sections") -> dict[str, dict[str, Any]]:
        """The controls of a bar, or those beside the tabs, by name."""
        data = self.data(key)
        return {control["name"]: control for row in data.get("rows") or [data["controls"]] for control in row}

    @property
    def section(self) -> str:
        """The open section, as sent to the browser."""
        return self.data("sections")["open"]

    def scene_bar(self) -> dict[str, Any] | None:
        """The data of the scene bar; None if the page has none."""
        return next((data for name, data in self.components() if name == "scene_bar"), None)

    def chart(self) -> dict[str, Any]:
        """The figure of the perplexity curve on the Training page."""
        return self.data("run_view")["figure"]["figure"]

    def html_in(self, expander: str) -> list[str]:
        """The HTML elements in the expander with this label."""
        (block,) = (block for block in self.app.expander if block.label == expander)
        return [node.proto.body for node in iter_descendants(block) if node.type == "html"]

    def nodes(self, kind: str = "") -> Iterator[Element]:
        return (node for node in iter_descendants(self.app._tree) if not kind or node.type == kind)

    @property
    def html(self) -> list[str]:
        return [node.proto.body for node in self.nodes("html")]

    @property
    def is_loading(self) -> bool:
        """Whether the page says that a run is being made."""
        return LOADING in " ".join(self.html)

    @property
    def notices(self) -> list[str]:
        """The texts of the notices as shown in a browser; ``AssertionError`` if one of them has markup."""
        blocks = [re.fullmatch(r'<div class="page-notice"[^>]*>(.*)</div>', body, re.DOTALL) for body in self.html]
        shown = [sentence for block in blocks if block for sentence in block[1].split("<br>")]
        assert not [text for text in shown if "<" in text or ">" in text]
        return [html.unescape(text) for text in shown]


def iter_descendants(node: Node) -> Iterator[Any]:
    for child in getattr(node, "children", {}).values():
        yield child
        yield from iter_descendants(child)


def component_data(node: Element) -> dict[str, Any]:
    """The data of a component; fails on NaN and Infinity, which a browser's JSON parser refuses."""
    return json.loads(node.proto.bytes.split(b"\n")[1], parse_constant=pytest.fail)


def state_fingerprint(stage: Session) -> tuple[object, ...]:
    """The state that a refused change must not alter."""
    monitored, history = stage.monitored, stage.monitored.history
    lists = [list(one) for one in (history.judged, history.training.points, history.flags, stage.ghosts)]
    return stage.run, monitored, stage.settings, monitored.step, lists, monitored.trainer.params.flat.tobytes()


def train_on_text(session: AppSession, text: str) -> AppSession:
    """Paste a text and train on it."""
    session.app.text_area(key="pasted").set_value(text)
    return session.press("Train on this text")


def close_tab(session: AppSession) -> str:
    """Close the tab of a session; return the session's name that the tab has in its storage."""
    session.run()  # all sessions of the test runner share a session id: this one becomes its latest owner
    clear_session_cache("test session id")
    return session.stage.name


def expire_stored_sessions() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(detached_sessions, "_clock", lambda: float("inf"))
        detached_sessions.evict_expired()


def diverged_session(visit: Callable[..., AppSession]) -> AppSession:
    """A session whose run has diverged after some finite updates."""
    unstable = SMALL | {"num_steps": 20, "activation": "relu", "gain": 1.0, "optimizer": "sgd", "clip_norm": 0.0}
    session = visit(**unstable, learning_rate=1e-3).train(20)
    session.stage.move(learning_rate=1e6)
    session.stage.run.play()
    assert session.stage.run.join(LIMIT)
    return session.run()


@contextmanager
def one_server() -> Iterator[None]:
    """Make the test runner keep between sessions what a server keeps: that ``st.navigation`` was called, after which dashboard.py
    runs for every page. Also skip reading all installed packages' metadata for components, which no package contains.
    """
    create = PagesManager.__init__

    def remember(manager: PagesManager, *args: object, **options: object) -> None:
        create(manager, *args, **options)
        PagesManager.uses_pages_directory = False

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PagesManager, "__init__", remember)
        patch.setattr(BidiComponentManager, "discover_and_register_components", lambda *_, **__: None)
        yield


@contextmanager
def app_sessions() -> Iterator[Callable[..., AppSession]]:
    """``visit(page, hidden_size=16, ...)`` opens this page (by default Training) with these URL parameters.

    Afterwards every run is paused.
    """
    sessions = []

    def visit(page: str = "training", /, **query: object) -> AppSession:
        sessions.append(AppSession(calc_hash(page), query))
        return sessions[-1]

    with one_server():
        yield visit
    for session in sessions:
        for run in (session.stage.run, *session.stage.experiments.values()):
            run.pause()
            assert run.join(LIMIT)
    expire_stored_sessions()
