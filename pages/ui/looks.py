"""How long visitors wait: from when the server hears that somebody wants to see a page or a part of it, until it is drawn."""

import math
import time
from bisect import bisect_left
from functools import wraps
from itertools import accumulate
from typing import Any
from weakref import WeakKeyDictionary

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner.script_runner import ScriptRunnerEvent

BOUNDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, math.inf)  # seconds
NEWEST = 0.05  # of a mean: what the newest one weighs
DRAWN = (ScriptRunnerEvent.SCRIPT_STOPPED_WITH_SUCCESS, ScriptRunnerEvent.FRAGMENT_STOPPED_WITH_SUCCESS)


class Looks:
    """How many looks took how long, all of them together. Everything here is called on the server's loop."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._counts = [0] * len(BOUNDS)
        self.drawing = 0.01  # seconds that drawing takes at present, on the whole
        self._began: WeakKeyDictionary[Any, float] = WeakKeyDictionary()
        self._asked: WeakKeyDictionary[Any, float] = WeakKeyDictionary()  # when a session wished first for what it has not got

    @property
    def number(self) -> int:
        return sum(self._counts)

    @property
    def buckets(self) -> tuple[tuple[float, int], ...]:
        """For every bound, how many looks took so many seconds or less."""
        return tuple(zip(BOUNDS, accumulate(self._counts), strict=True))

    def asked(self, session: Any) -> None:
        self._asked.setdefault(session, time.monotonic())

    def begun(self, session: Any) -> None:
        self._began[session] = time.monotonic()

    def drawn(self, session: Any) -> None:
        if session in self._began:
            self.drawing += NEWEST * (time.monotonic() - self._began.pop(session) - self.drawing)
        if session in self._asked:
            self.took(time.monotonic() - self._asked.pop(session))

    def took(self, seconds: float) -> None:
        self.seconds += seconds
        self._counts[bisect_left(BOUNDS, seconds)] += 1


looks = Looks()


def watch_looks() -> None:
    """From now on every look is timed. Once per process."""
    hear, tell = AppSession.handle_backmsg, AppSession._handle_scriptrunner_event_on_event_loop

    @wraps(hear)
    def heard(session: AppSession, message: BackMsg) -> None:
        if message.HasField("rerun_script"):
            part = message.rerun_script.fragment_id
            if not part or session.has_fragment(part):
                looks.asked(session)
        hear(session, message)

    @wraps(tell)
    def told(session: AppSession, sender: Any, event: ScriptRunnerEvent, *what: Any) -> None:
        tell(session, sender, event, *what)
        if event == ScriptRunnerEvent.SCRIPT_STARTED:
            looks.begun(session)
        if event in DRAWN:
            looks.drawn(session)

    AppSession.handle_backmsg, AppSession._handle_scriptrunner_event_on_event_loop = heard, told
