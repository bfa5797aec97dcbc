"""The dashboard in this process, without a server and a browser: it opens a scene, trains and records what the page draws."""

from typing import Any

from streamlit.testing.v1 import AppTest

from core.config.language import ENGLISH
from core.content.scene import Scene
from pages.app.panels.page_recorder import RECORDER, PageRecorder
from pages.app.server.page_recording import RecordedState
from pages.app.session.session import FRAME, Session

LIMIT = 600.0  # seconds after which a script run, or a network that trains, has failed
SCRIPT = f"import runpy; runpy.run_path({str(FRAME)!r}, run_name='__main__')"  # beside it is no folder of pages


class SceneApp:
    """One session, in the language ``lang``. ``lecture``: the text of a lecture's file, whose scenes can be opened, too.

    Beside ``dashboard.py`` itself ``AppTest`` finds the folder ``pages``, and runs a file of it without the frame.
    """

    def __init__(self, lecture: str = "", lang: str = ENGLISH) -> None:
        self._app = AppTest.from_string(SCRIPT, default_timeout=LIMIT)
        self._app.query_params["lang"] = lang
        self.run()
        if lecture:
            self.session.lecture.open_file(lecture)

    @property
    def session(self) -> Session:
        return self._app.session_state["session"]

    @property
    def choices(self) -> dict[str, Any]:
        """What is chosen on the open page."""
        return self._app.session_state[self.session.navigation.page]

    def run(self) -> None:
        """Run the script. ``RuntimeError`` where it ends with an exception."""
        self._app.run()
        if self._app.exception:
            raise RuntimeError(self._app.exception[0].message)

    def open(self, scene: Scene) -> None:
        """Open a scene, and train its network as far as it asks for."""
        self.session.scenes.request(scene.key, self.session.scenes.opened)
        self.run()
        self.join()

    def join(self) -> None:
        """Wait until nothing trains, and run the script."""
        for run in self.session.runs:
            if not run.join(LIMIT):
                raise RuntimeError(f"Not trained within {LIMIT:.0f} seconds.")
        self.run()

    def train(self, until: int) -> None:
        """Train the session's run up to this update."""
        self.session.run.play(until)
        self.join()

    def press(self, key: str) -> None:
        """Press the button of Streamlit's with this key, and wait until nothing trains."""
        self._app.button(key=key).click()
        self.run()
        self.join()

    def record(self, name: str | None = None) -> RecordedState:
        """The page as it is now, with this name, or that of the update that is shown."""
        (state,) = self.record_all(PageRecorder())
        return state if name is None else state._replace(name=name)

    def record_all(self, recorder: PageRecorder) -> list[RecordedState]:
        """What a recorder records of the open page."""
        self._app.session_state[RECORDER] = recorder
        self.run()
        return recorder.states
