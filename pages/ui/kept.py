"""Results that belong to a text: computed once, then kept. A reader's own text is kept by the reader's session alone."""

from collections.abc import Callable
from typing import Any, TypeVar

import streamlit as st

from core.settings import TEXT_FIELDS
from core.text.corpus import source_of
from pages.ui.state import Stage

Result = TypeVar("Result")


def of_text(stage: Stage, name: str, make: Callable[[], Result], *more: Any) -> Result:
    """``make()``, once for this text, ``name`` and ``more`` (whatever else the result depends on; plain values).

    ``make`` takes the right to compute itself (``live_run.compute``), and gives it back now and then if it needs long.
    """
    key = (name, *more, *(getattr(stage.settings, field) for field in TEXT_FIELDS))
    if not source_of(stage.settings).from_reader:
        return _shared(key, make)
    mine = st.session_state.setdefault("kept", {})
    if name not in mine or mine[name][0] != (key, id(stage.corpus)):
        mine[name] = (key, id(stage.corpus)), stage.corpus, make()  # the corpus is held so that its id stays its own
    return mine[name][2]


@st.cache_resource(max_entries=24, show_spinner=False)
def _shared(key: tuple[Any, ...], _make_it: Callable[[], Any]) -> Any:
    return _make_it()
