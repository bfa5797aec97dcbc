"""A script is heard out before the next one of its session begins.

Streamlit lets go of a script that has ended as soon as the next wish comes, also where the server has not come to hear what it
drew last: that would never reach the browser. Of parts of a page that are asked for at the same time, one would stay as it was.
"""

from functools import wraps
from typing import Any
from weakref import WeakKeyDictionary

from streamlit import runtime
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner.script_runner import RerunData, ScriptRunnerEvent


def hear_scripts_out() -> None:
    """From now on a wish waits until all is heard that the script before it has said. Once per process."""
    begin, tell = AppSession._create_scriptrunner, AppSession._handle_scriptrunner_event_on_event_loop
    held: WeakKeyDictionary[AppSession, list[RerunData]] = WeakKeyDictionary()

    def begin_with(session: AppSession, wishes: list[RerunData]) -> None:
        first, *others = wishes
        begin(session, first)
        for other in others:
            if not session._scriptrunner.request_rerun(other):
                begun(session, other)

    @wraps(begin)
    def begun(session: AppSession, wish: RerunData) -> None:
        if session._scriptrunner:  # it has ended, and takes no wishes; where a whole page is wished for it has been let go of
            held.setdefault(session, []).append(wish)
        else:
            begin_with(session, [*held.pop(session, ()), wish])

    @wraps(tell)
    def told(session: AppSession, sender: Any, event: ScriptRunnerEvent, *what: Any) -> None:
        tell(session, sender, event, *what)
        wishes = [] if session._scriptrunner else held.pop(session, [])
        if wishes and runtime.get_instance().is_active_session(session.id):  # its tab may have gone meanwhile
            begin_with(session, wishes)

    AppSession._create_scriptrunner, AppSession._handle_scriptrunner_event_on_event_loop = begun, told
