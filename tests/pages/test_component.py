"""What the browser says is heard in the order declared; what no script of ours says is not heard at all."""

import json
import math
from types import SimpleNamespace

import pytest
import streamlit as st

from pages.ui import bar
from pages.ui import component as module
from pages.ui.bar import Button, Knob, Select, Slider, Switch
from pages.ui.component import _hearer, component, told

MOVE = {"name": str, "place": int, "value": object, "done": bool}


def test_a_message_is_heard_in_the_order_declared():
    assert told({"done": True, "place": 3, "name": "tau", "count": 7}, MOVE) == ("tau", 3, None, True)
    assert told("play", str) == ("play",)
    assert told(True, None) == ()
    assert told(2, float) == (2,)


@pytest.mark.parametrize("message", [
    None, "", 3, [], ["tau", 3], {}, {"name": "tau"},
    {"name": None, "place": 3, "done": True}, {"name": "tau", "place": "3", "done": True},
    {"name": "tau", "place": 3.5, "done": True}, {"name": "tau", "place": True, "done": True},
    {"name": "tau", "place": math.nan, "done": True}, {"name": "tau", "place": 3, "done": 1},
])  # fmt: skip
def test_what_is_not_of_the_kind_declared_is_not_heard(message):
    assert told(message, MOVE) is None


@pytest.mark.parametrize(("message", "kind"), [
    (None, str), ({}, str), ([], str), (1, str), (True, int), ("1", int), (1.5, int), (math.inf, float),
    (True, float), ("1", float),
])  # fmt: skip
def test_a_value_of_another_kind_is_not_heard(message, kind):
    assert told(message, kind) is None


def test_a_listener_to_an_event_that_is_not_declared_is_a_mistake():
    with pytest.raises(TypeError):
        component("grid")({}, on_move=print)


@pytest.fixture
def heard(monkeypatch):
    """A bar of every control: its events, and what is heard of them."""
    said, events = [], {}
    monkeypatch.setattr(bar, "_controls", lambda data, key, **on: events.update(on))
    bar.controls(
        [
            Slider("tau", "", ["1", "all"], 0, (1, None)),
            Knob("rate", "", ["0", "1", "2"], 0, (0.0, 0.1, 0.2)),
            Knob("clip", "", ["0"], 0, (0.0,), typed=True),
        ],
        [Switch("mode", "", [("carry", "carry"), ("reset", "reset")], "carry"), Select("k", "", [(4, "four")], 4)],
        [Button("play", "Play"), Button("again", "Again", disabled=True)],
        label="",
        on_move=lambda *move: said.append(move),
        on_press=said.append,
        on_type=lambda *typed: said.append(typed),
        key="bar",
    )
    return events, said


def test_what_a_bar_offers_is_heard(heard):
    events, said = heard
    events["on_move"]("tau", 1, False)
    events["on_move"]("rate", 2, True)
    events["on_choose"]("mode", "reset")
    events["on_choose"]("k", "4")
    events["on_press"]("play")
    events["on_type"]("clip", "0.1")
    assert said == [("tau", None, False), ("rate", 0.2, True), ("mode", "reset", True), ("k", "4", True), "play", ("clip", "0.1")]


def test_what_a_bar_does_not_offer_is_not_heard(heard):
    events, said = heard
    for move in (("tau", 2, True), ("tau", -1, True), ("mode", 0, True), ("play", 0, True), ("?", 0, True)):
        events["on_move"](*move)
    for choice in (("mode", "?"), ("tau", "0"), ("play", "play"), ("?", "carry")):
        events["on_choose"](*choice)
    for name in ("again", "mode", "?"):
        events["on_press"](name)
    for name in ("rate", "tau", "play", "?"):
        events["on_type"](name, "1")
    assert said == []


def test_a_press_on_a_part_that_the_page_has_left_behind_breaks_nothing(monkeypatch):
    said = []
    monkeypatch.setattr(st, "session_state", {})  # as after a press just before the page was turned
    _hearer("run_card", "command", str, said.append)()
    assert said == []


def test_a_script_whose_state_a_newer_one_has_cleared_ends_without_an_exception_on_the_screen(monkeypatch):
    def cleared(**_):
        raise KeyError("run_view")

    ended = []
    monkeypatch.setattr(st.components.v2, "component", lambda *_, **__: cleared)
    monkeypatch.setattr(st, "stop", lambda: ended.append(True))
    component("run_view")({})
    assert ended


def test_what_is_sent_later_has_a_higher_number_and_what_is_sent_again_the_same(monkeypatch):
    sent, times = [], iter((3_000_000, 1_000_000, 9_000_000, 9_000_000, 2_000_000))  # ns; a clock may be set back
    monkeypatch.setattr(st, "session_state", {})
    monkeypatch.setattr(st.components.v2, "component", lambda *_, **__: lambda data, **_: sent.append(data.split(b"\n")))
    monkeypatch.setattr(module.time, "time_ns", lambda: next(times))
    draw = component("readout")
    for data, key in (({"n": 1}, "a"), ({"n": 1}, "a"), ({"n": 2}, "a"), ({"n": 2}, "b"), ({"n": 1}, "a"), ({"n": 2}, "a")):
        draw(data, key=key)
    assert [int(number) for number, _ in sent] == [3, 3, 4, 9, 9, 10]
    assert [json.loads(data)["n"] for _, data in sent] == [1, 1, 2, 2, 1, 2]


@pytest.mark.parametrize(("parts", "there", "again"), [(None, (), False), (["card"], ("card",), False), (["card"], (), True)])
def test_what_is_heard_when_its_part_of_the_page_is_gone_draws_the_page(monkeypatch, parts, there, again):
    """As when the page was turned just after the press: Streamlit hears it, but has nothing to draw."""
    script = SimpleNamespace(fragment_ids_this_run=parts, fragment_storage=SimpleNamespace(contains=lambda part: part in there))
    heard, drawn = [], []
    monkeypatch.setattr(module, "get_script_run_ctx", lambda: script)
    monkeypatch.setattr(st, "rerun", lambda: drawn.append(True))
    monkeypatch.setattr(st, "session_state", {"run_card": SimpleNamespace(command="play")})
    _hearer("run_card", "command", str, heard.append)()
    assert heard == ["play"]
    assert bool(drawn) == again


def test_half_a_character_is_replaced_wherever_text_is_heard():
    assert told("a\ud800b", str) == ("a\ufffdb",)
    assert told({"text": "\udc00", "serial": 1}, {"text": str, "serial": int}) == ("\ufffd", 1)
