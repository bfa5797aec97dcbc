"""Ways to go on, ranked by how probable a model holds them: in total, and per token."""

import math
from collections.abc import Sequence
from typing import Any

from core.analysis.perplexity import Continuation
from core.figures.parts.numbers import count, number, precise
from core.figures.parts.symbols import brief
from core.models.loss import perplexity_of

NAMED = 6  # unknown symbols that are shown


def continuations_scene(
    model: Sequence[Continuation],
    beside: Sequence[Continuation],
    names: Sequence[str],
    *,
    own_from: int,
    unknown: bool,
    kind: str,
) -> dict[str, Any]:
    """Rows in the order of the list, each with its place in both rankings; ``beside`` is empty without another model.

    The texts from ``own_from`` on are the reader's. ``unknown``: symbols outside the vocabulary became ``<unk>``.
    """
    ranks = {by: _ranks([way(c) for c in model]) for by, way in WAYS.items()}
    tops = {by: _top([way(c) for c in [*model, *beside]]) for by, way in WAYS.items()}
    best = min((c.nats for c in model if c.count), default=math.nan)
    rows = [_row(c, best, tops, unknown=unknown) for c in model]
    for i, row in enumerate(rows):
        row["own"], row["rank"] = i >= own_from, {by: ranks[by][i] for by in WAYS}
        row["dash"] = _lengths(beside[i], tops) if beside else None
    return {"names": list(names), "kind": kind, "rows": rows}


WAYS = {"total": lambda c: c.nats, "token": lambda c: c.per_token}


def _row(c: Continuation, best: float, tops: dict[str, float], *, unknown: bool) -> dict[str, Any]:
    """What the model says of one text, by itself."""
    return {
        "text": c.text,
        "count": count(c.count),
        "bar": _lengths(c, tops),
        "total": precise(c.nats),
        "token": precise(c.per_token),
        "perplexity": number(perplexity_of(c.per_token)),
        "odds": _odds(c.nats - best) if c.count else "",
        "missing": _missing(c, unknown),
    }


def _lengths(c: Continuation, tops: dict[str, float]) -> dict[str, int]:
    return {by: _length(way(c), tops[by]) for by, way in WAYS.items()}


def _ranks(values: Sequence[float]) -> list[int]:
    """The place of each value from the smallest, 1; what is no number comes last."""
    order = sorted(range(len(values)), key=lambda i: math.inf if math.isnan(values[i]) else values[i])
    return [order.index(i) + 1 for i in range(len(values))]


def _top(values: Sequence[float]) -> float:
    return max((value for value in values if math.isfinite(value)), default=1.0) or 1.0


def _length(value: float, top: float) -> int:
    """Thousandths of a full bar."""
    return 0 if math.isnan(value) else round(1000 * min(value / top, 1.0))


def _odds(nats: float) -> str:
    """How much less probable than the best one."""
    if not nats > 0:
        return "" if nats == 0 else "–"
    if math.isinf(nats):
        return "impossible"
    return (
        f"{number(math.exp(nats), 2)} times less probable" if nats < 700 else f"10^{nats / math.log(10):.0f} times less probable"
    )


def _missing(c: Continuation, unknown: bool) -> str:
    if not c.missing:
        return ""
    named = " ".join(brief(symbol) for symbol in c.missing[:NAMED]) + " …" * (len(c.missing) > NAMED)
    if not c.count:
        return f"the model has never seen any of these symbols: {named}"
    return f"outside the vocabulary, read as <unk>: {named}" if unknown else f"never seen, left out: {named}"
