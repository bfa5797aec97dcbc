"""Prediction is compression: a model that gives a token probability p can store it in -log2 p bits.

An arithmetic coder reaches the sum of these bits within two bits for the whole text (Shannon 1948; MacKay 2003, chapter 6), so
cross-entropy in bits per token is a size. zlib and lzma are measured on the same text, not estimated.
"""

import lzma
import math
import zlib
from collections.abc import Generator, Iterator
from dataclasses import dataclass

from core.config.language import gettext as _
from core.config.language import lazy_gettext

LEVEL = 9
PIECE = 1 << 15  # bytes packed at a time: about 20 ms
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
        Size(_("8 bits a byte"), "plain", 8.0 * len(text.encode()), tokens),
        Size("log₂ V", "plain", tokens * math.log2(vocab_size), tokens),
    ]


def model_size(name: str, kind: str, nats: float, tokens: int) -> Size:
    """With a model that predicts it, ``nats`` being the sum of -ln p over all tokens."""
    return Size(name, kind, nats / LN_2, tokens)


def programs(text: str, tokens: int, before: str, name: str = lazy_gettext("lzma + training text")) -> Iterator[Size | None]:
    """zlib and lzma on the text alone; then, under ``name``, lzma on the text after ``before``, which models have read too.

    None in between, every few hundredths of a second, so that somebody else may compute.
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
    """The number of bytes that lzma makes of these; a yield after every piece of them."""
    packer, size = lzma.LZMACompressor(format=lzma.FORMAT_ALONE, preset=6), 0
    for start in range(0, len(data), PIECE):
        size += len(packer.compress(data[start : start + PIECE]))
        yield
    return size + len(packer.flush())
