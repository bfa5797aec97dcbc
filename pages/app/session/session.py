"""A session: its run, and the state of the pages that show it."""

import runpy
from collections import OrderedDict
from collections.abc import Hashable
from pathlib import Path
from typing import Any

import streamlit as st

from core.config.settings import Settings
from core.content.scene import Scene
from core.content.scenes import SCENES
from core.training.run.live_run import LiveRun
from pages.app.session.custom_lecture import CustomLecture
from pages.app.session.navigation_state import Navigation
from pages.app.session.scene_state import SceneState
from pages.app.session.session_run import SessionRun
from pages.app.session.trained_example import TrainedExample, examples

EXAMPLE_PAGES = ("perplexity", "gradient_flow", "truncation")  # on which an untrained network shows little
FRAME = Path(__file__).parents[3] / "dashboard.py"


class Experiments(dict[str, LiveRun]):
    """Runs that sections train beside the run of the session, by name; paused while no tab is connected."""

    def __init__(self) -> None:
        super().__init__()
        self.requests: dict[str, Any] = {}  # the choices with which each run was started

    def begin(self, name: str, run: LiveRun, request: Any = None) -> LiveRun:
        """Store a run that is about to train; the earlier one of this name is paused."""
        if name in self:
            self[name].pause()
        self.requests[name], self[name] = request, run
        return run

    def remove(self, name: str) -> None:
        """Pause and forget the run of this name, if there is one."""
        if name in self:
            self.pop(name).pause()

    def clear(self) -> None:
        """Pause and forget all runs."""
        for run in self.values():
            run.pause()
        super().clear()

    def playing(self, name: str) -> bool:
        return name in self and self[name].playing


class Session(SessionRun):
    """The run of a session, and one object for each other part of its state."""

    def __init__(self, settings: Settings, notices: list[str]) -> None:
        super().__init__(settings, notices)
        self.name = ""  # a secret of the session and its tab, by which the tab finds it again
        self.navigation = Navigation(settings)
        self.lecture = CustomLecture()
        self.scenes = SceneState(self.lecture)
        self.experiments = Experiments()
        self.cache: OrderedDict[Hashable, Any] = OrderedDict()  # of pages/app/session/session_cache.py

    @property
    def runs(self) -> tuple[LiveRun, ...]:
        """All runs that can train; no dormant one."""
        return *self._trained.runs, *self.experiments.values()

    @property
    def scene(self) -> Scene | None:
        """The open scene, on its own page."""
        return self.scenes.of_page(self.navigation.page)

    @property
    def example(self) -> TrainedExample | None:
        """The trained network that the open page shows until the run trains. A built-in scene trains a network of its own; a
        scene of the reader's own was added while the page showed this one."""
        return examples.find(self.monitored.settings, self.corpus) if self._may_show_example else None

    @property
    def example_awaited(self) -> bool:
        """Whether the open page will show one as soon as it is trained."""
        return self._may_show_example and self.example is None and examples.awaited(self.monitored.settings)

    @property
    def _may_show_example(self) -> bool:
        built_in = self.scene and self.scenes.key in SCENES
        if self.navigation.page not in EXAMPLE_PAGES or built_in or self.past:
            return False
        return self.monitored.is_initial and not self.run.playing

    def connect(self, name: str, page: str, notices: list[str]) -> None:
        """A script run of the tab with this name begins, with ``page`` open."""
        self.name = name
        self.notify(*notices)
        self.navigation.open(page)

    def open_scene(self, scene: Scene) -> None:
        """Start the scene's run and open its page with its URL parameters, as its link would, without ghosts and experiments.

        Where the settings are refused, the experiments end, nothing else changes, and a notice has the reason.
        """
        self.experiments.clear()
        self.start(scene.settings.but(notation=self.view["notation"], lang=self.view["lang"]), paused=True)
        if self.problem:
            self.notices = [self.problem]
            return
        self.ghosts = []
        self.navigation.go_to(scene.page, scene.place)
        self.scenes.open(scene.key)
        if scene.update:
            self.run.play(scene.update)


def current_session() -> Session:
    """The session of this script, which ``dashboard.py`` has loaded.

    At the first request of a new server Streamlit runs the page's file instead, as ``st.navigation`` has not been called yet.
    Then there is none, and ``dashboard.py`` is run from here.
    """
    if "session" not in st.session_state:
        runpy.run_path(str(FRAME), run_name="__main__")
        st.stop()
    return st.session_state["session"]
