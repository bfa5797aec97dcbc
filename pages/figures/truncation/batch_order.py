"""The mini-batches as a drawing, and the effect of their order on the perplexity.

The text is one long bar; below it, each row shows the previous, the current and the next block.
"""

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, TypedDict

from core.analysis.mini_batches import MiniBatches
from core.config.language import gettext as _, lazy_gettext, listed, sentences
from core.training.curves import Point
from pages.figures.parts.axes import log_axis_between, updates_axis
from pages.figures.parts.chart import BEST_DASH, Curve, Figure, chart, level_curve
from pages.figures.parts.numbers import count, number, subscript
from pages.figures.parts.style import DRAWING_WIDTH, GUTTER, NETWORK_RIGHT
from pages.figures.parts.symbols import fitted, visible

BAR_Y, BAR_HEIGHT = 30, 26
LANES_Y, LANE, BLOCK_HEIGHT = 112, 74, 34  # px: y of the first lane, distance between lanes, height of a block
MOST_LANES = 4  # rows drawn; of more, the first two and the last two
GAP = 44  # px between two blocks, for the arrow of the carried state
MAX_LABELLED_ROWS = 6  # rows, at most, whose starts are labelled
CELL, CHARACTER = 22, 8.6  # px: width of a cell, at least; width of a character of the code font
ORDERS = {"in order": lazy_gettext("in order"), "shuffled": lazy_gettext("shuffled")}
TONES = {"in order": ("forward", "solid"), "shuffled": ("cut", "6px 4px")}


class Lane(TypedDict):
    """A row of the mini-batch."""

    y: int
    name: str


class Block(TypedDict):
    """The tokens of a block: one per cell if there is room, else as many as fit in ``text``; and their range in the text."""

    cells: list[str]
    text: str
    where: str


class BatchFrame(TypedDict):
    """One update: for each row its span on the long bar [left edge, width], for each lane its block."""

    update: int
    spans: list[tuple[float, float]]
    blocks: list[Block]
    where: str
    caption: str
    handed: list[str]


class MiniBatchesDrawing(TypedDict):
    """Every listed update as a drawing, in px. A lane has three blocks; the state is carried from one to the next, even if the
    next block comes from another part of the text."""

    size: list[int]
    bar: list[int]  # left, top, width, height
    block: list[float]
    blocks_x: list[float]
    ends: list[str]
    starts: list[tuple[float, str]]
    lanes: list[Lane]
    skipped: int  # number of rows without a lane
    cells: int
    frames: list[BatchFrame]
    follows: list[bool]  # whether a frame shows the update right after that of the frame before
    in_order: bool
    pace: int  # ms


def mini_batches_drawing(m: MiniBatches, symbols: Mapping[int, str] | None, *, in_order: bool) -> MiniBatchesDrawing:
    """``symbols[place]`` is the token at this place of the text; without symbols the numbers of the places are shown."""
    T, N = m.places.shape[1:]
    lanes = list(range(N)) if N <= MOST_LANES else [0, 1, N - 2, N - 1]
    width = round((DRAWING_WIDTH - GUTTER - NETWORK_RIGHT - 2 * GAP) / 3, 1)
    return {
        "size": [DRAWING_WIDTH, LANES_Y + LANE * (len(lanes) - 1) + BLOCK_HEIGHT + 34],
        "bar": [GUTTER, BAR_Y, DRAWING_WIDTH - GUTTER - NETWORK_RIGHT, BAR_HEIGHT],
        "block": [width, BLOCK_HEIGHT],
        "blocks_x": [GUTTER, GUTTER + width + GAP, GUTTER + 2 * (width + GAP)],
        "ends": ["0", _("{pairs} pairs ({tokens} tokens)", pairs=count(m.length), tokens=count(m.length + 1))],
        "starts": _starts(m) if in_order else [],
        "lanes": [{"y": LANES_Y + LANE * i, "name": _("row {row}", row=row + 1)} for i, row in enumerate(lanes)],
        "skipped": N - len(lanes),
        "cells": T if width / T >= CELL else 0,
        "frames": [
            {
                "update": update,
                "spans": [_span(start, T, m.length) for start in places[0].tolist()],
                "blocks": [_block(places[:, row], symbols, width) for row in lanes],
                "where": _where(update, m.per_epoch),
                "caption": _sentence(update, places, m, in_order=in_order),
                "handed": [_state(update * T), _state((update + 1) * T)],
            }
            for update, places in zip(m.updates.tolist(), m.places, strict=True)
        ],
        "follows": [True, *[b - a == 1 for a, b in pairwise(m.updates.tolist())]],
        "in_order": in_order,
        "pace": 900,
    }


def _starts(m: MiniBatches) -> list[tuple[float, str]]:
    """The x where each row begins, px, and its label; the label is empty if it does not fit."""
    marks, last = [], -100.0
    for row, start in enumerate(m.starts.tolist()):
        x, words = _x(start, m.length), ""
        if len(m.starts) <= MAX_LABELLED_ROWS and x - last >= 58 and x < DRAWING_WIDTH - NETWORK_RIGHT - 40:
            words, last = _("row {row}: {place}", row=row + 1, place=count(start)), x
        marks.append((x, words))
    return marks


def _x(place: float, length: int) -> float:
    return round(GUTTER + place / length * (DRAWING_WIDTH - GUTTER - NETWORK_RIGHT), 1)


def _span(start: int, T: int, length: int) -> tuple[float, float]:
    """Left edge and width of a block on the long bar, px; wide enough to be visible."""
    x = _x(start, length)
    return x, max(round(_x(min(start + T, length), length) - x, 1), 2.5)


def _block(places: Any, symbols: Mapping[int, str] | None, width: float) -> Block:
    T = len(places)
    words = [visible(symbols[place]) if symbols is not None else str(place) for place in places.tolist()]
    longest, where = max(map(len, words)), f"{count(int(places[0]))} – {count(int(places[-1]))}"
    cells, text = [], where
    if width / T >= CELL:
        small = width / T - 2 < longest * CHARACTER
        cells, text = [fitted(word, width / T - 2, 12 if small else 14) for word in words], ""
    elif symbols is not None:
        text = fitted(("" if longest == 1 else " ").join(words), width - 12, 14)
    return {"cells": cells, "text": text, "where": where}


def _state(step: int) -> str:
    return f"h{subscript(step)}"


def _where(update: int, per_epoch: int) -> str:
    epoch, of_it = divmod(update, per_epoch)
    return _("epoch {epoch}, update {update} of {updates}", epoch=epoch + 1, update=of_it + 1, updates=count(per_epoch))


def counted_from_zero(T: int) -> str:
    """The carried states, also as Deep Learning from Scratch 2 numbers them (from 0), in two sentences."""
    theirs, ours = (listed([_state(times * T - back) for times in (1, 2)]) for back in (1, 0))
    return sentences(
        _("The state is handed on from update to update: this is called stateful training."),
        _("Deep Learning from Scratch 2 counts steps from 0: its {theirs} are {ours} here.", theirs=theirs, ours=ours),
    )


def _sentence(update: int, places: Any, m: MiniBatches, *, in_order: bool) -> str:
    T = len(places)
    values = {"n": update + 1, "state": _state(update * T)}
    if update == 0:
        return sentences(_("Update 1: every row begins with a state of zeros."), _beginnings(m, in_order=in_order))
    if not in_order:
        return _("Update {n}: {state} is handed on to a block of another place: there it is noise.", **values)
    if update * T % m.length < T and update >= m.per_epoch:
        return _("Update {n}: every row has read the whole text, and begins again where it began.", **values)
    home = (places.min(axis=0) < T).tolist()
    if any(home):
        values["row"] = home.index(True) + 1
        return _(
            "Update {n}: row {row} came to the end of the text and returns to its head, with the state that it has.", **values
        )
    if update == m.per_epoch:
        return _("Update {n}: the first epoch is over. Every row goes on where the next one began.", **values)
    return _("Update {n}: each row goes on where it stopped; {state} is handed on, its gradient is not.", **values)


def _beginnings(m: MiniBatches, *, in_order: bool) -> str:
    """A sentence on where the rows begin; empty for a single row."""
    *others, last = map(count, m.starts.tolist()[:MAX_LABELLED_ROWS])
    if not others:
        return ""
    starts = {"others": ", ".join(others), "last": last + ", …" * (len(m.starts) > MAX_LABELLED_ROWS)}
    if in_order:
        apart = count(int(m.starts[1] - m.starts[0]))
        return _("The rows begin at pairs {others} and {last}, {apart} apart.", **starts, apart=apart)
    return _("The rows begin at pairs {others} and {last}.", **starts)


def order_figure(
    judged: Mapping[str, Sequence[Point]], *, chosen: str, floor: float | None, updates: int, V: int, on_training_text: bool
) -> Figure:
    """The perplexity of both orders over updates, both axes logarithmic; the curve of the chosen order is thicker."""
    x = updates_axis(updates, _("updates of each (log scale)"))
    curves = []
    for name, points in judged.items():
        perplexities, words = [point.perplexity for point in points], _(ORDERS[name])
        label = f"<b>{words}</b> {number(perplexities[-1])}" if points else ""
        width = 4.5 if name == chosen else 2.5
        curves.append(Curve(words, [point.update for point in points], perplexities, *TONES[name], width, label=label))
    seen = [value for curve in curves for value in curve.y if math.isfinite(value)] + [float(V)]
    if floor:
        label = _("best possible {perplexity}", perplexity=number(floor))
        curves.append(level_curve(_("best possible"), floor, x, "positive", BEST_DASH, text=label, label=label))
        seen.append(0.97 * floor)
    title = _("perplexity, held-out in order (log scale)")
    if on_training_text:
        title = _("perplexity, training text in order (log scale)")
    y = log_axis_between(title, 0.955 * min(seen), 1.1 * max(seen))
    return chart(curves, x, y, right=128)


def order_label(judged: Mapping[str, Sequence[Point]]) -> str:
    """The chart in words."""
    in_order, other = (number(judged[name][-1].perplexity) for name in ORDERS)
    return _("in order: perplexity {in_order}, shuffled: perplexity {shuffled}.", in_order=in_order, shuffled=other)
