"""The language of this tab. Every script run is a thread of its own, so each sets it anew."""

from collections.abc import Callable
from functools import wraps

import streamlit as st

from core.config.language import ENGLISH, closest_language, languages, use_language


def choose_language(chosen: str | None) -> None:
    """Make messages in this language from here on, or in that of the browser where it is none of ours."""
    st.session_state["language"] = chosen if chosen in languages() else closest_language(st.context.locale)
    restore_language()


def restore_language() -> None:
    """Make messages in the language that was chosen last: in a fragment, and where a browser's message is handled."""
    use_language(st.session_state.get("language", ENGLISH))


def in_reader_language(callback: Callable[..., None]) -> Callable[..., None]:
    """For ``on_click`` and ``on_change`` of a Streamlit widget, which run before the page: make messages as the page does."""

    @wraps(callback)
    def called(*arguments: object) -> None:
        restore_language()
        callback(*arguments)

    return called
