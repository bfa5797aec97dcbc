"""Three recurrent cells side by side, each opened: concatenate, fully connected + phi, copy (D2L 8.4, Fig. 8.4.1)."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
from jaxtyping import Float, Integer

from core.analysis.unrolled import Unrolled, most_probable, top_variance_units
from core.config.language import gettext as _, lazy_gettext
from core.models.params import Params
from pages.figures.parts.network import STRIP_UNITS
from pages.figures.parts.numbers import count, decimals, in_hundred
from pages.figures.parts.symbols import fitted
from pages.figures.recurrent_step.blocks import BlockCell, Box, CellGrid, DiagramDrawing, Wire, Words, times

STEPS = 3
PITCH, HEIGHT = 324, 226  # px of a cell
INPUT_CELLS = 11  # cells of an input vector, at most
STRIP, INPUT, STATE = 22, 44, 80  # px: width of a vector, height of an input and of a state
TOP = 34  # y of an input vector
COPY_X = 284  # x at which the new state is copied
STATE_TOP = TOP + INPUT + 4  # y of a state vector
STATE_WIRE_Y = STATE_TOP + STATE / 2  # y of the wire that passes the state on


def cells_drawing(u: Unrolled, params: Params, symbols: Sequence[str], vocabulary: Sequence[str]) -> dict[str, Any]:
    """A ``DiagramDrawing`` as a dict: the last three steps of a text as cells, with x above h as in [x, h]. ``symbols`` are the
    input tokens."""
    T = len(u.tokens)
    first = max(T - STEPS, 0)
    read = "".join(symbols[first:])
    label = _("Three cells side by side, which read “{text}”: each joins its input and the state of the step before.", text=read)
    drawing = DiagramDrawing([PITCH * STEPS, HEIGHT], label)
    units = top_variance_units(u.h[1:], STRIP_UNITS)
    states = _vectors(u.h[:, units], units, lazy_gettext("unit {i}: {value}"))
    inputs = input_vectors(params, u.tokens, INPUT_CELLS)
    for place, t in enumerate(range(first, T)):
        _add_cell(drawing, PITCH * place, t, (inputs[t], states[t], states[t + 1]), fitted(symbols[t], 40, 17), u.activation)
        best = most_probable(u.p[t], 1)[0]
        guess = f"{fitted(vocabulary[best], 28, 15)} {_('{n} %', n=in_hundred(u.p[t, best]))}"
        drawing.boxes.append(Box(PITCH * place + COPY_X, 16, 76, 28, [(guess, "code")]))
    drawing.wires.append(Wire([(PITCH * STEPS - 48, STATE_WIRE_Y), (PITCH * STEPS - 4, STATE_WIRE_Y)]))
    return asdict(drawing)


def _add_cell(drawing: DiagramDrawing, x: float, t: int, vectors: tuple[list, list, list], token: str, activation: str) -> None:
    """Add the cell of step ``t`` with its left edge at ``x``; all cells are drawn alike."""
    source, before, after = ([[cell] for cell in vector] for vector in vectors)  # as columns
    middle = TOP + (INPUT + 4 + STATE) / 2
    layer = [(line, "") for line in _("fully\nconnected").splitlines()]
    drawing.boxes += [
        Box(x + 34, TOP + INPUT / 2, 46, 30, [(token, "code")]),
        Box(x + 184, middle, 92, 84, [*layer, (f"+ {activation}", "strong")]),
    ]
    drawing.wires += [
        Wire([(x + 58, TOP + INPUT / 2), (x + 84, TOP + INPUT / 2)]),
        Wire([(x and x + 276 - PITCH, STATE_WIRE_Y), (x + 84, STATE_WIRE_Y)]),  # the first wire begins at the edge
        Wire([(x + 114, middle), (x + 136, middle)]),
        Wire([(x + 231, STATE_WIRE_Y), (x + 248, STATE_WIRE_Y)]),
        Wire([(x + COPY_X, STATE_WIRE_Y), (x + COPY_X, 32)]),
    ]
    drawing.grids += [
        CellGrid(x + 88, TOP, STRIP, INPUT / len(source), source, "input"),
        CellGrid(x + 88, STATE_TOP, STRIP, STATE / len(before), before, "memory"),
        CellGrid(x + 252, STATE_TOP, STRIP, STATE / len(after), after, "memory"),
    ]
    drawing.words += [
        Words(x + 12, TOP - 6, "x_{t}", "forward", step=t),
        Words(x + 20, STATE_WIRE_Y - 10, "h_{t-1}", step=t),
        Words(x + 99, HEIGHT - 44, "[x_{t}, h_{t-1}]", anchor="middle", step=t),
        Words(x + 263, HEIGHT - 44, "h_{t}", anchor="middle", step=t),
        Words(x + 99, HEIGHT - 22, _("concatenate"), "muted", "middle"),
        Words(x + COPY_X + 6, HEIGHT - 22, _("copy"), "muted", "middle"),
    ]


def cells_words(params: Params, activation: str) -> str:
    """The shapes within one cell, and the weights that all three share, in a sentence."""
    D, H = params.W_xh.shape
    return _(
        "[x, h]: 1×({D} + {H}) = {joined}; weights {weights}, the same in all cells; h: {state}. Then {activation}.",
        D=count(D),
        H=count(H),
        joined=times((1, D + H)),
        weights=times((D + H, H)),
        state=times((1, H)),
        activation=activation,
    )


def input_vectors(params: Params, tokens: Integer[np.ndarray, " T"], most: int) -> list[list[BlockCell]]:
    """Each token's input vector in at most ``most`` cells: one-hot, or the coordinates of the embedding that vary most."""
    if params.W_emb is None:
        return [_one_hot(token, params.vocab_size, min(params.vocab_size, most)) for token in tokens.tolist()]
    vectors = params.W_emb[tokens].astype(np.float64)
    shown = top_variance_units(vectors, most)
    return _vectors(vectors[:, shown], shown, lazy_gettext("number {i}: {value}"))


def _one_hot(token: int, V: int, cells: int) -> list[BlockCell]:
    """A one-hot vector of V places, shrunk to ``cells`` cells; the 1 is in the cell that covers its place."""
    tooltip = _("1 at place {place} of {V}, else 0", place=token + 1, V=V)
    return [("", float(cell == cells * token // V), tooltip) for cell in range(cells)]


def _vectors(values: Float[np.ndarray, "T U"], units: Integer[np.ndarray, " U"], tooltip: str) -> list[list[BlockCell]]:
    """Each row of ``values`` in cells, all on one colour scale; ``tooltip`` is a template for the unit's number and value."""
    finite = np.nan_to_num(values)
    scale = float(np.abs(finite).max(initial=0.0)) or 1.0
    return [
        [
            ("", round(float(value) / scale, 3), _(tooltip, i=i + 1, value=decimals(value, 2)))
            for i, value in zip(units, row, strict=True)
        ]
        for row in finite
    ]
