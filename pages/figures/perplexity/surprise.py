"""A text coloured by the surprise of a model, a bar for every token, and the selected token in numbers.

Surprise is -ln p in nats. It is sent in whole hundredths, as IMPOSSIBLE for a token of probability 0; shades are hundredths
of the sequential scale.
"""

import math
from collections.abc import Sequence
from typing import TypedDict

import numpy as np
from jaxtyping import Float

from core.analysis.displayed_text import Typed
from core.config.language import gettext as _
from core.text.tokenizer import Tokenizer
from pages.figures.parts.axes import log_fraction
from pages.figures.parts.numbers import count, decimals, number
from pages.figures.parts.symbols import visible_inline
from pages.figures.perplexity import surprise_numbers
from pages.figures.perplexity.number import axis_end
from pages.figures.perplexity.surprise_numbers import ModelOutput

IMPOSSIBLE = -1
FLOOR, CEILING = 0.1, 10.0  # nats that have the lightest and the darkest shade, on a log scale
SHADES = (10, 94)  # of the sequential scale, for FLOOR and CEILING
TICKS = 4  # horizontal lines across the bars, about
LEAST_TOP = 4.0  # nats at the top of the bars, at least


class TextDrawing(TypedDict):
    """A text exactly as typed. A piece: [characters before a symbol that belong to no symbol, the symbol]."""

    text: str
    pieces: list[list[str]]
    columns: list[int]  # indices of the pieces that are tokens, in order
    symbols: list[str]  # the symbols of the columns in visible characters
    tail: str  # the text after the last piece, which was not read


class Difference(TypedDict):
    """The surprise of the other model minus that of the model, per token, in hundredths of a nat."""

    gain: list[int]
    top: int
    words: str


class SurpriseDrawing(TextDrawing):
    """The data of the component, in hundredths of a nat; ``running`` in thousandths of a log axis; a tick is (height, label)."""

    nats: list[int]
    shades: list[int]
    beside: list[int]
    difference: Difference | None
    names: list[str]
    top: int
    ticks: list[tuple[int, str]]
    running: list[int]
    running_words: list[str]
    running_top: str
    picked: int
    number: surprise_numbers.NumberWords
    table: surprise_numbers.SurpriseTable
    share: surprise_numbers.ShareWords


def surprise_drawing(
    typed: Typed, model: ModelOutput, other_model: ModelOutput | None, picked: int, tokenizer: Tokenizer, kind: str
) -> SurpriseDrawing:
    """``picked`` is the index of the selected token among those of the text, from 1 on.

    ``kind`` is the name of a token: "character".
    """
    outputs = [model, other_model] if other_model else [model]
    top = top_of([output.surprise.nats for output in outputs])
    running = model.surprise.running.tolist()
    running_top = axis_end(running)
    return {
        **text_drawing(typed),
        "nats": nats_hundredths(model.surprise.nats),
        "shades": list(map(shade, model.surprise.nats.tolist())),
        "beside": nats_hundredths(other_model.surprise.nats) if other_model else [],
        "difference": difference(model, other_model) if other_model else None,
        "names": [_(output.name) for output in outputs],
        "top": round(100 * top),
        "ticks": _ticks(top),
        "running": [round(1000 * log_fraction(value, running_top, math.log10(running_top))) for value in running],
        "running_words": list(map(number, running)),
        "running_top": number(running_top, 2),
        "picked": picked,
        "number": surprise_numbers.number_words(model, other_model, tokenizer, kind),
        "table": surprise_numbers.table(typed, model, other_model, picked, tokenizer),
        "share": surprise_numbers.share_words(typed, model, other_model, picked, kind),
    }


def text_drawing(typed: Typed) -> TextDrawing:
    ends = [0, *(piece.end for piece in typed.pieces)]
    tokens = [i for i, piece in enumerate(typed.pieces) if piece.id is not None]
    return {
        "text": typed.text,
        "pieces": [[typed.text[end : p.start], typed.text[p.start : p.end]] for end, p in zip(ends, typed.pieces, strict=False)],
        "columns": tokens,
        "symbols": [visible_inline(typed.pieces[i].symbol) for i in tokens],
        "tail": typed.text[ends[-1] :],
    }


def cut_words(typed: Typed, length: int, kind: str) -> str:
    """A sentence if only the beginning of a text of ``length`` characters was read, else empty."""
    if typed.whole:
        return ""
    values = {"n": count(len(typed.pieces)), "kind": _(kind), "length": count(length)}
    return _("Only the first {n} {kind}s are read; the whole text has {length} characters.", **values)


def nats_hundredths(nats: Float[np.ndarray, " L"]) -> list[int]:
    """Losses in whole hundredths of a nat, to send few bytes to the browser."""
    return [IMPOSSIBLE if math.isinf(value) else round(100 * value) for value in nats.tolist()]


def shade(nats: float) -> int:
    """The shade of a surprise, within ``SHADES``."""
    low, high = SHADES
    return round(low + (high - low) * log_fraction(nats, CEILING, math.log10(CEILING / FLOOR)))


def top_of(all_nats: Sequence[Float[np.ndarray, " L"]]) -> float:
    """The top of an axis for these surprises, in nats: a round number, so that the axis seldom changes."""
    finite = np.concatenate([nats[np.isfinite(nats)] for nats in all_nats])
    top = LEAST_TOP
    while top < finite.max(initial=0.0):
        top *= 1.5 if math.log2(top).is_integer() else 4 / 3
    return top


def _ticks(top: float) -> list[tuple[int, str]]:
    """Heights in hundredths of a nat and labels of the lines across the bars."""
    step = next((step for step in (1, 2, 5, 10, 20, 50, 100, 500) if top / step <= TICKS + 2), top)
    return [(round(100 * value), f"{value:g}") for value in np.arange(0, top + 1e-9, step).tolist()]


def difference(model: ModelOutput, other_model: ModelOutput) -> Difference:
    with np.errstate(all="ignore"):
        gain = np.nan_to_num(other_model.surprise.nats - model.surprise.nats, nan=0.0, posinf=1e6, neginf=-1e6)
    top = top_of([np.abs(gain[np.abs(gain) < 1e6])])
    total, tokens = float(gain.sum()), len(gain)
    numbers = {
        "nats": decimals(abs(total), 1),
        "model": _(other_model.name),
        "each": decimals(abs(total) / tokens),
        "n": int((gain > 0).sum()),
        "tokens": count(tokens),
    }
    if total > 0:
        compared = _("in total {nats} nats less than {model}, {each} per token; less on {n} of {tokens}", **numbers)
    else:
        compared = _("in total {nats} nats more than {model}, {each} per token; less on {n} of {tokens}", **numbers)
    gain = [round(100 * min(max(value, -top), top)) for value in gain.tolist()]
    return {"gain": gain, "top": round(100 * top), "words": compared}
