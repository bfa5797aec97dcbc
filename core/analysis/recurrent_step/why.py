"""Why a hidden state: what looking further back costs without one, and how much of a text was never seen before."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from jaxtyping import Integer

from core.models.ngram import NEVER, fit, tokens_of
from core.models.params import count
from core.text.corpus import Stream

LONGEST = 10  # n of the longest n-gram that is looked at


@dataclass(frozen=True)
class Growth:
    """Numbers to be learnt to look at n - 1 tokens and predict one, for n = 1, 2, ... in order.

    ``table`` is V^n, one number for every n-gram. ``window`` is a network with one hidden layer over the n - 1 tokens side by
    side (Bengio et al. 2003, equation 1, without its direct connections from input to output); at n = 2 it is the network
    without a state. ``rnn`` is the recurrent network: the same for any n.
    """

    table: list[int]
    window: list[int]
    rnn: int


def growth(V: int, H: int, D: int = 0, longest: int = LONGEST) -> Growth:
    """Parameters for a vocabulary of V, H hidden units and input vectors D wide (0: one-hot), n = 1 to ``longest``."""
    shared = count(V, H, D) - H * H - (D or V) * H  # embedding, biases and output layer: all three networks' same
    return Growth(
        table=[V**n for n in range(1, longest + 1)],
        window=[shared + (n - 1) * (D or V) * H for n in range(1, longest + 1)],
        rnn=count(V, H, D),
    )


def two_gram_factors(train: Stream, tokens: Integer[np.ndarray, " T"]) -> list[tuple[int, int]]:
    """Counts (how often, out of how many) whose quotients multiply to P(x_1) P(x_2 | x_1) ... P(x_T | x_(T-1)), D2L 8.3.

    The first is of all L inputs, each other one of the inputs that are the token before it. Of a text alone.
    """
    first = int(np.sum(train.inputs == tokens[0])), len(train)
    after = [(train.inputs == a, train.targets == b) for a, b in pairwise(tokens)]
    return [first, *((int(np.sum(here & goes_on)), int(np.sum(here))) for here, goes_on in after)]


def never_seen(train: Stream, judged: Stream, vocab_size: int, longest: int = LONGEST) -> list[float]:
    """Which share of the n-grams of a judged text training never saw, every occurrence counted, for n = 1 to ``longest``.

    nan where the judged text is shorter than n. Both streams must be texts: targets are the inputs moved by one.
    """
    tokens = tokens_of(judged)
    contexts, shares = np.zeros(len(tokens), np.int64), []
    for before, grams in enumerate(fit(tokens_of(train), vocab_size, max_order=longest).grams):
        numbers = np.where(contexts == NEVER, NEVER, grams.find(contexts * vocab_size + tokens))
        whole = numbers[before:]  # up to there, no n-gram ends inside the text
        shares.append(float(np.mean(whole == NEVER)) if len(whole) else float("nan"))
        contexts = np.concatenate([[NEVER], numbers[:-1]])
    return shares
