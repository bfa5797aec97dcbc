"""Fixtures with sessions of the dashboard, without a browser."""

import threading
from collections.abc import Callable, Iterator

import pytest

from core.config.settings import Settings
from core.text.corpus import Corpus
from core.training.run.monitored_trainer import MonitoredTrainer
from pages.app.connection import tab_identity
from pages.app.server import shared_cache
from pages.app.session import session_run
from pages.app.session.session import Session
from tests.pages.app_session import LIMIT, SMALL, AppSession, app_sessions
from tests.pages.views import View, draw_all


@pytest.fixture
def visit() -> Iterator[Callable[..., AppSession]]:
    """``visit(page, hidden_size=16, ...)`` opens this page (by default Training) with these URL parameters."""
    with app_sessions() as visit:
        yield visit


@pytest.fixture
def training(visit: Callable[..., AppSession]) -> AppSession:
    """A session on the Training page with a small run."""
    return visit(**SMALL)


@pytest.fixture(scope="session")
def views() -> list[View]:
    """The data of every drawn section."""
    return draw_all()


@pytest.fixture
def stage() -> Iterator[Session]:
    """A session with a small run after three updates, without a page."""
    stage = Session(Settings(**SMALL), [])
    stage.navigation.open("training")
    stage.run.step(3)
    yield stage
    stage.run.pause()
    assert stage.run.join(LIMIT)


@pytest.fixture
def reload(visit: Callable[..., AppSession], monkeypatch: pytest.MonkeyPatch) -> Callable[..., AppSession]:
    """``reload(*names, **query)``: a session whose browser sends these names of sessions when the server requests them."""

    def reload(*names: str, page: str = "training", **query: object) -> AppSession:
        monkeypatch.setattr(
            tab_identity, "register_tab", lambda one, **_: one.set_names(" ".join(names)) if one.names is None else None
        )
        monkeypatch.setattr(tab_identity, "PATIENCE", 0.0)
        monkeypatch.setattr(tab_identity, "was_here", lambda: True)
        return visit(page, **query)

    return reload


@pytest.fixture
def slow_runs(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], None]]:
    """A server on which a new run takes until ``go_on`` is set; then pages wait for it."""
    go_on, made = threading.Event(), session_run.create_trainer

    def create_trainer(settings: Settings, corpus: Corpus) -> MonitoredTrainer:
        assert go_on.wait(LIMIT)
        return made(settings, corpus)

    def release() -> None:
        monkeypatch.setattr(shared_cache, "PATIENCE", LIMIT)
        go_on.set()

    monkeypatch.setattr(session_run, "create_trainer", create_trainer)
    monkeypatch.setattr(shared_cache, "serving", True)
    monkeypatch.setattr(shared_cache, "PATIENCE", 0.0)
    yield release
    release()
