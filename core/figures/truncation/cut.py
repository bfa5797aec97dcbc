"""The cut in the drawing of the unrolled network, and curves over tau: which way the truncated gradient points, and its size."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from jaxtyping import Float

from core.analysis.truncation import WEIGHTS
from core.figures.parts.backward import Border
from core.figures.parts.numbers import count, number, percent, short

CARRY, RESET, NO_CUT = "carry", "reset", "no cut"
MODES = ((CARRY, "carry h, cut dh"), (RESET, "reset h"), (NO_CUT, "no cut"))
WIDTH, HEIGHT = 286, 182  # px of a chart
LEFT, RIGHT, TOP, BOTTOM = 44, 10, 10, 42  # px around the plot
LINES = {"W_hh": ("", 3.5), "W_xh": ("7 4", 2.5), "b_h": ("2 4", 2.5)}  # dash and width, the thickest first
PRINTED = {"W_hh": "W_{hh}", "W_xh": "W_{xh}", "b_h": "b_{h}"}
STOPS = (1, 2, 3, 5, 8, 13, 20, 35)
LABEL_ROOM = 22  # px between two ticks


def borders(T: int, tau: int, mode: str) -> list[Border]:
    """What happens between two blocks of tau steps: the state is handed on or reset, the gradient is cut."""
    if mode == NO_CUT:
        return []
    forward = "reset" if mode == RESET else "carried"
    return [Border(after=t, forward=forward, backward="cut", name=f"h{t}") for t in range(tau, T, tau)]


def sentence(T: int, tau: int, mode: str, reach: float) -> str:
    """What to notice, and what is special about this tau. ``reach``: steps that a loss goes back on average."""
    if mode == NO_CUT:
        return "No cut: every loss reaches back to the first step."
    if tau >= T:
        length = "the whole window" if tau == T else f"longer than this window of {T}"
        return f"τ = {tau} is {length}: nothing is cut, every loss reaches back to the first step."
    said = (
        f"The state is handed on from block to block (stateful training). On average a loss reaches back {_steps(reach)}; "
        "the first loss of a block reaches no earlier state."
    )
    if mode == RESET:
        said = (
            f"Every {_steps(tau)} the state is set to zero: nothing crosses a border in either direction, so nothing is dropped."
        )
    elif tau == 1:
        said = "τ = 1: no loss reaches an earlier state. W_hh learns only to use the state it is handed, never to write one."
    if T % tau:
        said += f" {T} is no multiple of {tau}: the last block has {_steps(T % tau)}."
    return said


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


def tau_chart(
    values: Float[np.ndarray, "T 3"],
    taus: Sequence[int],
    chosen: int,
    *,
    title: str,
    says: str,
    y_title: str,
    low: float | None = None,
) -> dict[str, Any]:
    """Curves of W_hh, W_xh and b_h over tau = 1 ... T, in px, and where they are ringed at every stop of a slider.

    ``taus`` are those of the stops, ``chosen`` is the stop where it stands. ``low`` is the foot of the axis.
    """
    T, finite = len(values), values[np.isfinite(values)]
    ends = _ends(float(finite.min(initial=1.0)) if low is None else low, float(finite.max(initial=1.0)))
    columns = [values[:, WEIGHTS.index(name)].tolist() for name in LINES]
    return {
        "size": [WIDTH, HEIGHT],
        "plot": [LEFT, TOP, WIDTH - RIGHT, HEIGHT - BOTTOM],
        "title": title,
        "says": says,
        "axes": ["truncation length τ", y_title],
        "lines": [
            {"name": PRINTED[name], "said": name, "dash": dash, "width": width, "path": _path(column, ends)}
            for (name, (dash, width)), column in zip(LINES.items(), columns, strict=True)
        ],
        "x": [[_along(t, T), str(t)] for t in _tick_values(T)],
        "y": [[_height(value, ends), f"{value:.{2 if ends[1] - ends[0] < 0.25 else 1}f}"] for value in _levels(*ends)],
        "stops": [_stop(min(tau, T), columns, ends) for tau in taus],
        "chosen": chosen,
    }


def _path(column: Sequence[float], ends: tuple[float, float]) -> str:
    points = [(_along(t, len(column)), _height(value, ends)) for t, value in enumerate(column, start=1) if math.isfinite(value)]
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in points) if points else ""


def _stop(tau: int, columns: Sequence[Sequence[float]], ends: tuple[float, float]) -> dict[str, Any]:
    """One stop of the slider: where it stands, and for every curve the height of its ring and its value in words."""
    here = [column[tau - 1] for column in columns]
    return {
        "tau": str(tau),
        "at": _along(tau, len(columns[0])),
        "rings": [_height(value, ends) if math.isfinite(value) else None for value in here],
        "values": [number(value, 3) for value in here],
    }


def _ends(low: float, high: float) -> tuple[float, float]:
    """Rounded outwards, to tenths (to fiftieths where all lies close together)."""
    unit = 0.1 if high - low > 0.2 else 0.02
    low, high = math.floor(low / unit + 1e-9) * unit, math.ceil(high / unit - 1e-9) * unit
    return (round(low, 4), round(high if high > low else low + unit, 4))


def _levels(low: float, high: float) -> list[float]:
    """Round numbers from end to end, six at most."""
    step = next(step for step in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 1e9) if (high - low) / step <= 5.01)
    return [round(i * step, 2) for i in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]


def _along(t: int, T: int) -> float:
    """A logarithmic axis: what matters happens at small tau."""
    share = math.log(t) / math.log(T) if T > 1 else 0.5
    return round(LEFT + 10 + share * (WIDTH - LEFT - RIGHT - 20), 1)


def _height(value: float, ends: tuple[float, float]) -> float:
    share = (value - ends[0]) / (ends[1] - ends[0])
    return round(HEIGHT - BOTTOM - min(max(share, 0.0), 1.0) * (HEIGHT - BOTTOM - TOP), 1)


def _tick_values(T: int) -> list[int]:
    """The stops and the whole window, without those that would stand too close together."""
    kept: list[int] = [T]
    for stop in reversed([stop for stop in STOPS if stop < T]):
        if _along(kept[-1], T) - _along(stop, T) >= LABEL_ROOM:
            kept.append(stop)
    return kept[::-1]


def kept_panel(share: float, first: Sequence[int], mode: str) -> dict[str, str]:
    """How much is kept, in words: of the sizes, and of the cells. With the state reset the rest is zero."""
    if mode == RESET:
        return {"number": kept_words(1.0), "says": "of all sizes", "detail": "the others are exactly zero"}
    T = len(first)
    cells = sum(t - k + 1 for t, k in zip(range(1, T + 1), first, strict=True))
    return {"number": kept_words(share), "says": "of all sizes", "detail": f"{count(cells)} of {count(T * (T + 1) // 2)} cells"}
