"""The gate: what a browser sends is looked at before anything keeps it.

Streamlit keeps what it is told of a widget and reads it later: what cannot be read then ends every script of that session, until
its page is loaded again. And it lets any visitor clear what all share, which would pause everybody's run.
"""

import json
from functools import wraps

from streamlit import runtime
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.runtime.app_session import AppSession

from core.training.live_run import how_many_train
from pages.ui.answers import came
from pages.ui.looks import looks
from pages.ui.share import Shares

JSON = {"json_value": dict, "json_trigger_value": list}  # what components send, and what has to be in it
NOT_FOR_VISITORS = ("clear_cache", "set_run_on_save")


def put_up_gate() -> None:
    """From now on every message to this process passes it. Once per process."""
    handle = AppSession.handle_backmsg

    def hear(session: AppSession, message: BackMsg) -> None:
        if runtime.get_instance().is_active_session(session.id):  # what was held back may come after its tab has gone
            handle(session, message)
            came(session.id)

    shares = Shares(hear, lambda: looks.drawing, how_many_train)

    @wraps(handle)
    def look_first(session: AppSession, message: BackMsg) -> None:
        if let_in(session, message):
            shares.hear(session, message)

    AppSession.handle_backmsg = look_first


def let_in(session: AppSession, message: BackMsg) -> bool:
    """Whether the server should hear this; what cannot be read in it is taken out."""
    states = message.rerun_script.widget_states.widgets if message.HasField("rerun_script") else []
    expected = session.session_state._new_widget_state.widget_metadata if states else {}
    for place in reversed(range(len(states))):
        known = expected.get(states[place].id)
        if not readable(states[place], known and known.value_type):
            del states[place]
    return message.WhichOneof("type") not in NOT_FOR_VISITORS


def readable(state: WidgetState, kind: str | None) -> bool:
    """Whether it is of the widget's ``kind``, where that is known, and JSON where it has to be. An empty one always is."""
    sent = state.WhichOneof("value")
    if sent is None:
        return True
    return (kind is None or sent == kind) and (sent not in JSON or _is_json(getattr(state, sent), JSON[sent]))


def _is_json(text: str, kind: type) -> bool:
    try:
        return isinstance(json.loads(text), kind)
    except (ValueError, RecursionError):
        return False
