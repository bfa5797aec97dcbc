"""Checks the messages of a browser before a session handles them.

Streamlit stores the state that a browser sends for a widget and parses it later: an invalid state, or a state whose id is a key
that a page uses in ``st.session_state``, then makes every script run of that session fail. And the message ``clear_cache`` clears
the caches of all sessions, which would pause the runs of all sessions.
"""

import json
from collections.abc import Callable
from functools import wraps
from typing import Any

from pages.app.widgets.component_factory import KEYS

REFUSED = ("clear_cache", "set_run_on_save")  # our pages never send these messages
JSON = {"json_value": dict, "json_trigger_value": list}  # fields of a component's state, and the JSON type of each
EVENTS = "$$STREAMLIT_INTERNAL_KEY_"  # prefix of the id of a component's events
WIDGET = "$$ID-"  # prefix of the id of every widget


def check_messages(handle_backmsg: Callable[..., None]) -> Callable[..., None]:
    """``AppSession.handle_backmsg``, but it drops messages that our pages never send, and removes unreadable states from
    the others."""

    @wraps(handle_backmsg)
    def handle(session: Any, msg: Any) -> None:
        if msg.WhichOneof("type") not in REFUSED:
            drop_unreadable(msg)
            handle_backmsg(session, msg)

    return handle


def drop_unreadable(msg: Any) -> None:
    """Remove from a ``BackMsg`` the states that have no widget id, a wrong type, or invalid JSON."""
    states = msg.rerun_script.widget_states.widgets if msg.HasField("rerun_script") else []
    for place in reversed(range(len(states))):
        if not readable(states[place]):
            del states[place]


def readable(state: Any) -> bool:
    """Whether a ``WidgetState`` has the id of a widget, and is empty or has the type that this widget expects. A native widget
    accepts any type but JSON."""
    if not state.id.removeprefix(EVENTS).startswith(WIDGET):
        return False
    sent, expected = state.WhichOneof("value"), _expected(state.id)
    if sent is None or not (expected or sent in JSON):
        return True
    try:
        return sent == expected and isinstance(json.loads(getattr(state, sent)), JSON[sent])
    except (ValueError, RecursionError):
        return False


def _expected(widget_id: str) -> str:
    """The field that contains a component's state or events; empty for a native widget. Widget ids end with ``-`` and the key."""
    if widget_id.startswith(EVENTS):
        return "json_trigger_value"
    return "json_value" if widget_id.split("-", 2)[-1] in KEYS else ""
