"""The product rule of probability with the numbers of a text: one factor per step, and the perplexity of their product.

Source: Deep Learning from Scratch 2, 5.1.2; Dive into Deep Learning, 8.3.1 and 8.4.4.
"""

import math
from typing import Any

from core.analysis.unrolled import Unrolled
from core.figures.parts.numbers import decimals, number, power
from core.figures.parts.symbols import brief
from core.text.tokenizer import Tokenizer

DIGITS = 4  # of a factor and of a product
SMALLEST = -690.0  # nats: exp of less is no normal float
LAWS = (
    ("P(w_1, w_2) = P(w_1) P(w_2 | w_1)", "what a conditional probability is"),
    ("P(w_1, w_2, w_3) = P(w_1, w_2) P(w_3 | w_1, w_2)", "the same, with the first two tokens as one event"),
    ("= P(w_1) P(w_2 | w_1) P(w_3 | w_1, w_2)", "the first line put into the second"),
    ("P(w_1, …, w_{T+1}) = P(w_1) P(w_2 | w_1) ⋯ P(w_{T+1} | w_1, …, w_T)", "and so on: every step gives one factor"),
)


def product_scene(u: Unrolled, tokenizer: Tokenizer) -> dict[str, Any]:
    """Of every step: token, target, its factor, the product up to it; ln of both; and the perplexity that follows from it."""
    inputs, targets = tokenizer.symbols(u.tokens), tokenizer.symbols(u.targets)
    steps = zip(targets, -u.losses, u.log_likelihoods, u.running_perplexity, strict=True)
    return {
        "laws": LAWS,
        "joint": "" if tokenizer.unit == "char" else " ",
        "inputs": list(map(brief, inputs)),
        "steps": [
            [brief(target), likelihood(nats), likelihood(sum_), decimals(nats, 3), decimals(sum_, 3), number(perplexity, DIGITS)]
            for target, nats, sum_, perplexity in steps
        ],
    }


def likelihood(nats: float) -> str:
    """A probability, given as its logarithm: also one too small for a float."""
    return number(math.exp(nats), DIGITS) if not nats < SMALLEST else power(nats / math.log(10))
