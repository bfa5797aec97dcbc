"""The language of this tab. It is set in every script run, as scripts run in different threads."""

from collections.abc import Callable
from functools import wraps

import streamlit as st

from core.config.language import ENGLISH, closest_language, languages, use_language


def choose_language(chosen: str | None) -> None:
    """Set the language of messages; for an unknown language, use the closest language to that of the browser."""
    st.session_state["language"] = chosen if chosen in languages() else closest_language(st.context.locale)
    restore_language()


def restore_language() -> None:
    """Set the language chosen last: called in fragments and in handlers of browser messages."""
    use_language(st.session_state.get("language", ENGLISH))


def in_reader_language(callback: Callable[..., None]) -> Callable[..., None]:
    """A wrapper for ``on_click`` and ``on_change`` of Streamlit widgets, which run before the page sets the language."""

    @wraps(callback)
    def called(*arguments: object) -> None:
        restore_language()
        callback(*arguments)

    return called
