"""Messages from a browser are checked before a session handles them.

Streamlit stores the state that a browser sends for a widget and reads it later: a state that cannot be read then fails every
script run of that session, and so does one under a name that a page uses in ``st.session_state``. And ``clear_cache`` clears the
caches of all sessions, which would pause the runs of all sessions.
"""

import json
from collections.abc import Callable
from functools import wraps
from typing import Any

from pages.app.widgets.component_factory import KEYS

REFUSED = ("clear_cache", "set_run_on_save")  # no page of ours sends them
JSON = {"json_value": dict, "json_trigger_value": list}  # fields of a component's state, and the JSON type that each holds
EVENTS = "$$STREAMLIT_INTERNAL_KEY_"  # the id under which a component's events come begins with this
WIDGET = "$$ID-"  # and every id of a widget with this


def checked(handle_backmsg: Callable[..., None]) -> Callable[..., None]:
    """``AppSession.handle_backmsg``, but messages that no browser of ours sends are dropped, and unreadable states in the
    others."""

    @wraps(handle_backmsg)
    def handle(session: Any, msg: Any) -> None:
        if msg.WhichOneof("type") not in REFUSED:
            drop_unreadable(msg)
            handle_backmsg(session, msg)

    return handle


def drop_unreadable(msg: Any) -> None:
    """Remove from a ``BackMsg`` the states of no widget, of a type other than its own, or without the JSON they should hold."""
    states = msg.rerun_script.widget_states.widgets if msg.HasField("rerun_script") else []
    for place in reversed(range(len(states))):
        if not readable(states[place]):
            del states[place]


def readable(state: Any) -> bool:
    """Whether a ``WidgetState`` has a widget's id, and is empty or has the type that this widget expects; of native widgets only
    that it is no JSON."""
    if not state.id.removeprefix(EVENTS).startswith(WIDGET):
        return False
    sent = state.WhichOneof("value")
    if sent is None:
        return True
    if sent != _expected(state.id):
        return sent not in JSON and not _expected(state.id)
    return _is_json(getattr(state, sent), JSON[sent])


def _expected(widget_id: str) -> str:
    """The field in which a component's state, or its events, come; empty for a native widget. Ids end with ``-`` and the key."""
    if widget_id.startswith(EVENTS):
        return "json_trigger_value"
    return "json_value" if widget_id.split("-", 2)[-1] in KEYS else ""


def _is_json(text: str, kind: type) -> bool:
    try:
        return isinstance(json.loads(text), kind)
    except (ValueError, RecursionError):
        return False
