"""The perplexity of a text, and the most probable tokens and the actual token at one position of it, in numbers."""

import math
from dataclasses import dataclass
from typing import TypedDict

import numpy as np
from jaxtyping import Float

from core.analysis.displayed_text import Typed
from core.analysis.perplexity import Surprise
from core.analysis.unrolled import exponentials, most_probable
from core.config.language import gettext as _
from core.text.tokenizer import Tokenizer
from pages.figures.parts.numbers import count, decimals, number, share
from pages.figures.parts.run_card import meaning
from pages.figures.parts.symbols import shortened, visible_inline

BEST = 5  # most probable tokens in the table, which has one more row: the actual next token or the next most probable one
BEFORE = 6  # symbols before the selected one
ROOM = 24  # characters of these symbols, at most: the last ones matter most


class NumberWords(TypedDict):
    """The perplexity, its meaning, and [name, perplexity] of other models."""

    number: str
    as_if: str
    kinds: str
    others: list[list[str]]


class TableRow(TypedDict):
    """A token; ``came``: whether it is the actual next token."""

    symbol: str
    score: str
    exp: str
    share: float
    p: str
    beside: str
    came: bool


class SurpriseTable(TypedDict):
    """The most probable tokens after the symbols ``after``, and the actual next token."""

    heads: list[str]
    beside: str
    after: str
    more: bool
    rows: list[TableRow]


class ShareWords(TypedDict):
    """The selected token in numbers: p, 1/p, -ln p, and its share of the total surprise."""

    symbol: str
    p: str
    choices: str
    nats: str
    percent: str
    of: str
    share: float
    beside: str


@dataclass(frozen=True, eq=False)
class ModelOutput:
    """The output of one model for a text: its surprise, and its scores and probabilities at the selected position.

    ``logits``: the scores are logits; otherwise they are ln p.
    """

    name: str
    surprise: Surprise
    scores: Float[np.ndarray, " V"]
    p: Float[np.ndarray, " V"]
    logits: bool = True


def number_words(model: ModelOutput, other_model: ModelOutput | None, tokenizer: Tokenizer, kind: str) -> NumberWords:
    value, V = model.surprise.perplexity, tokenizer.size
    others = [[_(other_model.name), number(other_model.surprise.perplexity)]] if other_model else []
    if "uniform" not in (model.name, other_model.name if other_model else ""):
        others.append([_("uniform"), number(float(V))])
    impossible = math.isinf(value) and np.isinf(model.surprise.nats).any()
    never = _("one token had probability 0:"), _("nothing makes up for that")
    as_if, kinds = never if impossible else meaning(value, V, kind)
    return {"number": number(value), "as_if": as_if, "kinds": kinds, "others": others}


def table(typed: Typed, model: ModelOutput, other_model: ModelOutput | None, picked: int, tokenizer: Tokenizer) -> SurpriseTable:
    """The most probable tokens and the actual next token: score, exponential, probability, and the other model's probability."""
    tokens = typed.known
    actual = tokens[picked].id
    best = most_probable(model.p, BEST + 1)
    listed = best if actual in best else [*best[:BEST], actual]
    exps, shifted = exponentials(model.scores)
    symbols = tokenizer.symbols(listed)
    before = "".join(
        visible_inline(piece.symbol) + " " * (tokenizer.unit == "word") for piece in tokens[max(0, picked - BEFORE) : picked]
    )
    return {
        "heads": [_("logit") if model.logits else "ln p", _("exp, relative") if shifted else "exp", _("probability")],
        "beside": _(other_model.name) if other_model else "",
        "after": before[-ROOM:],
        "more": picked > BEFORE or len(before) > ROOM,
        "rows": [
            {
                "symbol": shortened(symbol),
                "score": decimals(float(model.scores[token]), sign=True),
                "exp": number(float(exps[token]), 3),
                "share": share(float(model.p[token])),
                "p": number(float(model.p[token])),
                "beside": number(float(other_model.p[token])) if other_model else "",
                "came": token == actual,
            }
            for symbol, token in zip(symbols, listed, strict=True)
        ],
    }


def share_words(typed: Typed, model: ModelOutput, other_model: ModelOutput | None, picked: int, kind: str) -> ShareWords:
    symbol = typed.known[picked].symbol
    nats, part = float(model.surprise.nats[picked - 1]), float(model.surprise.shares[picked - 1])
    other = float(other_model.surprise.nats[picked - 1]) if other_model else math.nan
    percent = _("all of the surprise") if math.isinf(nats) else _("{n} % of all surprise", n=number(100 * part, 2))
    return {
        "symbol": shortened(symbol),
        "p": number(math.exp(-nats)),
        "choices": number(math.exp(nats)) if nats < 700 else "∞",
        "nats": decimals(nats),
        "percent": percent,
        "of": _("from 1 of {n} {kind}s", n=count(len(model.surprise.nats)), kind=_(kind)),
        "share": float(math.isinf(nats)) or share(part),
        "beside": _("{model}: {n} nats", model=_(other_model.name), n=decimals(other)) if other_model else "",
    }
