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


def precise(value: float) -> str:
    """Three significant digits; four from 100 on."""
    return number(value, 4 if value >= 100 else 3)


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
    """A large amount with three significant digits: 950, 137 k, 6.66 M."""
    value = float(f"{value:.2e}") if value >= 999.5 else value  # rounded first: 999 600 is 1.00 M, not 1 000 k
    return next((f"{number(value / size)} {letter}" for size, letter in SIZES if value >= size), f"{value:.0f}")


def tick(value: float) -> str:
    """A short label of an axis tick: 0.01, 5000, 20 k, 1 M; in powers of ten if tiny or huge."""
    if value != 0 and not 1e-4 <= value < 1e12:
        return number(value, 1)
    return next((f"{value / size:g} {letter}" for size, letter in SIZES if value >= max(size, 1e4)), f"{value:g}")


def decimals(value: float, digits: int = 2) -> str:
    """A number with ``digits`` decimals, from 10 000 on in powers of ten; ∞ for infinity, – for NaN."""
    if not math.isfinite(value):
        return _not_finite(value)
    if abs(value) >= 10_000:
        return _scientific(value, 2)
    return _minus(f"{value:.{digits}f}") if round(value, digits) else f"{0:.{digits}f}"


def signed(value: float, digits: int = 2) -> str:
    """A number with ``digits`` decimals and its sign, also if it is positive."""
    return ("+" if value > 0 and round(value, digits) else "") + decimals(value, digits)


def fixed(value: float, decimals: int) -> str:
    """A number with ``decimals`` decimals, however large; never minus zero.

    It is first rounded to nine decimals, so that two results just above and just below a half, which differ by a rounding
    error only, have the same digits.
    """
    return _minus(f"{round(round(float(value), 9), decimals) + 0.0:.{decimals}f}")


def full(value: float) -> str:
    """A number with at most six decimals, without trailing zeros: the text of a cell while the user edits it, and its tooltip."""
    return _minus(f"{round(value, 6) + 0.0:.6f}".rstrip("0").rstrip("."))


def probability(p: float) -> str:
    """A probability with two decimals; "<.01" below 0.005, – for NaN."""
    return "–" if math.isnan(p) else "<.01" if p < 0.005 else f"{p:.2f}"


def chance(p: float) -> str:
    """A probability with four decimals, in powers of ten below 0.00005; – for NaN."""
    return "–" if math.isnan(p) else "0" if p == 0 else f"{p:.4f}" if p >= 0.00005 else number(p, 2)


def target_probability(p: float) -> str:
    """The probability of a target with two significant digits; "1.00" from 0.995 on."""
    return number(p, 2) if p < 0.995 else "1.00"


def share(p: float) -> float:
    """A probability as the length of a bar, in shares of the full length; 0 if it is not finite."""
    return round(p, 3) if math.isfinite(p) else 0.0


def percent(share: float, decimals: int = 0, *, sign: bool = False) -> str:
    """A share in per cent with ``decimals`` decimals; ``sign``: positive values have a plus sign."""
    return _("{n} %", n=_minus(f"{100 * share:{'+' if sign else ''}.{decimals}f}"))


def rough_percent(share: float) -> str:
    """A share in whole per cent; "under 1 %" between 0 and 0.01."""
    return _("under 1 %") if 0 < share < 0.01 else percent(share)


def in_hundred(share: float) -> str:
    """A share in per cent without the per cent sign: one decimal below ten, none from ten on, and none for 0."""
    return "0" if share == 0 else f"{100 * share:.{1 if 100 * share < 9.95 else 0}f}"


def power(log10: float) -> str:
    """Ten to this power, which is rounded to an integer: 10⁻⁷⁴³; 0 for minus infinity."""
    if not math.isfinite(log10):
        return "0" if log10 < 0 else "–"
    return f"10{superscript(round(log10))}" if round(log10) else "1"


def power_of(log10: float, digits: int = 2) -> str:
    """The probability ten to this power; as an integer power of ten if it is too small for a float."""
    return number(10.0**log10, digits) if log10 > -LARGEST_EXPONENT else power(log10)


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
