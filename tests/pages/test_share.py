"""One hand is heard at once, many as often as they may; nothing that was sent is lost or overtaken."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.proto.BackMsg_pb2 import BackMsg

from pages.ui.share import FREE, LONGEST, MOST_HELD, REST, Shares, replaces


class Session:
    def __init__(self) -> None:
        self.heard: list[tuple[float, str]] = []


class Server:
    """With a clock that the test moves, and a loop that does what is due."""

    def __init__(self, takes: float, train: int = 0) -> None:
        self.now, self.due = 0.0, []
        self.shares = Shares(self.hear, lambda: takes, lambda: train, lambda: self.now)

    def hear(self, session: Session, message: BackMsg) -> None:
        session.heard.append((self.now, message.rerun_script.query_string))

    def send(self, session: Session, message: BackMsg) -> None:
        self.shares.hear(session, message, self.later)

    def later(self, seconds: float, do: Callable[[], None]) -> None:
        self.due.append((self.now + seconds, do))

    def wait(self, seconds: float) -> None:
        until = self.now + seconds
        while ready := [one for one in self.due if one[0] <= until]:
            first = min(ready, key=lambda one: one[0])
            self.due.remove(first)
            self.now = max(self.now, first[0])
            first[1]()
        self.now = until


def moved(words: object = "", auto: bool = False) -> BackMsg:
    message = BackMsg()
    message.rerun_script.query_string, message.rerun_script.is_auto_rerun = str(words), auto
    return message


@given(
    st.integers(1, 12),
    st.floats(0.001, 1.0),
    st.integers(0, 60),
    st.lists(st.tuples(st.integers(0, 11), st.floats(0.0, 0.3), st.booleans()), max_size=80),
)
def test_all_that_is_sent_is_heard_in_order_and_soon(hands, takes, train, sent):
    server, sessions = Server(takes, train), [Session() for _ in range(hands)]
    told: dict[Session, list[tuple[float, str]]] = {session: [] for session in sessions}
    for number, (hand, seconds, auto) in enumerate(sent):
        server.wait(seconds)
        session = sessions[hand % hands]
        if auto:
            server.send(session, moved("look", auto=True))
            assert session.heard.pop() == (server.now, "look")  # looks have a pace of their own
        else:
            told[session].append((server.now, str(number)))
            server.send(session, moved(number))
    server.wait(LONGEST)
    for session in sessions:
        assert [what for _, what in session.heard] == [what for _, what in told[session]]
        assert all(heard <= sent + LONGEST for (heard, _), (sent, _) in zip(session.heard, told[session], strict=True))


@pytest.mark.parametrize("hands", range(1, FREE + 1))
def test_where_few_move_and_train_nobody_waits(hands):
    server, sessions = Server(1.0, train=FREE - hands), [Session() for _ in range(hands)]
    for _ in range(50):
        for session in sessions:
            server.send(session, moved())
            assert session.heard[-1][0] == server.now
        server.wait(0.03)


@pytest.mark.parametrize(("hands", "train"), [(20, 0), (20, 20), (FREE + 1, 0), (4, 16), (1, 30)])
def test_all_hands_together_are_drawn_for_in_their_share_of_the_time_and_all_alike(hands, train):
    takes = 0.02
    server, sessions = Server(takes, train), [Session() for _ in range(hands)]
    for _ in range(300):
        for session in sessions:
            server.send(session, moved())
        server.wait(1 / 30)
    server.wait(LONGEST)
    passed = [len({when for when, _ in session.heard}) for session in sessions]
    assert max(passed) - min(passed) <= 2
    assert sum(passed) * takes < 10 / (1 + REST) + 2 * hands * takes  # of 10 seconds


def test_what_is_held_back_is_not_without_end():
    server, sessions = Server(1.0), [Session() for _ in range(10)]
    for session in sessions:
        server.send(session, moved())
    for number in range(MOST_HELD + 1):
        server.send(sessions[0], moved(number))
    assert len(sessions[0].heard) == MOST_HELD + 2


def test_who_is_gone_is_forgotten():
    server = Server(1.0)
    for _ in range(100):
        server.send(Session(), moved())
    assert server.shares.gap() == 0


def told(value: dict[str, object], fragment: str = "a", name: str = "knob") -> BackMsg:
    message = moved()
    message.rerun_script.fragment_id = fragment
    message.rerun_script.widget_states.widgets.add(id=name, **value)
    return message


def test_only_where_the_same_knob_stood_before_is_left_out():
    stood, stands = told({"json_value": '{"move": 1}'}), told({"json_value": '{"move": 2}'})
    assert replaces(stands, stood)
    assert not replaces(told({"json_value": "{}"}, fragment="b"), stood)
    assert not replaces(told({"json_value": "{}"}, name="other"), stood)
    assert not replaces(stands, told({"json_trigger_value": "[]"}))
    server, sessions = Server(1.0), [Session() for _ in range(10)]
    for session in sessions:
        server.send(session, moved())
    pressed = told({"json_trigger_value": "[]"})
    for message in (stood, stands, pressed, pressed, stood):
        server.send(sessions[0], message)
    server.wait(LONGEST)
    assert len(sessions[0].heard) == 1 + 4
