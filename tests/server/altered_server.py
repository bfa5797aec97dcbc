"""``python -m tests.server.altered_server WORDS run dashboard.py ...``: Streamlit and the dashboard, altered by each word.

``slow-sending``: messages are sent every 0.3 s (Streamlit's default: every 0.005 s), as by a busy machine.
``slow-events``: the server's loop handles the events of a script 0.1 s late, as on a busy machine.
``slow-ends``: a thread that has run a script takes the next request 0.1 s late.
``unpatched``: without the workarounds of ``pages/app/streamlit_patches``.
``renamed``: every method that a workaround wraps is missing, as in a Streamlit that has renamed it.
``telling``: a line in the log for each connection that is created.
``failing``: the Training page raises an exception.
"""

import sys
import time
from collections.abc import Callable

from streamlit.runtime import runtime
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequest, ScriptRequests
from streamlit.web.cli import main

from pages.app import streamlit_patches
from pages.app.connection.connections import Connection
from pages.figures.training import readout

LATE = 0.1  # seconds
ERROR = "the readout failed"
CONNECTED = "a connection was created"


def send_slowly() -> None:
    runtime.MESSAGE_FLUSH_INTERVAL_SECS = 0.3


def handle_events_late() -> None:
    def later(session: AppSession, do: Callable[[], None]) -> None:
        loop = session._event_loop
        loop.call_soon_threadsafe(loop.call_later, LATE, do)

    AppSession._call_soon_on_event_loop = later


def take_requests_late() -> None:
    ready = ScriptRequests.on_scriptrunner_ready

    def late(requests: ScriptRequests) -> ScriptRequest:
        time.sleep(LATE)
        return ready(requests)

    ScriptRequests.on_scriptrunner_ready = late


def leave_out_patches() -> None:
    streamlit_patches.PATCHES = ()


def rename_methods() -> None:
    streamlit_patches.PATCHES = tuple(patch._replace(method=f"{patch.method}_renamed") for patch in streamlit_patches.PATCHES)


def tell_connections() -> None:
    create = Connection.__init__

    def creating(connection: Connection) -> None:
        print(CONNECTED, flush=True)
        create(connection)

    Connection.__init__ = creating


def fail_to_draw() -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError(f"{ERROR} {sys.executable}")

    readout.readout = fail


ALTERATIONS = {
    "slow-sending": send_slowly,
    "slow-events": handle_events_late,
    "slow-ends": take_requests_late,
    "unpatched": leave_out_patches,
    "renamed": rename_methods,
    "telling": tell_connections,
    "failing": fail_to_draw,
}

if __name__ == "__main__":
    while sys.argv[1] in ALTERATIONS:
        ALTERATIONS[sys.argv.pop(1)]()
    main(prog_name="streamlit")
