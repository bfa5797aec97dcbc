"""The dashboard run in this process, without server and browser, to open scenes, train, and record what pages draw."""

from collections.abc import Sequence
from typing import Any

from streamlit.testing.v1 import AppTest

from core.config.language import ENGLISH, gettext as _
from pages.app.server.page_recording import RecordedState
from pages.app.session.session import DASHBOARD, Session
from pages.content.scene import Scene
from pages.export.page_recorder import RECORDER, PageRecorder

LIMIT = 600.0  # seconds: timeout of a script run, and of training
SCRIPT = (
    f"import runpy; runpy.run_path({str(DASHBOARD)!r}, run_name='__main__')"  # run from a file without a folder pages beside it
)


class SceneApp:
    """A session in the language ``lang``. ``own``: scenes that can be opened beside the built-in ones.

    It does not run ``dashboard.py`` itself: ``AppTest`` would find the folder ``pages`` beside it, and run a page without frame.
    """

    def __init__(self, own: Sequence[Scene] = (), lang: str = ENGLISH) -> None:
        self._app = AppTest.from_string(SCRIPT, default_timeout=LIMIT)
        self._app.query_params["lang"] = lang
        self.run()
        self.session.lecture.scenes = {scene.key: scene for scene in own}

    @property
    def session(self) -> Session:
        return self._app.session_state["session"]

    @property
    def choices(self) -> dict[str, Any]:
        """The reader's choices on the open page."""
        return self._app.session_state[self.session.navigation.page]

    def run(self) -> None:
        """Run the script. ``RuntimeError`` if it ends with an exception."""
        self._app.run()
        if self._app.exception:
            raise RuntimeError(self._app.exception[0].message)

    def open(self, scene: Scene) -> None:
        """Open a scene, and train its network to the scene's update. ``RuntimeError`` with the page's reason if it is refused."""
        self.session.scenes.request(scene.key, self.session.scenes.opened)
        self.run()
        if self.session.scene != scene:
            raise RuntimeError(" ".join(map(_, self.session.notices)) or "The scene was not opened.")
        self.join()

    def join(self) -> None:
        """Wait until no run trains, then run the script. ``RuntimeError`` after ``LIMIT`` seconds."""
        for run in self.session.runs:
            if not run.join(LIMIT):
                raise RuntimeError(f"Not trained within {LIMIT:.0f} seconds.")
        self.run()

    def record(self, name: str | None = None) -> RecordedState:
        """Record the page as it is now, under ``name`` or, by default, the name of the update shown."""
        (state,) = self.record_all(PageRecorder())
        return state if name is None else state._replace(name=name)

    def record_all(self, recorder: PageRecorder) -> list[RecordedState]:
        """Run the open page with a recorder, and return the states that it recorded."""
        self._app.session_state[RECORDER] = recorder
        self.run()
        return recorder.states
