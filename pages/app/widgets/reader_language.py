"""The language of this tab. Every script run is a thread of its own, so each sets it anew."""

import streamlit as st

from core.config.language import ENGLISH, closest_language, languages, use_language


def choose_language(chosen: str | None) -> None:
    """Make messages in this language from here on, or in that of the browser where it is none of ours."""
    st.session_state["language"] = chosen if chosen in languages() else closest_language(st.context.locale)
    restore_language()


def restore_language() -> None:
    """Make messages in the language that was chosen last: in a fragment, and where a browser's message is handled."""
    use_language(st.session_state.get("language", ENGLISH))
