"""Generated text token by token, and the effect of the temperature on the distribution of the next token."""

import math
from collections.abc import Sequence
from typing import TypedDict

from core.analysis.unrolled import most_probable
from core.analysis.writing import Sample, TemperatureEffect
from core.config.language import gettext as _
from core.text.tokenizer import Tokenizer
from pages.figures.parts.numbers import decimals, number, share, short
from pages.figures.parts.symbols import as_output, shortened, visible_inline

BARS = 10  # tokens of the distribution with a row each
LOW, HIGH, STOPS = 0.2, 10.0, 60  # of the temperature slider: its ends, and its steps on a log scale
TEMPERATURES = sorted({1.0, *(float(f"{LOW * (HIGH / LOW) ** (i / STOPS):.2g}") for i in range(STOPS + 1))})


class BentRow(TypedDict):
    """A token with its probability at temperature 1 and at another one: (length of the bar from 0 to 1, text)."""

    symbol: str
    plain: tuple[float, str]
    bent: tuple[float, str]


class BendDrawing(TypedDict):
    """The most probable next tokens, all others as one row, and both entropies."""

    at: str
    plain_entropy: str
    entropy: str
    highest: str
    rows: list[BentRow]


class WrittenText(TypedDict):
    """A step: index of its symbol, probability, index and probability of the most probable tokens in turn, entropy.

    Probabilities are in ten-thousandths, entropies in hundredths of a nat.
    """

    seed: int
    steps: list[tuple[int, int, list[int], int]]
    mean: str


class SamplesDrawing(TypedDict):
    """The texts so far; every symbol as part of a text, and in visible characters. ``joint`` is the separator of tokens."""

    texts: list[WrittenText]
    symbols: list[list[str]]
    joint: str


def samples_drawing(samples: Sequence[Sample], tokenizer: Tokenizer) -> SamplesDrawing:
    place: dict[int, int] = {}
    texts = [
        {
            "seed": sample.seed,
            "steps": [
                (
                    place.setdefault(step.token, len(place)),
                    round(1e4 * step.p),
                    [n for i, p in step.best for n in (place.setdefault(i, len(place)), round(1e4 * p))],
                    round(100 * step.entropy),
                )
                for step in sample.steps
            ],
            "mean": number(sum(step.entropy for step in sample.steps) / len(sample.steps)) if sample.steps else "–",
        }
        for sample in samples
    ]
    symbols = tokenizer.symbols(list(place))
    return {
        "texts": texts,
        "symbols": [[as_output(symbol), visible_inline(symbol)] for symbol in symbols],
        "joint": "" if tokenizer.unit == "char" else " ",
    }


def bend_drawing(b: TemperatureEffect, tokenizer: Tokenizer, temperature: float) -> BendDrawing:
    tokens = most_probable(b.plain, min(BARS, len(b.plain)))
    rows = [
        (shortened(symbol), float(b.plain[i]), float(b.scaled[i]))
        for symbol, i in zip(tokenizer.symbols(tokens), tokens, strict=True)
    ]
    others = len(b.plain) - len(tokens)
    if others:
        rest = [max(1 - sum(row[which] for row in rows), 0.0) for which in (1, 2)]
        rows.append((_("{n} more", n=others), *rest))
    return {
        "at": _("at temperature {n}", n=short(temperature)) if temperature else _("always the most probable"),
        "plain_entropy": entropy_words(b.plain_entropy),
        "entropy": entropy_words(b.scaled_entropy),
        "highest": decimals(math.log(len(b.plain))),
        "rows": [{"symbol": symbol, "plain": (share(p), number(p)), "bent": (share(q), number(q))} for symbol, p, q in rows],
    }


def entropy_words(nats: float) -> str:
    """The entropy, and the number of equally likely tokens that would have this entropy."""
    return _("{nats} nats, that of {n} equally likely tokens", nats=decimals(abs(nats)), n=number(math.exp(nats), 2))


def temperature_index(temperature: float) -> int:
    """The index of the slider position that is nearest to a temperature."""
    return min(range(len(TEMPERATURES)), key=lambda i: abs(math.log(TEMPERATURES[i] / max(temperature, 1e-9))))
