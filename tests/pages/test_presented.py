"""What a component has told is read as Streamlit itself presents it."""

from types import SimpleNamespace
from typing import ClassVar

from hypothesis import given
from hypothesis import strategies as st
from streamlit.components.v2.presentation import make_bidi_component_presenter

from pages.ui.presented import presenter

NAMES = st.sampled_from(["move", "press", "go"])
VALUES = st.none() | st.integers() | st.text(max_size=3)
PAYLOADS = st.fixed_dictionaries({"event": NAMES | VALUES}, optional={"value": VALUES})
TOLD = st.none() | PAYLOADS | st.lists(PAYLOADS | VALUES, max_size=4) | VALUES


class Widgets(dict[str, object]):
    """What Streamlit knows of the widgets that a message brought."""

    widget_metadata: ClassVar = {"events": SimpleNamespace(value_type="json_trigger_value")}


@given(st.dictionaries(NAMES, VALUES) | VALUES, TOLD, st.booleans())
def test_values_and_events_stand_together_as_streamlit_presents_them(values, told, any_came):
    session = SimpleNamespace(_new_widget_state=Widgets({"events": told} if any_came else {}))
    ours, streamlits = (make("events")(values, session) for make in (presenter, make_bidi_component_presenter))
    assert ours == streamlits
    if isinstance(ours, dict):
        for name in ("move", "press", "go"):
            assert getattr(ours, name) == getattr(streamlits, name) == ours.get(name)
