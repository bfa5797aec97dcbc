"""Continuations of a text, ranked by their probability under a model: in total, and per token."""

import math
from collections.abc import Sequence
from typing import TypedDict

from core.analysis.perplexity import Continuation
from core.config.language import gettext as _, lazy_gettext
from core.models.loss import perplexity_of
from pages.figures.parts.numbers import count, number, power
from pages.figures.parts.symbols import shortened

MILLION = 1e6  # from here on powers of ten
TINY = 700.0  # nats from which exp overflows
NAMED = 6  # unknown symbols that are shown
RANKINGS = {  # the measure in nats, and the words for the factor to the first text
    "total": (lambda c: c.nats, lazy_gettext("{factor} times less probable than the first")),
    "token": (lambda c: c.per_token, lazy_gettext("{factor} times the perplexity of the first")),
}


class Ranked(TypedDict):
    """The rank of a text by one measure, its bar, and the mark of the other model, both in thousandths of a full bar."""

    order: int
    rank: str
    bar: int
    dash: int | None
    behind: str


class ContinuationRow(TypedDict):
    """A text; ``chance``: its probability as "1 in so many". Without a probability it has no rank: ``missing`` is the reason."""

    text: str
    own: bool
    count: str
    total: str
    chance: str
    token: str
    perplexity: str
    missing: str
    by: dict[str, Ranked]


class ContinuationsDrawing(TypedDict):
    """Continuations, in the order of the list."""

    names: list[str]
    kind: str
    rows: list[ContinuationRow]


def continuations_drawing(
    model: Sequence[Continuation], other_model: Sequence[Continuation], names: Sequence[str], *, own_from: int, kind: str
) -> ContinuationsDrawing:
    """``other_model`` is empty without another model; the texts from ``own_from`` on are the reader's."""
    ranked = {
        by: _ranked([measure(c) for c in model], [measure(c) for c in other_model], what)
        for by, (measure, what) in RANKINGS.items()
    }
    ranked_at_all = any(c.count for c in model)  # else the notice says why, once
    rows = [
        {
            "text": c.text,
            "own": i >= own_from,
            "count": count(c.count) if c.count else "–",
            "total": number(c.nats),
            "chance": one_in(c.nats) if c.count else "",
            "token": number(c.per_token),
            "perplexity": number(perplexity_of(c.per_token)),
            "missing": "" if c.count else _missing(c) if ranked_at_all else _("not ranked"),
            "by": {by: places[i] for by, places in ranked.items()},
        }
        for i, c in enumerate(model)
    ]
    return {"names": [_(name) for name in names], "kind": kind, "rows": rows}


def one_in(nats: float) -> str:
    """A probability, from its −ln p, as "1 in 3 400"; never for p = 0."""
    if math.isinf(nats):
        return _("never")
    if nats > TINY:
        return _("1 in {n}", n=power(nats / math.log(10)))
    n = math.exp(nats)
    return _("1 in {n}", n=count(round(float(f"{n:.2g}"))) if 10 <= n < MILLION else number(n, 2))


def _ranked(values: Sequence[float], other_values: Sequence[float], what: str) -> list[Ranked]:
    order = sorted(range(len(values)), key=lambda i: (math.isnan(values[i]), values[i]))
    best = values[order[0]]
    top = max((value for value in [*values, *other_values] if math.isfinite(value)), default=1.0) or 1.0
    return [
        {
            "order": order.index(i),
            "rank": "–" if math.isnan(value) else str(order.index(i) + 1),
            "bar": _length(value, top),
            "dash": _length(other_values[i], top) if other_values and not math.isnan(value) else None,
            "behind": _behind(value - best, what),
        }
        for i, value in enumerate(values)
    ]


def _length(value: float, top: float) -> int:
    """Thousandths of a full bar."""
    return 0 if math.isnan(value) else round(1000 * min(value / top, 1.0))


def _behind(nats: float, what: str) -> str:
    """The comparison of a text with the first one, in words; empty for the first one, and for a text without a rank."""
    if not nats > 0:
        return ""
    if math.isinf(nats):
        return _("impossible for this model")
    return _(what, factor=number(math.exp(nats), 2) if nats < TINY else f"10^{nats / math.log(10):.0f}")


def _missing(c: Continuation) -> str:
    if not c.missing:
        return _("not ranked: nothing of it is a symbol for the model")
    symbols = " ".join(shortened(symbol) for symbol in c.missing[:NAMED]) + " …" * (len(c.missing) > NAMED)
    return _("not ranked: the model has no symbol for {symbols}", symbols=symbols)
