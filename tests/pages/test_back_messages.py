"""Unreadable states are removed from a browser's message; all values that our components send stay in it."""

import json

import pytest
from hypothesis import given, settings, strategies as st
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState

from pages.app.streamlit_patches.back_messages import EVENTS, check_messages, drop_unreadable, readable
from pages.app.widgets.component_factory import KEYS

COMPONENT = "$$ID-0123-run_card"  # a widget id of Streamlit: a hash and the key
NATIVE = "$$ID-0123-a_button"
SENT = {"json_value": "{}", "json_trigger_value": "[]", "string_value": "", "int_value": 7, "trigger_value": True}


@pytest.fixture(autouse=True)
def drawn(monkeypatch):
    monkeypatch.setattr("pages.app.streamlit_patches.back_messages.KEYS", {*KEYS, "run_card"})


@pytest.mark.parametrize("value", [None, True, 1.5, "text", ["a", {"b": []}], {"value": "x", "count": 1}])
def test_what_components_send_is_readable(value):
    assert readable(WidgetState(id=COMPONENT, json_value=json.dumps({"event": value})))
    assert readable(WidgetState(id=EVENTS + COMPONENT, json_trigger_value=json.dumps([{"event": "a", "value": value}])))


@given(st.text(st.characters(exclude_categories=["Cs"])).filter(lambda text: not text.strip().startswith(("{", "["))))
@settings(max_examples=300)
def test_what_is_no_json_is_unreadable(text):
    assert not readable(WidgetState(id=EVENTS + COMPONENT, json_trigger_value=text))


@pytest.mark.parametrize("text", ["[" * 100_000, "9" * 100_000, "{", "[1", '{"a":', "NaN"])
def test_what_exceeds_the_parser_is_unreadable(text):
    assert not readable(WidgetState(id=COMPONENT, json_value=text))


@pytest.mark.parametrize("name", ["", "training", "session", "$$ID", EVENTS, EVENTS + "training"])
def test_what_is_no_widget_gets_nothing(name):
    assert not readable(WidgetState(id=name, string_value="x"))
    assert not readable(WidgetState(id=name))


@pytest.mark.parametrize(("widget", "expected"), [
    (COMPONENT, {"json_value"}),
    (EVENTS + COMPONENT, {"json_trigger_value"}),
    (NATIVE, {"string_value", "int_value", "trigger_value"}),
])  # fmt: skip
def test_a_widget_gets_its_own_type_alone(widget, expected):
    for sent, value in SENT.items():
        message = BackMsg()
        widgets = message.rerun_script.widget_states.widgets
        widgets.add(id=widget, **{sent: value})
        widgets.add(id=widget)
        drop_unreadable(message)
        assert len(widgets) == 1 + (sent in expected), sent


@pytest.mark.parametrize(("kind", "handled"), [("clear_cache", False), ("app_heartbeat", True), ("stop_script", True)])
def test_no_session_can_clear_the_shared_caches(kind, handled):
    messages = []
    check_messages(lambda session, msg: messages.append(msg))(None, BackMsg(**{kind: True}))
    assert bool(messages) == handled
