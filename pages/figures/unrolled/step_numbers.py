"""Every step of a forward pass in numbers, and the product rule of probability with one factor per step.

All steps are sent at once, rounded or as text, so that the browser can follow the play head without a request.
Sources of the product rule: Deep Learning from Scratch 2, 5.1.2; Dive into Deep Learning, 8.3.1 and 8.4.4.
"""

import math
from collections.abc import Sequence
from typing import TypedDict

import numpy as np

from core.analysis.unrolled import Unrolled, exponentials, most_probable
from core.config.language import gettext as _, lazy_gettext
from core.text.tokenizer import Tokenizer
from pages.content.notation import FIRST_SOURCE, in_notation
from pages.figures.parts.network import limit_of
from pages.figures.parts.numbers import count, decimals, number, power, probability, share
from pages.figures.parts.symbols import shortened, visible

PARTS = (lazy_gettext("input"), lazy_gettext("memory"), lazy_gettext("bias"), "= a", "h")
FROM = (0, 1, 1, 1, 2)  # the sub-step at which each part appears; with an embedding, the input appears one sub-step later
BEST = 12  # predictions listed with their numbers
FULL = 3.0  # an addend of this size or more has the full colour: tanh(3) = 0.995
LARGEST = 1000.0  # a number of this size or more is sent as text
FACTOR_DIGITS = 4  # significant digits of a factor and of a product
PRODUCT_RULE = (
    ("P(w_1, w_2) = P(w_1) P(w_2 | w_1)", lazy_gettext("what a conditional probability is")),
    ("P(w_1, w_2, w_3) = P(w_1, w_2) P(w_3 | w_1, w_2)", lazy_gettext("the same, with the first two tokens as one event")),
    ("= P(w_1) P(w_2 | w_1) P(w_3 | w_1, w_2)", lazy_gettext("the first line put into the second")),
    (
        "P(w_1, …, w_{T+1}) = P(w_1) P(w_2 | w_1) ⋯ P(w_{T+1} | w_1, …, w_T)",
        lazy_gettext("and so on: every step gives one factor"),
    ),
)


Rounded = int | str  # hundredths, or text for a number of ``LARGEST`` or more


class StepOutput(TypedDict):
    """Symbol, logit, exponential and probability of the best tokens and the target; all other tokens as one row."""

    rows: list[tuple[str, Rounded, str, str]]
    target: int
    rest: list[str]
    sum: str
    shifted: bool


class StepLoss(TypedDict):
    """The target and its probability; the loss, the mean so far, and the perplexity."""

    target: str
    p: str
    nats: str
    mean: str
    perplexity: str


class NumberedStep(TypedDict):
    """For each listed unit its addends, their sum and the state; and the shares of input, memory and bias."""

    units: list[list[Rounded]]
    shares: list[float]
    output: StepOutput
    loss: StepLoss


StepNumbers = TypedDict(
    "StepNumbers",
    {
        "laws": dict[str, str],
        "parts": tuple[str, ...],
        "from": tuple[int, ...],  # the sub-step at which each part appears
        "units": list[int],
        "full": list[int],  # hundredths at which each part has its full colour
        "steps": list[NumberedStep],
    },
)


class ProductDrawing(TypedDict):
    """For each step: target, its factor, the product so far, ln of both, and the perplexity so far."""

    laws: tuple[tuple[str, str], ...]
    joint: str
    inputs: list[str]
    steps: list[list[str]]


def step_numbers(
    u: Unrolled, tokenizer: Tokenizer, listed: Sequence[int], *, embedded: bool = False, notation: str = FIRST_SOURCE
) -> StepNumbers:
    """Every step in numbers: addends of the ``listed`` units, shares, logits to probabilities, loss."""
    parts = np.stack([u.from_input, u.from_memory, np.broadcast_to(u.bias, u.a.shape), u.a, u.h[1:]], axis=-1)
    units, shares = parts[:, list(listed)].tolist(), u.shares
    state = in_notation(f"h_{{t}} = {u.activation}(x_{{t}} W_{{xh}} + h_{{t-1}} W_{{hh}} + b_{{h}})", notation)
    means, perplexities = u.mean_losses, u.running_perplexity
    return {
        "laws": {"state": state, "output": "o → exp o → p"},
        "parts": tuple(map(_, PARTS)),
        "from": (int(embedded), *FROM[1:]),
        "units": list(listed),
        "full": [round(100 * limit) for limit in (*[FULL] * 4, limit_of(u))],
        "steps": [
            {
                "units": [list(map(rounded, row)) for row in units[t]],
                "shares": [share(float(part)) for part in shares[t]],
                "output": _output(u, t, tokenizer),
                "loss": {
                    "target": visible(tokenizer.vocab[u.targets[t]]),
                    "p": number(float(u.p[t, u.targets[t]]), 2),
                    "nats": decimals(float(u.losses[t])),
                    "mean": decimals(float(means[t])),
                    "perplexity": number(perplexities[t]),
                },
            }
            for t in range(len(u.tokens))
        ],
    }


def rounded(value: float) -> Rounded:
    """A number as whole hundredths, which the browser writes with sign and two decimals; as text if it is too large."""
    return round(100 * value) if abs(value) < LARGEST else decimals(value, sign=True)


def _output(u: Unrolled, t: int, tokenizer: Tokenizer) -> StepOutput:
    logits, p, target = u.logits[t], u.p[t], int(u.targets[t])
    tokens = most_probable(p, BEST)
    tokens = tokens if target in tokens else [*tokens[:-1], target]
    exps, shifted = exponentials(logits)
    symbols = [visible(symbol) for symbol in tokenizer.symbols(tokens)]
    rows = [
        (symbol, rounded(float(logits[i])), number(float(exps[i])), probability(float(p[i])))
        for symbol, i in zip(symbols, tokens, strict=True)
    ]
    others = np.setdiff1d(np.arange(len(p)), tokens)
    rest = [count(len(others)), number(float(exps[others].sum())), probability(float(p[others].sum()))]
    return {
        "rows": rows,
        "target": tokens.index(target),
        "rest": rest if len(others) else [],
        "sum": number(float(exps.sum())),
        "shifted": shifted,
    }


def product_drawing(u: Unrolled, tokenizer: Tokenizer) -> ProductDrawing:
    inputs, targets = tokenizer.symbols(u.tokens), tokenizer.symbols(u.targets)
    steps = zip(targets, -u.losses, u.log_likelihoods, u.running_perplexity, strict=True)
    return {
        "laws": tuple((law, _(reason)) for law, reason in PRODUCT_RULE),
        "joint": "" if tokenizer.unit == "char" else " ",
        "inputs": list(map(shortened, inputs)),
        "steps": [
            [
                shortened(target),
                likelihood(nats),
                likelihood(sum_),
                decimals(nats, 3),
                decimals(sum_, 3),
                number(perplexity, FACTOR_DIGITS),
            ]
            for target, nats, sum_, perplexity in steps
        ],
    }


def likelihood(nats: float) -> str:
    """A probability as text, from its natural logarithm, because it may be too small for a float."""
    return power(nats / math.log(10), FACTOR_DIGITS)
