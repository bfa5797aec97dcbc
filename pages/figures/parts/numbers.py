"""All number formats of the screen, with a true minus sign, narrow spaces and superscript exponents."""

import math
from decimal import Decimal

from core.config.language import gettext as _

MINUS, THIN = "−", "\u202f"  # narrow and without a line break: a number is never broken at the end of a line
SIZES = ((1e9, "G"), (1e6, "M"), (1e3, "k"))
LARGEST_EXPONENT = 300  # powers of ten up to this one are finite floats
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
LOWERED = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def number(value: float, digits: int = 3) -> str:
    """A number with ``digits`` significant digits, in powers of ten if tiny or huge; ∞ for infinity, – for NaN."""
    if not math.isfinite(value):
        return _not_finite(value)
    if value != 0 and not 1e-4 <= abs(value) < 1e6:
        return _scientific(value, digits)
    value = float(f"{value:.{digits - 1}e}")  # rounded before digits are counted: 0.9999 is 1.00, not 1.000
    decimals = max(0, digits - 1 - (math.floor(math.log10(abs(value))) if value else 0))
    return _minus(f"{value:,.{decimals}f}").replace(",", THIN)


def short(value: float) -> str:
    """The value of a setting without trailing zeros: 0.004, 1, 0.5, 234567; in powers of ten if tiny or huge."""
    if not isinstance(value, float) or 9999.5 <= abs(value) < 999_999.5:
        return _minus(f"{value:.0f}")
    return _minus(f"{value:.4g}") if value == 0 or 1e-4 <= abs(value) < 1e4 else number(value, 2)


def count(value: int) -> str:
    """A whole number with narrow spaces between thousands; from ten million on in powers of ten."""
    if value < 10_000_000:
        return f"{value:,}".replace(",", THIN)
    mantissa, exponent = f"{Decimal(value):.1e}".split("e")  # rounded first: 99 990 000 is 1.0·10⁸
    return f"{mantissa}·10{superscript(int(exponent))}"


def amount(value: float) -> str:
    """A large amount or the label of a tick, with at most three significant digits: 0.01, 950, 137 k, 6.66 M; in powers of ten if
    tiny or huge."""
    if value != 0 and not 1e-4 <= value < 1e12:
        return number(value, 1)
    value = float(f"{value:.3g}")  # rounded first: 999 600 is 1 M, not 1 000 k
    return next((f"{value / size:.3g} {letter}" for size, letter in SIZES if value >= size), f"{value:.3g}")


def decimals(value: float, digits: int = 2, *, sign: bool = False) -> str:
    """A number with ``digits`` decimals, from 10 000 on in powers of ten; ∞ for infinity, – for NaN; never minus zero. ``sign``:
    positive values have a plus sign.

    It is first rounded to nine decimals, so that two results just above and just below a half, which differ by a rounding
    error only, have the same digits.
    """
    value = round(float(value), 9)
    if not math.isfinite(value):
        return _not_finite(value)
    rounded = round(value, digits) + 0.0
    written = _scientific(value, 2) if abs(value) >= 10_000 else _minus(f"{rounded:.{digits}f}")
    return f"+{written}" if sign and rounded > 0 else written


def full(value: float) -> str:
    """A number with at most six decimals, without trailing zeros: the text of a cell while the user edits it, and its tooltip."""
    return _minus(f"{round(value, 6) + 0.0:.6f}".rstrip("0").rstrip("."))


def probability(p: float) -> str:
    """A probability with two decimals; "<.01" below 0.005, – for NaN."""
    return "–" if math.isnan(p) else "<.01" if p < 0.005 else f"{p:.2f}"


def share(p: float) -> float:
    """A probability as the length of a bar, in shares of the full length; 0 if it is not finite."""
    return round(p, 3) if math.isfinite(p) else 0.0


def percent(share: float, decimals: int = 0, *, sign: bool = False) -> str:
    """A share in per cent with ``decimals`` decimals: "under 1 %" where none would leave a zero of more than nothing. ``sign``:
    positive values have a plus sign."""
    if not decimals and 0 < 100 * share <= 0.5:
        return _("under 1 %")
    return _("{n} %", n=_minus(f"{100 * share:{'+' if sign else ''}.{decimals}f}"))


def in_hundred(share: float) -> str:
    """A share in per cent without the per cent sign: one decimal below ten, none from ten on, and none for 0."""
    return "0" if share == 0 else f"{100 * share:.{1 if 100 * share < 9.95 else 0}f}"


def power(log10: float, digits: int = 0) -> str:
    """Ten to this power with ``digits`` significant digits; with none, or if it is too small for a float, to the power rounded to
    an integer: 10⁻⁷⁴³; 0 for minus infinity."""
    if digits and log10 > -LARGEST_EXPONENT:
        return number(10.0**log10, digits)
    if not math.isfinite(log10):
        return "0" if log10 < 0 else "–"
    return f"10{superscript(round(log10))}" if round(log10) else "1"


def superscript(exponent: int) -> str:
    """An integer in superscript."""
    return str(exponent).translate(RAISED)


def subscript(index: int) -> str:
    """A non-negative integer in subscript."""
    return str(index).translate(LOWERED)


def _scientific(value: float, digits: int) -> str:
    """A number with ``digits`` significant digits, times a power of ten."""
    mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
    factor = "" if float(mantissa) == 1 else f"{float(mantissa):g}·"
    return _minus(f"{factor}10{superscript(int(exponent))}")


def _minus(text: str) -> str:
    return text.replace("-", MINUS)


def _not_finite(value: float) -> str:
    return "–" if math.isnan(value) else "∞" if value > 0 else f"{MINUS}∞"
