"""A session: its run, and the state of its pages."""

import runpy
from collections import OrderedDict
from collections.abc import Hashable
from pathlib import Path
from typing import Any

import streamlit as st

from core.config.settings import Settings
from core.training.run.live_run import LiveRun
from core.training.run.scheduler import Job
from pages.app.session.answers import Answers
from pages.app.session.custom_lecture import CustomLecture
from pages.app.session.hall import Hall
from pages.app.session.navigation_state import Navigation
from pages.app.session.scene_state import SceneState
from pages.app.session.session_run import Made, SessionRun
from pages.app.session.trained_example import TrainedExample, find_example, is_being_trained
from pages.content.scene import Scene
from pages.content.scenes import SCENES

EXAMPLE_PAGES = ("perplexity", "gradient_flow", "truncation")  # pages on which an untrained network is not instructive
DASHBOARD = Path(__file__).parents[3] / "dashboard.py"


class Experiments(dict[str, LiveRun]):
    """Additional runs that sections train, by name; paused while no tab is connected."""

    def __init__(self) -> None:
        super().__init__()
        self.requests: dict[str, Any] = {}  # name -> the choices with which the run was started

    def begin(self, name: str, run: LiveRun, request: Any = None) -> LiveRun:
        """Store a new run and pause the earlier run with this name."""
        if name in self:
            self[name].pause()
        self.requests[name], self[name] = request, run
        return run

    def remove(self, name: str) -> None:
        """Pause and remove the run with this name, if there is one."""
        if name in self:
            self.pop(name).pause()

    def clear(self) -> None:
        """Pause and remove all runs."""
        for name in list(self):
            self.remove(name)

    def playing(self, name: str) -> bool:
        return name in self and self[name].playing


class Session(SessionRun):
    """The run of a session, and an object for each other part of its state."""

    def __init__(self, settings: Settings, notices: list[str], begun: Job[Made] | None = None) -> None:
        """``begun``: the job that makes its run, if it has begun."""
        super().__init__(settings, notices, begun)
        self.name = ""  # a secret token with which the tab restores its session
        self.answered: dict[str, int] = {}  # component key -> highest count of its handled messages
        self.navigation = Navigation(settings)
        self.lecture = CustomLecture()
        self.scenes = SceneState(self.lecture)
        self.experiments = Experiments()
        self.hall = Hall()
        self.answers = Answers()
        self.cache: OrderedDict[Hashable, Any] = OrderedDict()  # entries of pages/app/session/session_cache.py

    @property
    def runs(self) -> tuple[LiveRun, ...]:
        """All runs that can train."""
        return self.run, *self.experiments.values()

    @property
    def scene(self) -> Scene | None:
        """The open scene if its own page is open, else None."""
        scene = self.scenes.sequence.get(self.scenes.key)
        return scene if scene and scene.page == self.navigation.page else None

    @property
    def example(self) -> TrainedExample | None:
        """The trained network that the open page shows until the run trains. None in a built-in scene, which trains its own
        network; a scene of the reader's own lecture shows it, as the page did when the scene was added."""
        return find_example(self.monitored.settings, self.corpus) if self._may_show_example else None

    @property
    def example_awaited(self) -> bool:
        """Whether a trained example for the open page is being trained."""
        return self._may_show_example and self.example is None and is_being_trained(self.monitored.settings)

    @property
    def _may_show_example(self) -> bool:
        built_in = self.scene and self.scenes.key in SCENES
        if self.navigation.page not in EXAMPLE_PAGES or built_in or self.past:
            return False
        return self.monitored.is_initial and not self.run.playing

    def open_scene(self, scene: Scene) -> None:
        """Start the scene's run and open its page with its URL parameters, as its link does. Ghosts, experiments and the choices
        made on the page are removed once the run is there, as until then the open page is drawn with them.

        If the settings are refused, nothing changes, and a notice states the reason. Who opens another place before stays there.
        """
        settings = scene.settings.but(notation=self.view["notation"], lang=self.view["lang"])
        self.start(settings, paused=True, then=lambda: self._show_scene(scene), of_scene=True)

    def _show_scene(self, scene: Scene) -> None:
        if self.problem:
            self.notices = [self.problem]
            return
        self.ghosts = []
        self.experiments.clear()
        self.navigation.go_to(scene.page, scene.place, anew=True)
        self.scenes.open(scene.key)
        if scene.update:
            self.open_update(scene.update)


def current_session() -> Session:
    """The session of this script run, which ``dashboard.py`` has loaded.

    At the first request to a new server Streamlit runs the file of the page directly, as ``st.navigation`` has not been called
    yet. Then no session exists, and ``dashboard.py`` is run from here.
    """
    if "session" not in st.session_state:
        runpy.run_path(str(DASHBOARD), run_name="__main__")
        st.stop()
    return st.session_state["session"]
