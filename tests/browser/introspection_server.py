"""``python -m tests.browser.introspection_server PORT run dashboard.py ...``: Streamlit, and a second server on that port.

``/`` returns the numbers that the page of the newest session should show, recomputed from the run's current parameters or from
those at the displayed moment; ``/runs`` returns the state of every session's run. ``/hold?seconds=1`` blocks the process;
``/patience?seconds=30`` sets how long the server waits until a reloaded tab has sent its sessions' names.
"""

import ctypes
import json
import math
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import numpy as np
from streamlit.runtime import get_instance
from streamlit.web.cli import main

from core.analysis.displayed_text import read_typed
from core.analysis.perplexity import surprise
from core.analysis.unrolled import unroll
from core.models.loss import perplexity_of
from core.models.sampling import RnnReader
from core.text.corpus import source_of


def page_numbers(text: str) -> dict[str, Any]:
    """The numbers that the newest session should show, with ``text`` typed in Surprise. Call it only while the run is paused."""
    session = get_instance()._session_mgr.list_active_sessions()[-1].session
    stage, own = session.session_state["session"], "perplexity" in session.session_state
    own = own and session.session_state["perplexity"]["model"] == "live"
    moment = past.moment if (past := stage.past) else None
    params, settings = (moment.params, moment.settings) if moment else (stage.monitored.trainer.params, stage.settings)
    with np.errstate(all="ignore"):
        return {
            "state": stage.snapshot().state,
            "update": stage.update,
            "page": stage.navigation.page,
            "held_out": perplexity_of(stage.monitored.held_out.judge(params, settings)),
            "unrolled": unrolled(stage, params),
            "surprise": perplexity_of_text(stage, params, text) if own else math.nan,
        }


def unrolled(stage: Any, params: Any) -> list[float]:
    """Perplexity up to each step of the text on Unrolled; empty unless computed with the run's network at its current update."""
    found = stage.cache.get("unrolled")
    if found is None or (found.key[0], found.progress) != (stage.monitored.serial, stage.progress):  # of this run, and current
        return []
    u = found.result
    return unroll(params, u.tokens, u.targets, activation=stage.settings.activation).running_perplexity


def perplexity_of_text(stage: Any, params: Any, text: str) -> float:
    """Perplexity of a text as in Surprise: its first token is given; nan if it has no other token."""
    cleaning = stage.settings.cleaning if source_of(stage.settings).cleaned else "keep"
    ids = read_typed(text, stage.corpus.tokenizer, cleaning=cleaning).tokens()
    return surprise(RnnReader(params.copy(np.float64), stage.settings.activation), ids).perplexity if len(ids) > 1 else math.nan


def runs() -> list[dict[str, Any]]:
    """The run of every Streamlit session, connected or not."""
    runtime, found = get_instance(), []
    for session in [info.session for info in runtime._session_mgr.list_sessions() if "session" in info.session.session_state]:
        stage = session.session_state["session"]
        run = {
            "connected": runtime.is_active_session(session.id),
            "serial": stage.monitored.serial,
            "update": stage.monitored.step,
        }
        seen = stage.run.snapshot()
        found.append(run | {"state": seen.state, "reason": seen.reason})
    return found


def hold(seconds: float) -> None:
    """Block the process: no training, no drawing, no answers to the browser."""
    ctypes.PyDLL(None).usleep(int(seconds * 1e6))


def set_patience(seconds: float) -> None:
    """Set how long the server waits for the session names in a tab's storage: the machine may be busy."""
    from pages.app.connection import tab_identity

    tab_identity.PATIENCE = seconds


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        url = urlsplit(self.path)
        given = {name: values[0] for name, values in parse_qs(url.query).items()}
        answers = {
            "/": lambda: page_numbers(given.get("text", "")),
            "/runs": runs,
            "/hold": lambda: hold(float(given["seconds"])),
            "/patience": lambda: set_patience(float(given["seconds"])),
        }
        answer = json.dumps(answers[url.path]()).encode()
        self.send_response(200)
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_: object) -> None:
        """Log nothing: the log contains Streamlit's messages only."""


if __name__ == "__main__":
    server = HTTPServer(("127.0.0.1", int(sys.argv.pop(1))), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    main()
