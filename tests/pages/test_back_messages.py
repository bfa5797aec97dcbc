"""States of what is no widget are removed from a browser's message, and no message reaches other sessions."""

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg

from pages.app.streamlit_patches.back_messages import check_messages

EVENTS = "$$STREAMLIT_INTERNAL_KEY_"  # how the id of a widget's events begins
WIDGETS = ("$$ID-0123-run_card", f"{EVENTS}$$ID-0123-run_card__events", "$$ID-0123-a_button")


def handled(message: BackMsg) -> list[BackMsg]:
    messages: list[BackMsg] = []
    check_messages(lambda session, msg: messages.append(msg))(None, message)
    return messages


@pytest.mark.parametrize("name", ["", "training", "session", "$$ID", EVENTS, EVENTS + "training"])
def test_what_is_no_widget_gets_nothing(name):
    message = BackMsg()
    for one in (name, *WIDGETS, name):
        message.rerun_script.widget_states.widgets.add(id=one, string_value="x")
    (left,) = handled(message)
    assert tuple(state.id for state in left.rerun_script.widget_states.widgets) == WIDGETS


@pytest.mark.parametrize(("kind", "handles"), [
    ("clear_cache", False), ("set_run_on_save", False), ("app_heartbeat", True), ("stop_script", True),
])  # fmt: skip
def test_no_session_can_clear_the_shared_caches(kind, handles):
    assert handled(BackMsg(**{kind: True})) == [BackMsg(**{kind: True})] * handles
