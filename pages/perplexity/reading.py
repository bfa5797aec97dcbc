"""The live run reads a stretch of text that it was not trained on; its losses are kept until the run has moved on."""

import time
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
import streamlit as st

from core.figures.parts.numbers import count
from core.figures.parts.symbols import kind_of
from core.models.sampling import Reader, RnnReader, score_pairs
from core.text.corpus import Stream
from core.training.turns import compute
from pages.ui.state import Stage

STRETCH = 8192  # tokens, at most
WORK = 1_000_000_000  # multiplications that reading the stretch may take: about a quarter of a second
AT_ONCE = 50_000_000  # multiplications for which the right to compute is held: about 20 ms
REST = 20.0  # a result is not renewed before this many times what it took
SHORTEST_REST = 3.0  # seconds
Result = TypeVar("Result")


def stretch(here: Stage) -> Stream:
    """The beginning of the held-out text, as much of it as this network reads in good time; of the training text without one."""
    stream = here.watched.held_out.source
    length = max(min(STRETCH, WORK // _work(here), len(stream)), min(2, len(stream)))
    return stream[:length]


def where(here: Stage, tokens: int) -> str:
    """Which text that is, in words."""
    part = "training" if here.watched.held_out.on_training_text else "held-out"
    return f"the first {count(tokens)} {kind_of(here.corpus)}s of the {part} text"


def network(here: Stage) -> RnnReader:
    """The live run as it is now."""
    return RnnReader(here.run.params(), here.settings.activation)


def losses(here: Stage, model: Reader, stream: Stream) -> np.ndarray:
    """-ln p of every target of a stream read from its beginning to its end, (L,), nats; everybody else may compute in between."""
    length, state, parts = max(AT_ONCE // _work(here), 16), None, []
    for start in range(0, len(stream), length):
        part = slice(start, start + length)
        here.run.heartbeat()  # this session's card cannot, as long as this runs
        with compute(), np.errstate(all="ignore"):
            nats, state = score_pairs(model, stream.inputs[part], stream.targets[part], state)
        parts.append(nats)
    return np.concatenate(parts)


def live_losses(here: Stage) -> np.ndarray:
    """Those of the live run on its stretch."""
    return of_run(here, "losses", lambda: losses(here, network(here), stretch(here)))


def of_run(here: Stage, name: str, make: Callable[[], Result], *more: Any) -> Result:
    """``make()`` for the run as it is now. While it trains, a result may be some seconds old: so looking slows nothing down."""
    kept = st.session_state.setdefault("perplexity_of_run", {})
    update = here.run.snapshot().view.point.update
    same = (here.settings.carry_state, *more)
    if name in kept:
        run, seen, what, due, result = kept[name]
        if run is here.run and what == same and (seen == update or (here.run.playing and time.monotonic() < due)):
            return result
    began = time.monotonic()
    result = make()
    now = time.monotonic()
    kept[name] = here.run, update, same, now + max(SHORTEST_REST, REST * (now - began)), result
    return result


def _work(here: Stage) -> int:
    """Multiplications for one token."""
    settings, V = here.settings, here.corpus.tokenizer.size
    return settings.hidden_size * (settings.hidden_size + settings.embedding_size + V)
