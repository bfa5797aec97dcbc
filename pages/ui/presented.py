"""What components have told stands in the session in its plainest form.

Streamlit makes a class of its own for every component at every look, so that a script can write to its state as well. Ours only
read it; of a look at a page with twenty components those classes were a tenth.
"""

from collections.abc import Callable
from typing import Any

from streamlit.components.v2.bidi_component import main
from streamlit.runtime.state import SessionState


class Told(dict[str, Any]):
    """By the name of a value or an event; None is what was not told."""

    __getattr__ = dict.get


def presenter(events: str, *_: Any) -> Callable[[Any, SessionState], Any]:
    """For a component whose events Streamlit keeps under the name ``events``: its values and its events together."""

    def present(values: Any, session: SessionState) -> Any:
        if not isinstance(values, dict):
            return values
        try:
            told = session._new_widget_state[events]
        except KeyError:
            told = None
        sent = [one for one in (told if isinstance(told, list) else [told]) if isinstance(one, dict)]
        return Told({one["event"]: one.get("value") for one in sent if isinstance(one.get("event"), str)} | values)

    return present


def present_plainly() -> None:
    """From now on, for all components. Once per process."""
    main.make_bidi_component_presenter = presenter
