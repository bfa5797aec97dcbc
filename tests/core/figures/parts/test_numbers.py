"""Every number has a short form that keeps its value."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.figures.parts.numbers import (
    amount,
    chance,
    count,
    decimals,
    exponent,
    fixed,
    full,
    in_hundred,
    number,
    percent,
    power,
    power_of,
    precise,
    probability,
    rough_percent,
    short,
    signed,
    tick,
)


def value(text):
    return float(text.replace("−", "-").strip("()"))


@given(st.floats(-1e6, 1e6), st.sampled_from([1, 2, 4]))
def test_numbers_have_a_true_minus_and_no_minus_zero(number, decimals):
    for text in (fixed(number, decimals), full(number)):
        assert "-" not in text
        assert text not in ("−0", "−0.0", "−0.00", "−0.0000")
    assert value(fixed(number, decimals)) == pytest.approx(number, abs=0.51 * 10**-decimals)


def test_tiny_differences_are_said():
    assert exponent(0.0) == "exactly 0"
    assert exponent(4.44e-16) == "4.4·10⁻¹⁶"


@given(st.floats(), st.integers(2, 5))
def test_any_number_has_a_short_form(value, digits):
    text = number(value, digits)
    assert text
    assert "-" not in text
    assert "nan" not in text
    assert len(text) <= 16


@given(st.floats(1e-3, 9e5))
def test_numbers_keep_their_value(value):
    assert abs(float(number(value).replace("\u2009", "")) - value) <= 0.006 * value


@given(st.integers(0, 10**40))
def test_counts_are_short(value):
    assert len(count(value)) <= 12


@pytest.mark.parametrize("form", [number, precise, short, amount, tick, decimals, signed, full, exponent, chance])
@given(st.floats(1e-12, 1e15))
def test_no_number_is_written_as_a_program_writes_it(form, value):
    """Not 1e+02: powers of ten are raised, on the screen and at an axis."""
    assert "e" not in form(value)
    assert "e" not in form(10.0 ** round(math.log10(value)))


def test_ticks_are_short():
    values = (0.00001, 0.01, 1.0, 5000.0, 20_000.0, 1e6, 3e9, 2e13)
    assert [tick(value) for value in values] == ["10⁻⁵", "0.01", "1", "5000", "20 k", "1 M", "3 G", "2·10¹³"]


def test_a_knob_s_value_keeps_its_value():
    assert [short(value) for value in (0.004, 1.0, 12_345.0, 2.5e-6, 1e6)] == ["0.004", "1", "12345", "2.5·10⁻⁶", "10⁶"]


def test_amounts():
    assert [amount(x) for x in (950, 137_000, 6_660_000)] == ["950", "137 k", "6.66 M"]


def test_a_share_in_per_cent():
    assert [percent(share) for share in (0.0, 0.004, 0.125, 1.0)] == ["0 %", "0 %", "12 %", "100 %"]
    assert percent(-0.01234, 2, sign=True) == "−1.23 %"
    assert [rough_percent(share) for share in (0.0, 0.004, 0.125)] == ["0 %", "under 1 %", "12 %"]
    assert [in_hundred(share) for share in (0.0, 0.032, 0.0995, 0.5)] == ["0", "3.2", "10", "50"]


@given(st.floats(0, 1))
def test_no_probability_but_zero_reads_as_zero(p):
    assert (chance(p) == "0") == (p == 0)
    assert chance(p) != "0.0000"
    assert probability(p) not in ("0", "0.00")


def test_powers_of_ten_are_said_where_a_float_ends():
    assert [power(log10) for log10 in (-743.2, 0.1, -math.inf, math.nan)] == ["10⁻⁷⁴³", "1", "0", "–"]
    assert [power_of(log10) for log10 in (-1, -743.2)] == ["0.10", "10⁻⁷⁴³"]
