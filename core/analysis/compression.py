"""Prediction is compression: a token with probability p can be stored in -log2 p bits; entropy is the lower bound.

An arithmetic coder reaches the sum of these bits within two bits for the whole text (Shannon 1948; MacKay 2003, chapter 6), so
cross-entropy in bits per token is a size. zlib and lzma are measured on the same text, not estimated. Where the distribution P
of a text is known (the lag language of ``core.text.languages``), a model Q exceeds the entropy by its KL divergence:

    cross-entropy(P, Q) = entropy(P) + D(P || Q),   D >= 0   (Gibbs' inequality; Cover and Thomas 2006, theorem 2.6.3)
"""

import lzma
import math
import zlib
from collections.abc import Generator, Iterator
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from core.config.language import gettext as _, lazy_gettext
from core.config.settings import Settings
from core.models.loss import cross_entropy
from core.models.params import Params, Tokens
from core.models.rnn import forward
from core.text.corpus import Stream
from core.text.languages import NOISE

LEVEL = 9
PIECE = 1 << 15  # bytes compressed at a time: about 20 ms
LN_2 = math.log(2)
ROWS, LENGTH = 32, 256  # rows of a text, and tokens per row, on which the gap is measured


@dataclass(frozen=True)
class Size:
    """The size of a text of ``tokens`` tokens, stored in one way. ``kind``: plain, counted, network or program."""

    name: str
    kind: str
    bits: float  # for the whole text
    tokens: int

    @property
    def per_token(self) -> float:
        return self.bits / self.tokens

    @property
    def kilobytes(self) -> float:
        return self.bits / 8000


def plain_sizes(text: str, tokens: int, vocab_size: int) -> list[Size]:
    """The size in UTF-8 (8 bits a byte), and with log2 V bits per token for a vocabulary of V symbols."""
    return [
        Size(_("8 bits a byte"), "plain", 8.0 * len(text.encode()), tokens),
        Size("log₂ V", "plain", tokens * math.log2(vocab_size), tokens),
    ]


def model_size(name: str, kind: str, nats: float, tokens: int) -> Size:
    """The size with the predictions of a model; ``nats`` is the sum of -ln p over all tokens."""
    return Size(name, kind, nats / LN_2, tokens)


def compressor_sizes(
    text: str, tokens: int, before: str, name: str = lazy_gettext("lzma + training text")
) -> Iterator[Size | None]:
    """The sizes with zlib and lzma; then, as ``name``, with lzma after ``before``, text that the models were trained on, if any.

    Yields None in between, every few hundredths of a second, so that a caller can release the compute lock.
    """
    data, read = text.encode(), before.encode()
    yield Size("zlib", "program", 8.0 * len(zlib.compress(data, LEVEL)), tokens)
    alone = yield from _lzma(data)
    yield Size("lzma", "program", 8.0 * alone, tokens)
    if read:
        both = yield from _lzma(read + data)
        first = yield from _lzma(read)
        yield Size(_(name), "program", 8.0 * (both - first), tokens)


def _lzma(data: bytes) -> Generator[None, None, int]:
    """Compress ``data`` with lzma and return the number of bytes; yields after every piece."""
    packer, size = lzma.LZMACompressor(format=lzma.FORMAT_ALONE, preset=6), 0
    for start in range(0, len(data), PIECE):
        size += len(packer.compress(data[start : start + PIECE]))
        yield
    return size + len(packer.flush())


@dataclass(frozen=True)
class Gap:
    """Cross-entropy of a model with the lag language: ``cross_entropy`` = ``entropy`` + ``divergence`` up to rounding.

    Means in nats per token over the same tokens: expectations over the next bit; ``measured`` is the loss on the actual bits.
    """

    cross_entropy: float
    entropy: float
    divergence: float
    measured: float


def gap_on_lag(losses: Float[np.ndarray, "T N"], inputs: Tokens, targets: Tokens, lag: int) -> Gap:
    """The gap between a model of two symbols and the lag language, from its losses -ln q(target) on N texts of T tokens.

    The first ``lag`` - 1 targets of each text are skipped: they repeat bits before the text. ``ValueError`` if none is left.
    """
    if len(inputs) < lag:
        raise ValueError(f"A text of {len(inputs)} tokens says nothing about a lag of {lag}.")
    came = losses[lag - 1 :].astype(np.float64)  # target t repeats input t - (lag - 1)
    repeated = inputs[: len(inputs) - lag + 1] == targets[lag - 1 :]
    p = np.where(repeated, 1 - NOISE, NOISE)  # the true probability of the actual bit
    with np.errstate(divide="ignore"):
        other = -np.log(-np.expm1(-came))  # -ln q of the other bit
        cross = p * came + (1 - p) * other
    entropy = -(NOISE * np.log(NOISE) + (1 - NOISE) * np.log1p(-NOISE))
    with np.errstate(divide="ignore", invalid="ignore"):
        divergence = p * (came + np.log(p)) + (1 - p) * (other + np.log1p(-p))
    return Gap(float(cross.mean()), float(entropy), float(divergence.mean()), float(came.mean()))


def gap_of_network(params: Params, stream: Stream, settings: Settings) -> Gap:
    """The gap between a network and the lag language, on rows spread evenly over a text and read in windows as in training."""
    length = min(LENGTH, len(stream))
    rows = max(min(ROWS, len(stream) // length), 1)
    places = np.arange(rows) * (len(stream) // rows) + np.arange(length)[:, None]
    inputs, targets, h, parts = stream.inputs[places], stream.targets[places], None, []
    with np.errstate(all="ignore"):
        for start in range(0, length, settings.num_steps):
            window = slice(start, start + settings.num_steps)
            trace = forward(params, inputs[window], h, activation=settings.activation)
            parts.append(cross_entropy(trace.logits, targets[window]))
            h = trace.h[-1] if settings.carry_state else None
        return gap_on_lag(np.concatenate(parts), inputs, targets, settings.lag)
