"""Sizes of a text are what its bytes and its model's numbers say."""

import lzma
import math
import zlib

import pytest

from core.analysis.compression import model_size, plain_sizes, programs

TEXT = "the cat sat on the mat. " * 40


def test_plain_sizes_follow_from_the_symbols():
    stored, coded = plain_sizes(TEXT, len(TEXT), 8)
    assert stored.per_token == 8
    assert coded.per_token == pytest.approx(3)
    assert stored.kilobytes == pytest.approx(len(TEXT) / 1000)


def test_letters_beyond_ascii_take_their_bytes():
    assert plain_sizes("é€", 2, 2)[0].bits == 8 * 5


def test_a_model_stores_its_cross_entropy():
    V, tokens = 103, 1000
    uniform = model_size("uniform", "counted", tokens * math.log(V), tokens)
    assert uniform.per_token == pytest.approx(plain_sizes("x" * tokens, tokens, V)[1].per_token, rel=1e-12)


def test_programs_are_measured():
    alone, packed, after = filter(None, programs(TEXT, len(TEXT), TEXT))
    assert alone.bits == 8 * len(zlib.compress(TEXT.encode(), 9))
    assert packed.bits == 8 * len(lzma.compress(TEXT.encode(), format=lzma.FORMAT_ALONE, preset=6))
    assert after.bits < packed.bits
    assert len(list(filter(None, programs(TEXT, len(TEXT), "")))) == 2


def test_others_may_compute_while_a_long_text_is_packed():
    assert list(programs("ab" * 100_000, 200_000, "")).count(None) > 3
