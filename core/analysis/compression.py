"""Prediction is compression: a model that gives a token probability p can store it in -log2 p bits.

An arithmetic coder reaches the sum of these bits within two bits for the whole text (Shannon 1948; MacKay 2003, chapter 6), so
cross-entropy in bits per token is a size. zlib and lzma are measured on the same text, not estimated.
"""

import lzma
import math
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

LEVEL = 9
LN_2 = math.log(2)


@dataclass(frozen=True)
class Size:
    """How much room a text of so many tokens takes in one way of storing it. ``kind``: plain, counted, network or program."""

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
    """As it lies on a disk (UTF-8, 8 bits a letter), and with log2 V bits for each of V symbols."""
    return [
        Size("8 bits a byte", "plain", 8.0 * len(text.encode()), tokens),
        Size("log₂ V", "plain", tokens * math.log2(vocab_size), tokens),
    ]


def model_size(name: str, kind: str, nats: float, tokens: int) -> Size:
    """With a model that predicts it, ``nats`` being the sum of -ln p over all tokens."""
    return Size(name, kind, nats / LN_2, tokens)


def programs(text: str, tokens: int, before: str) -> Iterator[Size]:
    """zlib and lzma on the text alone; then lzma on the text after ``before``, which is what a trained model has read too.

    One at a time, for the last takes a few tenths of a second.
    """
    data, read = text.encode(), before.encode()
    yield Size("zlib", "program", 8.0 * len(zlib.compress(data, LEVEL)), tokens)
    yield Size("lzma", "program", 8.0 * _lzma(data), tokens)
    if read:
        yield Size("lzma + training text", "program", 8.0 * (_lzma(read + data) - _lzma(read)), tokens)


def _lzma(data: bytes) -> int:
    return len(lzma.compress(data, format=lzma.FORMAT_ALONE, preset=6))
