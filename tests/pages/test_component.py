"""What the browser says is heard in the order declared; what no script of ours says is not heard at all."""

import json
import math
from types import SimpleNamespace

import pytest
import streamlit as st
from streamlit.components.v2.bidi_component.serialization import BidiComponentSerde, deserialize_trigger_list
from streamlit.components.v2.presentation import make_bidi_component_presenter
from streamlit.errors import StreamlitAPIException

from pages.ui import bar
from pages.ui import component as module
from pages.ui.bar import Button, Knob, Select, Slider, Switch
from pages.ui.component import _hearer, component, told

MOVE = {"name": str, "place": int, "value": object, "done": bool}


def test_a_message_is_heard_in_the_order_declared():
    assert told({"done": True, "place": 3, "name": "tau", "more": 7}, MOVE) == ("tau", 3, None, True)
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


@pytest.fixture
def drawn(monkeypatch):
    """``draw(...)`` draws a component: what hears its events, and the header of what it was sent."""
    calls = []
    monkeypatch.setattr(st, "session_state", {})
    monkeypatch.setattr(st.components.v2, "component", lambda *_, **__: lambda **given: calls.append(given))

    def draw(data=None, key="card", reruns=(), **listeners):
        hears = {"command": str, "go": int, "write": None}
        component("run_card", hears=hears)(data, key=key, reruns=reruns, **listeners)
        number, answered = calls[-1]["data"].split(b"\n")[0].split()
        return calls[-1], (int(number), int(answered))

    return draw


def say(events, event, message, key="card"):
    """As Streamlit does where the browser sends this."""
    st.session_state[key] = SimpleNamespace(**{event: message})
    events[f"on_{event}_change"]()


def test_what_is_sent_later_has_a_higher_number_and_what_is_sent_again_the_same(drawn, monkeypatch):
    times = iter((3_000_000, 1_000_000, 9_000_000, 9_000_000, 2_000_000))  # ns; a clock may be set back
    monkeypatch.setattr(module.time, "time_ns", lambda: next(times))
    said = [({"n": 1}, "a"), ({"n": 1}, "a"), ({"n": 2}, "a"), ({"n": 2}, "b"), ({"n": 1}, "a"), ({"n": 2}, "a")]
    sent = [drawn(*one) for one in said]
    assert [number for _, (number, _) in sent] == [3, 3, 4, 9, 9, 10]
    assert [json.loads(given["data"].split(b"\n")[1])["n"] for given, _ in sent] == [1, 1, 2, 2, 1, 2]


def test_a_message_is_unwrapped_and_acknowledged_by_a_drawing_of_the_same_data(drawn):
    heard = []
    events, (number, answered) = drawn(on_command=heard.append)
    assert answered == 0
    say(events, "command", {"value": "play", "count": 7})
    events, (newer, answered) = drawn(on_command=heard.append)
    assert heard == ["play"]
    assert answered == 7
    assert newer > number
    assert drawn(on_command=heard.append)[1] == (newer, 7)
    assert drawn(key="other")[1][1] == 0


def test_the_highest_count_is_acknowledged(drawn):
    events, _ = drawn()
    say(events, "command", {"value": "play", "count": 9})
    say(events, "go", {"value": 3, "count": 8})
    assert drawn()[1][1] == 9


def test_also_what_no_listener_can_use_is_acknowledged_and_also_where_the_listener_ends_the_script(drawn):
    def end(_):
        raise SystemExit

    events, _ = drawn(on_go=end)
    say(events, "go", {"value": "far", "count": 3})
    assert drawn()[1][1] == 3
    say(events, "command", {"value": "play", "count": 4})  # nobody listens
    assert drawn()[1][1] == 4
    with pytest.raises(SystemExit):
        say(events, "go", {"value": 5, "count": 5})
    assert drawn()[1][1] == 5


@pytest.mark.parametrize("message", [
    None, "play", 3, [], ["play", 3], {}, {"value": "play"}, {"count": 3}, {"value": "play", "count": "3"},
    {"value": "play", "count": True}, {"value": "play", "count": 3.5}, {"value": "play", "count": math.nan},
    {"value": "play", "count": None}, {"value": "play", "count": [3]},
])  # fmt: skip
@pytest.mark.parametrize("event", ["command", "write"])
def test_what_has_another_form_is_neither_heard_nor_acknowledged(drawn, event, message):
    heard = []
    events, before = drawn(on_command=heard.append, on_write=lambda: heard.append("write"))
    say(events, event, message)
    assert heard == []
    assert drawn()[1] == before


def test_a_press_on_a_part_that_the_page_has_left_behind_breaks_nothing(drawn):
    events, before = drawn(on_command=print)
    events["on_command_change"]()  # st.session_state does not have it, as after a press just before the page was turned
    assert drawn()[1] == before


@pytest.fixture
def reruns(monkeypatch):
    """What is drawn again; of the fragments only ``there``."""
    wished = []

    def rerun(scope=None):
        wished.append(scope)
        if scope and "gone" in scope:
            raise StreamlitAPIException("No fragment found for target 'gone'.")

    monkeypatch.setattr(st, "rerun", rerun)
    return wished


@pytest.mark.parametrize(("before", "now", "keys", "wished"), [
    (None, None, (), []), ("training", "training", (), []), ("training", "unrolled", (), [None]),
    ("training", "training", ("bar", "chart"), [["bar", "chart"]]), ("training", "training", ("gone",), [["gone"], None]),
])  # fmt: skip
def test_what_is_drawn_again_once_something_was_heard(drawn, reruns, before, now, keys, wished):
    """The page, where it was turned just after the press: Streamlit hears it, but has nothing to draw."""
    st.session_state["open_page"] = before
    events, _ = drawn(on_command=lambda _: reruns.clear(), reruns=keys)
    st.session_state["open_page"] = now
    say(events, "command", {"value": "play", "count": 1})
    assert reruns == wished


def test_nothing_is_drawn_again_where_nothing_was_heard(drawn, reruns):
    events, _ = drawn(on_command=print, reruns=("bar",))
    say(events, "command", {"value": 3, "count": 1})
    say(events, "command", "play")
    assert reruns == []


@pytest.mark.parametrize(("state", "triggers", "heard"), [
    ({"move": {"value": {"name": "tau"}, "count": 3}}, None, [("move", {"name": "tau"})]),
    ({}, [{"event": "press", "value": {"value": "play", "count": 4}}], [("press", "play")]),
    ({"move": {"value": 1, "count": 3}}, [{"event": "press", "value": {"value": "play", "count": 4}}, {"event": 7}, 1],
     [("move", 1), ("press", "play")]),
    ({}, None, []),
])  # fmt: skip
def test_what_streamlit_presents_as_the_state_of_a_component_is_read(monkeypatch, state, triggers, heard):
    present = make_bidi_component_presenter("events", "bar", {"move", "press"})
    shown = present(BidiComponentSerde().deserialize(json.dumps(state)), SimpleNamespace(_new_widget_state=Widgets(triggers)))
    monkeypatch.setattr(st, "session_state", {"bar": shown})
    said = []
    for event in ("move", "press"):
        _hearer("bar", event, object, lambda value, event=event: said.append((event, value)), lambda: None)()
    assert said == heard


class Widgets(dict):
    """Streamlit's store of what its widgets hold, with the events of one component."""

    def __init__(self, triggers):
        super().__init__({"events": deserialize_trigger_list(json.dumps(triggers))})
        self.widget_metadata = {"events": SimpleNamespace(value_type="json_trigger_value")}


def test_half_a_character_is_replaced_wherever_text_is_heard():
    assert told("a\ud800b", str) == ("a\ufffdb",)
    assert told({"text": "\udc00", "serial": 1}, {"text": str, "serial": int}) == ("\ufffd", 1)
