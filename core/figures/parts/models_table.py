"""Counting against learning: one table of all models, on the pages Training and Perplexity."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from core.analysis.compression import LN_2
from core.analysis.position import Table
from core.config.language import gettext as _
from core.config.language import lazy_gettext
from core.figures.parts.numbers import count, number, superscript
from core.figures.parts.tables import Grid, Row, cell, grid, row
from core.models.loss import perplexity_of
from core.models.ngram import Baseline

PLAIN_BIGRAM = lazy_gettext("bigram, not smoothed")  # as a name apart from the bigram of ``core.models.ngram``, which is smoothed


class Network(NamedTuple):
    """The network in the table: what it is called, its parameters, and its mean loss in nats per token (nan: not told)."""

    name: str
    parameters: int
    nats: float = math.nan


def models_grid(baselines: Sequence[Baseline], network: Network, V: int, kind: str, plain: Table | None = None) -> Grid:
    """Every model judged on the same text: perplexity, bits per token, the numbers it stores, and those of a full table.

    ``plain`` are bigrams without smoothing, which stand beside those with it.
    """
    counted = [
        (_(b.name), b.perplexity, b.parameters, f"V{superscript(b.order)} = {count(b.table)}" if b.order else "1")
        for b in baselines
    ]
    if plain:
        counted.insert(3, (_(PLAIN_BIGRAM), plain.perplexity, plain.stored, f"V² = {count(V**2)}"))
    own = (network.name, perplexity_of(network.nats), network.parameters, _("the same for any n"))
    return grid(
        [_("model"), _("perplexity"), _("bits per {kind}", kind=_(kind)), _("numbers stored"), _("a full table")],
        [*(_model(*each, V=V) for each in counted), _model(*own, V=V, tone="forward")],
        label=_("Counting models and the network on the same text"),
    )


def _model(name: str, perplexity: float, stored: int, full: str, *, V: int, tone: str = "") -> Row:
    """A row; its bar is the share of the bits that guessing costs."""
    bits = math.log2(perplexity) if perplexity > 0 else math.nan
    share = 0.0 if math.isnan(bits) else min(bits * LN_2 / math.log(V), 1.0)
    shown = cell(number(perplexity), bar=share, tone="" if tone else "muted")
    return row(name, [shown, cell(number(bits)), cell(count(stored)), cell(full, tone="muted")], tone=tone)
