"""Nothing that cannot be read gets past the gate, and all that a browser of ours sends does."""

import json
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState

from pages.ui.gate import let_in, readable

KINDS = {"json_value": "{}", "json_trigger_value": "[]", "string_value": "", "int_value": 7, "trigger_value": True}
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@given(anything)
@settings(max_examples=1500)
def test_what_components_send_is_let_in(value):
    assert readable(WidgetState(id="a", json_value=json.dumps({"event": value})), "json_value")
    assert readable(WidgetState(id="a", json_trigger_value=json.dumps([{"event": "a", "value": value}])), "json_trigger_value")


@given(st.text(st.characters(exclude_categories=["Cs"])).filter(lambda text: not text.strip().startswith(("{", "["))))
@settings(max_examples=1500)
def test_what_is_no_json_is_not(text):
    assert not readable(WidgetState(id="a", json_value=text), None)
    assert not readable(WidgetState(id="a", json_trigger_value=text), None)


@pytest.mark.parametrize("text", ["[" * 100_000, "9" * 100_000, "{", "[1", '{"a":', "NaN"])
def test_nor_what_would_take_the_reader_down(text):
    assert not readable(WidgetState(id="a", json_value=text), "json_value")


@pytest.mark.parametrize("expected", KINDS)
@pytest.mark.parametrize("sent", KINDS)
def test_a_widget_hears_its_own_kind_alone(expected, sent):
    message = BackMsg()
    widgets = message.rerun_script.widget_states.widgets
    widgets.add(id="known", **{sent: KINDS[sent]})
    widgets.add(id="unknown", **{sent: KINDS[sent]})
    widgets.add(id="known")
    known = SimpleNamespace(widget_metadata={"known": SimpleNamespace(value_type=expected)})
    session = SimpleNamespace(session_state=SimpleNamespace(_new_widget_state=known))
    assert let_in(session, message)
    assert [widget.id for widget in widgets] == [*["known"] * (sent == expected), "unknown", "known"]


@pytest.mark.parametrize(("kind", "let"), [("clear_cache", False), ("app_heartbeat", True), ("stop_script", True)])
def test_no_visitor_clears_what_all_share(kind, let):
    assert let_in(SimpleNamespace(), BackMsg(**{kind: True})) == let
