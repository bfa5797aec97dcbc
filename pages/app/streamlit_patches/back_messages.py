"""Drops messages and states of a browser that our pages never send: they would reach other sessions, or names of our own."""

from collections.abc import Callable
from functools import wraps
from typing import Any

REFUSED = ("clear_cache", "set_run_on_save")  # clear_cache clears the caches of all sessions, which would pause all runs
WIDGETS = ("$$ID-", "$$STREAMLIT_INTERNAL_KEY_$$ID-")  # how the ids of widgets and of their events begin; others are keys of ours


def check_messages(handle_backmsg: Callable[..., None]) -> Callable[..., None]:
    """``AppSession.handle_backmsg`` without these messages, and without states of what is no widget."""

    @wraps(handle_backmsg)
    def handle(session: Any, msg: Any) -> None:
        if msg.WhichOneof("type") not in REFUSED:
            states = msg.rerun_script.widget_states.widgets
            for place in reversed([place for place, state in enumerate(states) if not state.id.startswith(WIDGETS)]):
                del states[place]
            handle_backmsg(session, msg)

    return handle
