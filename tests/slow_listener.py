"""``python -m tests.slow_listener run dashboard.py ...``: Streamlit, but scripts are heard late, as by a busy machine."""

from collections.abc import Callable

from streamlit.runtime.app_session import AppSession
from streamlit.web.cli import main

SECONDS = 0.1  # until it is heard; as Streamlit comes, as soon as the server has time


def _late(session: AppSession, do: Callable[[], None]) -> None:
    loop = session._event_loop
    loop.call_soon_threadsafe(loop.call_later, SECONDS, do)


if __name__ == "__main__":
    AppSession._call_soon_on_event_loop = _late
    main(prog_name="streamlit")
