"""A network on a text, and all of it that does not depend on tau: found once, asked as often as a hand moves."""

import hashlib
from typing import NamedTuple

from core.analysis.backward import go_back
from core.analysis.gradient_flow import gradient_flow
from core.analysis.truncation import Cells, Truncated, blocks
from core.analysis.unrolled import Reading, Unrolled, unroll
from core.models.params import Params
from core.training.live_run import compute
from pages.ui.reading import Network, name_of, network_of, reading_of
from pages.ui.state import Stage

PAGE = "truncation"
LARGEST = 1024  # units: the cells of a larger state would take too long


class Look(NamedTuple):
    """A network, a text, and all that does not depend on tau."""

    key: tuple
    network: Network
    reading: Reading
    forward: Unrolled
    cells: Cells | None
    whole: Truncated | None  # blocks of tau = 1 ... T beside the whole gradient
    name: str


def look_at(here: Stage, view: dict, text: str, typed: str, which: str) -> Look:
    """The chosen network on the chosen text; what was found is kept until one of them is another."""
    chosen = network_of(here, text, which)
    reading = reading_of(here, PAGE, text, typed, chosen.tokenizer, chosen.settings.cleaning)
    weights = hashlib.blake2b(chosen.params.flat.tobytes(), digest_size=16).digest()
    name, how = name_of(reading, which), chosen.settings.activation
    key = (weights, name, how)
    found = view.get("look")
    if found and found.key == key:
        return found._replace(reading=reading)
    with compute():
        u = unroll(chosen.params, reading.tokens, reading.targets, activation=how)
        cells, whole = None, None
        if chosen.params.hidden_size <= LARGEST:
            cells, whole = blocks_compared(chosen.params, u)
    view["look"] = Look(key, chosen, reading, u, cells, whole, name)
    return view["look"]


def blocks_compared(params: Params, u: Unrolled) -> tuple[Cells, Truncated]:
    """The cells of this network on the text of ``u``, and blocks of tau = 1 ... T beside the whole gradient."""
    b, T = go_back(params, u.tokens, u.targets, activation=u.activation), len(u.tokens)
    cells = Cells(b.trace, gradient_flow(b.trace.params, b.trace, b.gradients, vectors=True))
    return cells, cells.compare([blocks(T, tau) for tau in range(1, T + 1)])
