import lzma
import math
import zlib

import pytest

from core.analysis.compression import model_size, plain_sizes, programs

TEXT = "the cat sat on the mat. " * 40


def test_plain_sizes_are_bits_per_symbol_and_that_of_a_model_its_cross_entropy():
    stored, coded = plain_sizes(TEXT, len(TEXT), 8)
    assert stored.per_token == 8
    assert coded.per_token == pytest.approx(3)
    assert plain_sizes("é€", 2, 2)[0].bits == 8 * 5
    uniform = model_size("uniform", "counted", len(TEXT) * math.log(8), len(TEXT))
    assert uniform.per_token == pytest.approx(coded.per_token, rel=1e-12)


def test_compressed_sizes_are_those_of_the_programs():
    alone, packed, after = filter(None, programs(TEXT, len(TEXT), TEXT))
    assert alone.bits == 8 * len(zlib.compress(TEXT.encode(), 9))
    assert packed.bits == 8 * len(lzma.compress(TEXT.encode(), format=lzma.FORMAT_ALONE, preset=6))
    assert after.bits < packed.bits
    assert len(list(filter(None, programs(TEXT, len(TEXT), "")))) == 2
    assert list(programs("ab" * 100_000, 200_000, "")).count(None) > 3  # others may compute in between
