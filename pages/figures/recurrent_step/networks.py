"""The same text through a network without and one with a hidden state."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple, TypedDict

import numpy as np

from core.analysis.recurrent_step import AfterText, probability_moved
from core.config.language import gettext as _, lazy_gettext, rich_text, sentences
from pages.content.notation import FIRST_SOURCE, in_notation
from pages.figures.parts.numbers import count, in_hundred, number
from pages.figures.parts.style import Pieces
from pages.figures.parts.symbols import visible

LAST = 5  # tokens drawn as columns
STRIP = 16  # units of a strip
FAVOURITES = 5  # tokens whose probability is written out
SEEN = 3  # of these, in a scene that is presented
WITHOUT = [["H = φ(X W_{xh} + b_h)   ", ""], ["O = H W_{hq} + b_q", ""]]  # φ is replaced by the name of the activation
WITH = [["H_t = φ(X_t W_{xh} + ", ""], ["H_{t−1} W_{hh}", "lit"], [" + b_h)   ", ""], ["O_t = H_t W_{hq} + b_q", ""]]
CAPTIONS = {  # key: whether the network has a state
    False: lazy_gettext(
        "Feed-forward: a hidden layer lies between input and output, within one step. Random pairs of a token and its target are "
        "enough to train it."
    ),
    True: lazy_gettext(
        "Recurrent: the same numbers are a hidden state, which goes on to the next step as one of its inputs. So the pairs are "
        "read in order."
    ),
}


class ReadToken(TypedDict):
    """A token, and the first units of the state after it, scaled to -1 ... 1."""

    token: str
    cells: list[float]


class NetworkSide(TypedDict):
    """One network. A prediction: token, its probability (as a length from 0 to 1, as text), and both again after a swap."""

    title: str
    formula: Pieces
    label: str
    caption: str
    state: bool
    columns: list[ReadToken]
    predictions: list[tuple[str, float, str, float, str]]
    perplexity: list[str]
    verdict: Pieces


class NetworksDrawing(TypedDict):
    """One text, as written and with a ``pair`` of its tokens swapped, read by both networks."""

    kind: str
    before: list[str]
    after: list[str]
    pair: list[int]
    sides: list[NetworkSide]


class Judged(NamedTuple):
    """A network's perplexity, its label (held-out or training text), and the number of updates of its training."""

    perplexity: float
    what: str
    updates: int


def networks_drawing(
    symbols: Sequence[str], pair: tuple[int, int] | None, without: tuple[AfterText, AfterText],
    with_state: tuple[AfterText, AfterText], *, vocabulary: Sequence[str], kind: str, judged: tuple[Judged, Judged],
    memory: float, activation: str, notation: str = FIRST_SOURCE,
) -> NetworksDrawing:  # fmt: skip
    """The same text read by both networks, as written and with the ``pair`` of tokens swapped: (before, after) for each.

    Without a pair, both texts are as written, and the verdict asks the reader to swap two tokens.
    """
    formulas = [
        [[text.replace("φ", activation), tone] for text, tone in in_notation(formula, notation)] for formula in (WITHOUT, WITH)
    ]
    after = list(symbols)
    if pair:
        after[pair[0]], after[pair[1]] = symbols[pair[1]], symbols[pair[0]]
    swapped = () if not pair else (symbols[pair[0]], symbols[pair[1]])
    moved = int(np.abs(np.nan_to_num(with_state[1].p - with_state[0].p)).argmax()) if pair else None
    share = in_hundred(memory)
    shares = _("The state gives {share} % of the last pre-activation; input and bias give the rest.", share=share)
    return {
        "kind": kind,
        "before": [visible(symbol) for symbol in symbols],
        "after": [visible(symbol) for symbol in after],
        "pair": list(pair or ()),
        "sides": [
            _side(_("Without a state"), formulas[0], _("hidden layer"), False, symbols, without, vocabulary, bool(pair), moved)
            | {"perplexity": _perplexity(judged[0], lazy_gettext("{judged}, trained for this page to update {update}"))}
            | {"verdict": _verdict(without, kind, swapped)},
            _side(_("With a state"), formulas[1], _("hidden state"), True, symbols, with_state, vocabulary, bool(pair))
            | {"perplexity": _perplexity(judged[1], lazy_gettext("{judged}, the network at update {update}"))}
            | {"verdict": _verdict(with_state, kind, swapped, shares)},
        ],
    }


def _side(
    title: str, formula: Pieces, label: str, state: bool, symbols: Sequence[str], read: tuple[AfterText, AfterText],
    vocabulary: Sequence[str], swapped: bool, also: int | None = None,
) -> dict[str, Any]:  # fmt: skip
    """``also``: a token that is among the first ``SEEN`` of those written out, if need be instead of the last of these."""
    before, after = read
    after_swap = after.p if swapped else np.full_like(after.p, np.nan)
    h = np.nan_to_num(before.h[-LAST:, :STRIP])
    scale = max(float(np.abs(h).max(initial=0)), 1e-9)
    best = np.argsort(-np.nan_to_num(np.fmax(before.p, after_swap)), kind="stable")[:FAVOURITES]
    if also is not None and also not in best[:SEEN]:
        best = np.array([*best[: SEEN - 1], also, *[i for i in best[SEEN - 1 :] if i != also]])[:FAVOURITES]
    return {
        "title": title,
        "formula": formula,
        "label": label,
        "caption": _(CAPTIONS[state]),
        "state": state,
        "columns": [
            {"token": visible(symbol), "cells": [round(float(value) / scale, 2) for value in column]}
            for symbol, column in zip(symbols[-LAST:], h, strict=True)
        ],
        "predictions": [
            (visible(vocabulary[i]), *_share(before.p[i]), *_share(after_swap[i])) for i in best.tolist()
        ],
    }  # fmt: skip


def _share(p: float) -> tuple[float, str]:
    """A probability as a length from 0 to 1 and as text."""
    return (0.0, "–") if math.isnan(p) else (round(float(p), 4), _("{n} %", n=in_hundred(p)))


def _perplexity(judged: Judged, which: str) -> list[str]:
    return [number(judged.perplexity), _(which, judged=judged.what, update=count(judged.updates))]


def _verdict(read: tuple[AfterText, AfterText], kind: str, swapped: tuple[str, ...], after: str = "") -> Pieces:
    """How far the swap of these two symbols moved the prediction; then the sentence ``after``, in the tone "more"."""
    amount = probability_moved(*read)
    if math.isnan(amount):
        moved = _("<strong>Its numbers are no longer finite.</strong>")
    elif not swapped:
        moved = _("<strong>Swap two {kind}s: does the prediction change?</strong>")
    elif swapped[0] == swapped[1]:
        moved = _("<strong>These two {kind}s are alike: nothing was swapped.</strong>")
    elif amount == 0:
        moved = _("<strong>The prediction does not move at all</strong>: it sees only the last {kind}.")
    else:
        moved = _("<strong>The prediction moves: {share} % of the probability</strong> goes to other tokens.")
    share = in_hundred(amount) if amount >= 0.001 else number(100 * amount, 2)
    return rich_text(sentences(moved, after and f"<more>{after}</more>"), kind=_(kind), share=share)
