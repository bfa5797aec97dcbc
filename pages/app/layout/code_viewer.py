"""Under a picture, on request: the core's own source that made it."""

import inspect
from collections.abc import Callable

import streamlit as st

from core.config.language import gettext as _


def source(name: str, *made_by: Callable | type) -> None:
    """What made the picture above, as it runs. Sent to the browser only once it is asked for."""
    panel = st.expander(_("The code that made this"), key=f"source_{name}", on_change="rerun", type="compact")
    if panel.open:
        with panel:
            for part in made_by:
                st.code(inspect.getsource(inspect.unwrap(part)), language="python")
