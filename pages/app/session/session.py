"""A session: its run, and what is open on the pages around it."""

import runpy
from collections import OrderedDict
from collections.abc import Hashable, Mapping
from pathlib import Path
from typing import Any

import streamlit as st

from core.config.settings import Settings
from core.content.lecture import NONE_YET
from core.content.scene import Scene
from core.content.scenes import SCENES
from core.training.run.live_run import LiveRun
from pages.app.session.session_run import SessionRun

FRAME = Path(__file__).parents[3] / "dashboard.py"


class Session(SessionRun):
    """One session's run and all that belongs to it: the page and the scene that are open, and what the pages remember."""

    def __init__(self, settings: Settings, notices: list[str]) -> None:
        super().__init__(settings, notices)
        self.name = ""  # under which its tab finds it again: a secret of the two
        self.linked = settings  # those in the address
        self.dragging = False  # a live knob is being dragged
        self.undo_offered = ("", "")  # what the undo button was last drawn to say
        self.last_own_text: tuple[str | None, str] = (None, "")  # the file and the words of the last text of their own
        self.own_file: Any = None  # what pages/training/own_text.py remembers of the file that lies there
        self.trains_on: str | None = None  # the file that the text of their own was read from, if it was
        self.page = ""  # the address of the page that is open
        self.visits = 0  # how often a page or a section was turned to
        self.hidden: tuple[str, ...] = ()  # what the address hides of the pages
        self.lecture, self.lecture_before = NONE_YET, NONE_YET  # the reader's own scenes; before the last change
        self.lecture_says = ""  # what came of the last change of them
        self.sections: dict[str, str] = {}  # of every page that has some: the words of the section that is open
        self.scene = ""  # the key of the scene that is open, if one is
        self.scene_done, self.done = False, set[str]()  # whether it was done since it was opened; and those that ever were
        self.asked_scene: str | None = None  # the key of one that is to be opened next
        self.opened = 0  # how often a scene, or the start page, was asked for
        self.turn_to: str | None = None  # the page that is to be opened next, where one is
        self.places: dict[str, dict[str, str]] = {}  # of every page: what its address holds beside the settings
        self.kept: dict[str, dict[str, Any]] = {}  # of every page: what it keeps there (``pages/app/navigation/url_state.py``)
        self.drawing = False  # the reader is about to draw what they expect
        self.beside: dict[str, LiveRun] = {}  # runs of a section's own, by name; they pause when the page is closed, too
        self.compared: dict[str, Any] = {}  # what was asked of those that train side by side
        self.found: OrderedDict[Hashable, Any] = OrderedDict()  # what pages/app/session/session_cache.py remembers

    @property
    def runs(self) -> tuple[LiveRun, ...]:
        """All that trains here; no dormant run."""
        return *self._trained.runs, *self.beside.values()

    @property
    def place(self) -> dict[str, str]:
        """What the address of the open page holds beside the settings."""
        return self.places.setdefault(self.page, {})

    @property
    def scenes(self) -> Mapping[str, Scene]:
        """All that there are, the reader's own as well."""
        return {**SCENES, **self.lecture}

    @property
    def thread(self) -> Mapping[str, Scene]:
        """What the strip leads through: the reader's own scenes where one of them is open."""
        return self.lecture if self.scene in self.lecture else SCENES

    @property
    def in_scene(self) -> Scene | None:
        """The scene that is open; None on a page that is not its own."""
        scene = self.thread.get(self.scene)
        return scene if scene and scene.page == self.page else None

    def show_scene(self, scene: Scene) -> None:
        """Open its run, on its page and at its place, as its link would: without what the one before left.

        Where it has none, for not all settings go together, all stays and a sentence says why.
        """
        for run in self.beside.values():
            run.pause()
        self.beside.clear()
        self.start(scene.settings.but(notation=self.view["notation"]), rests=True)
        if self.problem:
            self.notices = [self.problem]
            return
        self.ghosts = []
        self.places[scene.page] = dict(scene.place)
        self.scene, self.scene_done, self.turn_to = scene.key, False, scene.page
        if scene.update:
            self.run.play(scene.update)


def current_session() -> Session:
    """The session of this script, which ``dashboard.py`` has loaded.

    Without a frame there is none: for the first visitor of a fresh server, Streamlit runs the file that the address names
    (it cannot know of ``st.navigation`` yet). Then the frame runs here, and the page within it.
    """
    if "stage" not in st.session_state:
        runpy.run_path(str(FRAME), run_name="__main__")
        st.stop()
    return st.session_state["stage"]
