"""A look at a part of a page that was turned meanwhile leaves the page that is open as it is.

Streamlit tells the browser of which page a run is, also where it draws one part only. A part is asked for again and again: the
last of these wishes may come when another page is drawn already. Of that page the browser would let go, for the run is of the one
before.
"""

from functools import wraps
from typing import Any
from weakref import WeakKeyDictionary

from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner.script_runner import ScriptRunnerEvent


def keep_the_page() -> None:
    """From now on a run of parts is of the page that the browser has been told is open. Once per process."""
    tell = AppSession._handle_scriptrunner_event_on_event_loop
    open_pages: WeakKeyDictionary[AppSession, str | None] = WeakKeyDictionary()

    @wraps(tell)
    def told(
        session: AppSession, sender: Any, event: ScriptRunnerEvent, message: Any = None, error: Any = None, client: Any = None,
        page: str | None = None, parts: list[str] | None = None, *more: Any,
    ) -> None:  # fmt: skip
        if sender is not session._scriptrunner:
            pass  # Streamlit does not listen to it, either
        elif event == ScriptRunnerEvent.SCRIPT_STARTED and parts:
            page = open_pages.get(session, page)
        elif event == ScriptRunnerEvent.SCRIPT_STARTED:
            open_pages[session] = page  # as asked for; st.navigation may know better
        elif event == ScriptRunnerEvent.ENQUEUE_FORWARD_MSG and message.HasField("navigation"):
            open_pages[session] = message.navigation.page_script_hash
        tell(session, sender, event, message, error, client, page, parts, *more)

    AppSession._handle_scriptrunner_event_on_event_loop = told
