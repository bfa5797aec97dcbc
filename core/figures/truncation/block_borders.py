"""Borders between the blocks of a truncated window in the drawing of the unrolled network, and what they keep, in words."""

import math
from collections.abc import Sequence
from typing import TypedDict

from core.figures.parts.backward import Border
from core.figures.parts.numbers import count, percent, short

CARRY, RESET, NO_CUT = "carry", "reset", "no cut"
MODES = ((CARRY, "carry h, cut dh"), (RESET, "reset h"), (NO_CUT, "no cut"))
STOPS = (1, 2, 3, 5, 8, 13, 20, 35)


class Kept(TypedDict):
    """How much is kept, large, and in words of the sizes and of the cells."""

    number: str
    says: str
    detail: str


def borders(T: int, tau: int, mode: str) -> list[Border]:
    """What happens between two blocks of tau steps: the state is handed on or reset, the gradient is cut."""
    if mode == NO_CUT:
        return []
    forward = "reset" if mode == RESET else "carried"
    return [Border(after=t, forward=forward, backward="cut", name=f"h{t}") for t in range(tau, T, tau)]


def cut_sentence(T: int, tau: int, mode: str, reach: float) -> str:
    """What to notice, and what is special about this tau. ``reach``: steps that a loss goes back on average."""
    if mode == NO_CUT:
        return "No cut: every loss reaches back to the first step."
    if tau >= T:
        length = "the whole window" if tau == T else f"longer than this window of {T}"
        return f"τ = {tau} is {length}: nothing is cut, every loss reaches back to the first step."
    text = (
        f"The state is handed on from block to block (stateful training). On average a loss reaches back {_steps(reach)}; "
        "the first loss of a block reaches no earlier state."
    )
    if mode == RESET:
        text = (
            f"Every {_steps(tau)} the state is set to zero: nothing crosses a border in either direction, so nothing is dropped."
        )
    elif tau == 1:
        text = "τ = 1: no loss reaches an earlier state. W_hh learns only to use the state it is handed, never to write one."
    return text + (f" {T} is no multiple of {tau}: the last block has {_steps(T % tau)}." if T % tau else "")


def scheme_words(scheme: str, tau: int, k1: int, reach: float) -> str:
    """What the triangle shows, and by which scheme. ``reach``: steps that a loss goes back on average."""
    triangle = "A row for every loss, a column for every state it could reach; sizes in nats per unit of h."
    above = "the drawing above is cut in blocks, as in training."
    if scheme == "window":
        return f"{triangle} Here every loss keeps its newest {_steps(tau)}, {_steps(reach)} back on average; {above}"
    if scheme == "tbptt":
        newest = "newest loss goes" if k1 == 1 else f"newest {k1} losses go"
        every = "step" if k1 == 1 else f"{k1} steps"
        return f"{triangle} Here the {newest} back {_steps(tau)} every {every}; {above}"
    return triangle


def _steps(many: float) -> str:
    return f"{short(float(f'{many:.3g}'))} step{'s' * (many != 1)}"


def kept_words(share: float) -> str:
    """The kept share in large type; 100 % is said of the whole alone."""
    if not math.isfinite(share):
        return "–"
    return "100 %" if share == 1 else percent(min(share, 0.999), 1 if share > 0.99 else 0)


def kept_panel(share: float, first: Sequence[int], mode: str) -> Kept:
    """With the state reset the rest is zero."""
    if mode == RESET:
        return {"number": kept_words(1.0), "says": "of all sizes", "detail": "the others are exactly zero"}
    T = len(first)
    cells = sum(t - k + 1 for t, k in zip(range(1, T + 1), first, strict=True))
    return {"number": kept_words(share), "says": "of all sizes", "detail": f"{count(cells)} of {count(T * (T + 1) // 2)} cells"}
