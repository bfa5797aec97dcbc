"""What a session has drawn is sent in one go.

Streamlit lets the server's loop turn once after every message, a hundred times for a page. At each turn the interpreter's lock
changes hands, and where pages are drawn meanwhile, the loop waits up to 5 ms until it has it back: a class would see its pages
seconds after they were drawn.
"""

from functools import wraps

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.runtime import Runtime
from streamlit.runtime.session_manager import ActiveSessionInfo

MOST = 50  # messages between two turns of the loop


def send_in_one_go() -> None:
    """From now on the loop turns once after so many messages. Once per process."""
    flush, send = AppSession.flush_browser_queue, Runtime._send_message

    @wraps(flush)
    def in_portions(session: AppSession) -> list[list[ForwardMsg]]:
        messages = flush(session)
        return [messages[first : first + MOST] for first in range(0, len(messages), MOST)]

    @wraps(send)
    def send_portion(runtime: Runtime, to: ActiveSessionInfo, portion: list[ForwardMsg]) -> None:
        for message in portion:
            send(runtime, to, message)

    AppSession.flush_browser_queue, Runtime._send_message = in_portions, send_portion
