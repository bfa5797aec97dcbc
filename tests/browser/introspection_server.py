"""``python -m tests.browser.introspection_server PORT run dashboard.py ...``: Streamlit, and a second server on that port.

It answers what the page of the newest session should show, recomputed from the parameters of the run as it is or as it was at
the moment that is shown (``/``), and how the run of every session is (``/runs``). It can block the process
(``/hold?seconds=1``) and wait longer for the browser of a tab that is loaded again (``/patience?seconds=30``).

The computation is written a second time here, in float64 and step by step, from the equations alone (D2L 8.4.5 to 8.4.8).
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

from core.analysis.perplexity import read_typed
from core.text.corpus import source_of

ROUNDING = 2.0**-24  # of a number, to float32
PHI = {"tanh": np.tanh, "relu": lambda a: np.maximum(a, 0), "sigmoid": lambda a: 1 / (1 + np.exp(-a))}


def losses(
    params: Any, tokens: np.ndarray, targets: np.ndarray, h: np.ndarray, phi: str, seed: int = 0
) -> tuple[np.ndarray, np.ndarray]:
    """-log p(target) of every token of a window (T, N), in nats, and the state after it; from the state ``h`` (N, H).

    With a ``seed`` every parameter is moved by one rounding, up or down at random.
    """
    weights = {name: array.astype(np.float64) for name, array in params.named().items()}
    if seed:
        rng = np.random.default_rng(seed)
        weights = {name: array * (1 + ROUNDING * rng.choice((-1, 1), array.shape)) for name, array in weights.items()}
    nats = []
    for now, target in zip(tokens, targets, strict=True):
        x = weights["W_emb"][now] @ weights["W_xh"] if "W_emb" in weights else weights["W_xh"][now]
        h = PHI[phi](x + h @ weights["W_hh"] + weights["b_h"])
        logits = h @ weights["W_hq"] + weights["b_q"]
        shifted = logits - logits.max(axis=1, keepdims=True)
        nats.append(np.log(np.exp(shifted).sum(axis=1)) - shifted[np.arange(len(target)), target])
    return np.stack(nats), h


def shown_params(stage: Any) -> Any:
    """The parameters of the run, of the present or of the moment that is shown."""
    past = stage.past
    return past.moment.params if past else stage.watched.trainer.params


def held_out(stage: Any, seed: int = 0) -> float:
    """Perplexity of the held-out text: exp(total nats / total tokens)."""
    settings, params, nats = stage.settings, shown_params(stage), []
    h = zeros = None
    for tokens, targets in stage.watched.held_out._windows:
        zeros = np.zeros((tokens.shape[1], params.hidden_size))
        own, after = losses(params, tokens, targets, zeros if h is None else h, settings.activation, seed)
        h = after if settings.carry_state else None
        nats.append(own)
    return float(np.exp(sum(each.sum() for each in nats) / sum(each.size for each in nats)))


def rounding(stage: Any, exact: float) -> float:
    """Nats a token by which rounding the parameters can move the perplexity: in a chaotic network every digit counts."""
    return max(abs(math.log(held_out(stage, seed) / exact)) for seed in (1, 2, 3))


def unrolled(stage: Any) -> list[float]:
    """Perplexity up to each step of the text that Unrolled shows; nothing unless the run's network reads it."""
    found = stage.found.get("unrolled")
    if found is None or (found.what[0], found.progress) != (stage.watched.serial, stage.progress):  # of this run, as it is
        return []
    u, params = found.result, shown_params(stage)
    own, _ = losses(params, u.tokens[:, None], u.targets[:, None], np.zeros((1, params.hidden_size)), stage.settings.activation)
    return np.exp(np.cumsum(own) / np.arange(1, len(own) + 1)).tolist()


def surprise(stage: Any, text: str) -> float:
    """Perplexity of a text as Surprise reads it: its first token is given; nan where it has no other."""
    cleaning = stage.settings.cleaning if source_of(stage.settings).cleaned else "keep"
    ids = read_typed(text, stage.corpus.tokenizer, cleaning=cleaning).tokens()[:, None]
    if len(ids) < 2:
        return math.nan
    params = shown_params(stage)
    own, _ = losses(params, ids[:-1], ids[1:], np.zeros((1, params.hidden_size)), stage.settings.activation)
    return float(np.exp(own.mean()))


def page_numbers(text: str) -> dict[str, Any]:
    """What the newest session should show, with this text typed in Surprise. Ask while the run is paused."""
    session = get_instance()._session_mgr.list_active_sessions()[-1].session
    stage, own = session.session_state["stage"], "perplexity" in session.session_state
    own = own and session.session_state["perplexity"]["model"] == "live"
    published = stage.snapshot().view.perplexity
    with np.errstate(all="ignore"):
        exact = held_out(stage)
        differs = math.isfinite(exact) and math.isfinite(published) and not math.isclose(exact, published, rel_tol=1e-3)
        return {
            "state": stage.snapshot().state,
            "update": stage.update,
            "page": stage.page,
            "held_out": exact,
            "published": published,
            "rounding": rounding(stage, exact) if differs else 0.0,
            "unrolled": unrolled(stage),
            "surprise": surprise(stage, text) if own else math.nan,
        }


def runs() -> list[dict[str, Any]]:
    """The run of every session that Streamlit has, connected or not."""
    runtime = get_instance()
    kept = [info.session for info in runtime._session_mgr.list_sessions() if "stage" in info.session.session_state]
    return [{"connected": runtime.is_active_session(one.id), **_how(one.session_state["stage"])} for one in kept]


def _how(stage: Any) -> dict[str, Any]:
    seen = stage.run.snapshot()
    what = {"serial": stage.watched.serial, "ghosts": len(stage.ghosts), "own_text": stage.own_text}
    return what | {"update": stage.watched.step, "state": seen.state, "reason": seen.reason}


def hold(seconds: float) -> None:
    """Block the process: no training, no page, no answer to the browser."""
    ctypes.PyDLL(None).usleep(int(seconds * 1e6))


def set_patience(seconds: float) -> None:
    """Wait so long for the browser to send the names that its tab has: the machine may be busy."""
    from pages.ui import tab

    tab.PATIENCE = seconds


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        asked = urlsplit(self.path)
        given = {name: values[0] for name, values in parse_qs(asked.query).items()}
        answers = {
            "/": lambda: page_numbers(given.get("text", "")),
            "/runs": runs,
            "/hold": lambda: hold(float(given["seconds"])),
            "/patience": lambda: set_patience(float(given["seconds"])),
        }
        nats = json.dumps(answers[asked.path]()).encode()
        self.send_response(200)
        self.end_headers()
        self.wfile.write(nats)

    def log_message(self, *_: object) -> None:
        """Nothing: the log is Streamlit's."""


if __name__ == "__main__":
    server = HTTPServer(("127.0.0.1", int(sys.argv.pop(1))), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    main()
