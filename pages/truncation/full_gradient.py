"""The results for a network and a text that do not depend on tau: computed once, reused when the slider moves."""

from typing import NamedTuple

from core.analysis.backward import backward_pass
from core.analysis.displayed_text import Reading
from core.analysis.truncation import Truncated, TruncationCells, blocks
from core.analysis.unrolled import Unrolled, unroll
from core.models.params import Params
from pages.app.panels.text_model_picker import Chosen, Network, cached_for_network, load_chosen
from pages.app.session.session import Session
from pages.app.session.session_cache import IMMEDIATE

LARGEST = 1024  # units: the cells of a larger state would take too long


class FullGradient(NamedTuple):
    """A network, a text, and the results that do not depend on tau."""

    network: Network
    reading: Reading
    name: str
    forward: Unrolled
    cells: TruncationCells | None
    whole: Truncated | None  # blocks of tau = 1 ... T compared with the whole gradient


def full_gradient(session: Session, chosen: Chosen) -> FullGradient:
    """The results for the chosen network and text, cached until one of them changes."""
    loaded = load_chosen(session, chosen)
    (params, _, settings, *_), reading, _ = loaded

    def found() -> tuple[Unrolled, TruncationCells | None, Truncated | None]:
        u = unroll(params, reading.tokens, reading.targets, activation=settings.activation)
        return u, *(blocks_compared(params, u) if params.hidden_size <= LARGEST else (None, None))

    return FullGradient(*loaded, *cached_for_network(session, "cells", found, loaded, refresh=IMMEDIATE))


def blocks_compared(params: Params, u: Unrolled) -> tuple[TruncationCells, Truncated]:
    """The cells of this network on the text of ``u``, and blocks of tau = 1 ... T compared with the whole gradient."""
    b, T = backward_pass(params, u.tokens, u.targets, activation=u.activation), len(u.tokens)
    cells = TruncationCells(b.trace, b.flow(vectors=True))
    return cells, cells.compare([blocks(T, tau) for tau in range(1, T + 1)])
