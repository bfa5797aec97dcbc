"""Messages of browser components: only declared and offered values are passed on, and received messages are acknowledged."""

import math
from types import SimpleNamespace

import pytest
import streamlit as st

from pages.app.widgets import component_factory as module, control_widgets
from pages.app.widgets.component_factory import component, event_values
from pages.app.widgets.control_widgets import Button, Knob, Select, Slider, Switch
from pages.app.widgets.rerun import record_open_page

MOVE = {"name": str, "place": int, "value": object, "done": bool}


def test_the_values_of_a_message_come_in_the_order_declared():
    assert event_values({"done": True, "place": 3, "name": "tau", "more": 7}, MOVE) == ("tau", 3, None, True)
    assert event_values("play", str) == ("play",)
    assert event_values(True, None) == ()
    assert event_values(2, float) == (2,)
    assert event_values("a\ud800b", str) == ("a\ufffdb",)  # a lone surrogate is replaced
    assert event_values({"text": "\udc00", "serial": 1}, {"text": str, "serial": int}) == ("\ufffd", 1)


def test_a_message_of_another_type_is_ignored():
    moves = ({"name": None}, {"place": "3"}, {"place": 3.5}, {"place": True}, {"place": math.nan}, {"done": 1})
    wrong = [{"name": "tau", "place": 3, "done": True} | move for move in moves]
    for message in (None, "", 3, [], ["tau", 3], {}, {"name": "tau"}, *wrong):
        assert event_values(message, MOVE) is None, message
    for kind, messages in ((str, (None, {}, [], 1)), (int, (True, "1", 1.5)), (float, (math.inf, True, "1"))):
        assert [event_values(message, kind) for message in messages] == [None] * len(messages), kind


def test_only_what_a_bar_offers_reaches_its_listeners(monkeypatch):
    received, events = [], {}
    monkeypatch.setattr(control_widgets, "_controls", lambda data, key, **on: events.update(on))
    sliders = [Slider("tau", "", ["1", "all"], 0, (1, None)), Knob("rate", "", ["0", "1", "2"], 0, (0.0, 0.1, 0.2))]
    control_widgets.controls(
        [*sliders, Knob("clip", "", ["0"], 0, (0.0,), typed=True)],
        [Switch("mode", "", [("carry", "carry"), ("reset", "reset")], "carry"), Select("k", "", [(4, "four")], 4)],
        [Button("play", "Play"), Button("again", "Again", disabled=True)],
        label="",
        on_move=lambda *move: received.append(move),
        on_press=received.append,
        on_type=lambda *typed: received.append(typed),
        key="bar",
    )
    for event, messages in {
        "on_move": [("tau", 2, True), ("tau", -1, True), ("mode", 0, True), ("play", 0, True), ("?", 0, True)],
        "on_choose": [("mode", "?"), ("tau", "0"), ("play", "play"), ("?", "carry")],
        "on_press": [("again",), ("mode",), ("?",)],
        "on_type": [("rate", "1"), ("tau", "1"), ("play", "1"), ("?", "1")],
    }.items():
        for message in messages:
            events[event](*message)
    assert received == []
    for event, values in (
        ("on_move", ("tau", 1, False)), ("on_move", ("rate", 2, True)), ("on_choose", ("mode", "reset")),
        ("on_choose", ("k", "4")), ("on_press", ("play",)), ("on_type", ("clip", "0.1")),
    ):  # fmt: skip
        events[event](*values)
    assert received == [
        ("tau", None, False), ("rate", 0.2, True), ("mode", "reset", True), ("k", 4, True), "play", ("clip", "0.1")
    ]  # fmt: skip


def test_a_bar_with_a_name_that_another_control_of_the_page_has_is_refused(monkeypatch):
    monkeypatch.setattr(control_widgets, "_controls", lambda data, key, **on: None)
    monkeypatch.setattr(st, "session_state", {})
    record_open_page(SimpleNamespace(url_path="perplexity"))

    def draw(key, *names):
        control_widgets.controls([Button(name, name) for name in names], label="", on_move=print, key=key)

    draw("first", "section", "play")
    draw("first", "section", "play")  # a fragment that is drawn again
    with pytest.raises(ValueError, match=r"first and second.*section"):
        draw("second", "again", "section")
    with pytest.raises(ValueError, match="third"):
        draw("third", "once", "once")
    record_open_page(SimpleNamespace(url_path="perplexity"))
    draw("second", "section")


@pytest.fixture
def draw(monkeypatch):
    """``draw(...)`` draws a component; it returns the component's events, and the count that the data acknowledge."""
    calls = []
    monkeypatch.setattr(module, "DATA_TYPES", {})
    monkeypatch.setattr(module, "EVENTS", {})
    monkeypatch.setattr(st, "session_state", {})
    monkeypatch.setattr(st.components.v2, "component", lambda *_, **__: lambda **given: calls.append(given))

    def draw(data=None, key="card", **listeners):
        events = {"command": str, "go": int, "write": None}
        component("run_card", {}, events=events)(data, key=key, **listeners)
        return calls[-1], int(calls[-1]["data"].split()[1])

    return draw


def send(events, event, message, key="card"):
    """Deliver a browser's message as Streamlit does."""
    st.session_state[key] = SimpleNamespace(**{event: message})
    events[f"on_{event}_change"]()


def test_a_message_is_unwrapped_and_its_count_acknowledged(draw):
    received = []
    events, answered = draw(on_command=received.append)
    assert answered == 0
    send(events, "command", {"value": "play", "count": 7})
    assert draw(on_command=received.append)[1] == 7
    assert received == ["play"]
    assert draw(key="other")[1] == 0


def test_a_message_that_is_sent_again_is_acknowledged_and_not_handled_again(draw):
    """A browser sends it again if the connection was lost before the acknowledgement arrived."""
    received = []
    for count in (7, 7, 6, 8):
        events, _ = draw(on_command=received.append, on_go=received.append)
        send(events, "command", {"value": str(count), "count": count})
    send(events, "go", {"value": 3, "count": 6})
    assert received == ["7", "8"]
    assert draw()[1] == 8


def test_a_message_that_no_listener_uses_or_that_ends_the_script_is_acknowledged(draw):
    def end(_):
        raise SystemExit

    events, _ = draw(on_go=end)
    send(events, "go", {"value": "far", "count": 3})
    assert draw()[1] == 3
    send(events, "command", {"value": "play", "count": 4})  # without a listener
    assert draw()[1] == 4
    with pytest.raises(SystemExit):
        send(events, "go", {"value": 5, "count": 5})
    assert draw()[1] == 5


def test_a_malformed_message_is_neither_passed_on_nor_acknowledged(draw):
    received = []
    events, before = draw(on_command=received.append, on_write=lambda: received.append("write"))
    counts = ({"value": "play", "count": count} for count in ("3", True, 3.5, math.nan, None, [3]))
    for message in (None, "play", 3, [], ["play", 3], {}, {"value": "play"}, {"count": 3}, *counts):
        for event in ("command", "write"):
            send(events, event, message)
        assert received == []
        assert draw()[1] == before
    del st.session_state["card"]  # as after a press just before a page change
    events["on_command_change"]()
    assert draw()[1] == before


@pytest.mark.parametrize(("before", "now", "expected"), [("training", "training", []), ("training", "unrolled", ["whole page"])])
def test_what_is_drawn_again_after_a_message(draw, monkeypatch, before, now, expected):
    """If another page was opened just after the press, the whole page is rerun, also for a message that is sent again: Streamlit
    has no fragment to draw then, and would draw the page before."""
    reruns, received = [], []
    monkeypatch.setattr(st, "rerun", lambda: reruns.append("whole page"))
    record_open_page(SimpleNamespace(url_path=before))
    events, _ = draw(on_command=received.append)
    record_open_page(SimpleNamespace(url_path=now))
    for times in (1, 2):
        send(events, "command", {"value": "play", "count": 1})
        assert (received, reruns) == (["play"], times * expected)
