"""What a session has drawn is sent in one go: all of it, in order, with few turns of the server's loop."""

from hypothesis import given
from hypothesis import strategies as st
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.runtime import Runtime

from pages.ui.in_one_go import MOST, send_in_one_go


@given(st.integers(0, 5 * MOST))
def test_every_message_is_sent_once_and_in_order_and_the_loop_seldom_turns(number):
    drawn, sent, turns = list(range(number)), [], 0
    flush, send = AppSession.flush_browser_queue, Runtime._send_message
    AppSession.flush_browser_queue = lambda _session: drawn
    Runtime._send_message = lambda _runtime, _to, message: sent.append(message)
    try:
        send_in_one_go()
        for portion in AppSession.flush_browser_queue(None):  # as the runtime does it, which then lets the loop turn
            Runtime._send_message(None, None, portion)
            turns += 1
    finally:
        AppSession.flush_browser_queue, Runtime._send_message = flush, send
    assert sent == drawn
    assert turns <= number / MOST + 1
