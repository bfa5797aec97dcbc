"""Parts shared by figures of several pages: charts, axes, the backward pass, triangles; formatted numbers and symbols."""

import base64
import html
import math
import re
import unicodedata
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given, strategies as st

from core.analysis.backward import backward_pass
from core.analysis.gradient_flow import GradientFlow, from_future, from_loss
from core.analysis.unrolled import top_variance_units
from core.models.rnn import backward, forward
from pages.figures.parts import numbers, triangle
from pages.figures.parts.axes import DECADES, Axis, linear_axis, log_axis, log_axis_between, readable_ticks, updates_axis
from pages.figures.parts.backward import THINNEST, WHOLE, WIDEST, arrow, backward_drawing, backward_numbers
from pages.figures.parts.chart import Curve, chart
from pages.figures.parts.network import STRIP_UNITS
from pages.figures.parts.style import THEMES, TOKENS, colour, css_tokens, escape, in_theme
from pages.figures.parts.symbols import fitted, shortened, visible, visible_inline
from tests.core.networks import unrolled_network
from tests.pages.figures.drawings import value

odd = st.one_of(st.floats(1e-300, 1e300), st.sampled_from([0.0, math.nan, math.inf]))
three = st.tuples(*[st.floats(1e-9, 1e9)] * 3).map(sorted)


def over_lags(*curves: Curve, start: float | None = None) -> dict:
    """A chart with a linear x-axis and a logarithmic y-axis, as on the pages."""
    x = linear_axis("x, steps", (value for curve in curves for value in curve.x))
    return chart(curves, x, log_axis("y, nats", (value for curve in curves for value in curve.y), start))


def upright(figure: dict) -> tuple[float, float]:
    return tuple(figure["layout"]["yaxis"]["range"])


@given(st.lists(st.lists(odd, min_size=1, max_size=6), min_size=1, max_size=4))
def test_any_values_are_points_or_gaps_of_a_logarithmic_axis(columns):
    figure = over_lags(*(Curve(f"{i}", list(range(len(y))), y, label=f"curve {i}") for i, y in enumerate(columns)))
    axis, (low, high) = figure["layout"]["yaxis"], upright(figure)
    assert -math.inf < low < high < math.inf
    assert all(low <= math.log10(tick) <= high for tick in axis["tickvals"])
    for curve, y in zip(figure["data"], columns, strict=True):
        for height, number in zip(curve["y"], y, strict=True):
            assert height == (pytest.approx(number, rel=1e-5) if 0 < number < math.inf else None)


def test_a_curve_may_leave_the_picture_and_its_name_does_not():
    figure = over_lags(Curve("fades", [0, 1, 2], [1.0, 1e-10, 1e-40], label="fades"))
    low, high = upright(figure)
    assert high - low < 1.2 * DECADES
    assert figure["data"][0]["y"][-1] == 1e-40
    assert 0 <= figure["layout"]["annotations"][0]["y"] <= 1
    low, high = upright(over_lags(Curve("grows", [0, 1], [1.0, 1e40]), start=1.0))
    assert low < 0 < high < 1.2 * DECADES


@given(st.integers(0, 10**6))
def test_update_0_is_drawn_left_of_update_1_on_a_log_axis(last):
    axis = updates_axis(last)
    places = [axis.place(update) for update in (0, 1, max(last, 1))]
    assert axis.low < places[0] < places[1] <= places[2] < axis.high < places[2] + 1.1
    assert axis.place(axis.ticks[0][0]) == places[0]
    assert [words for _, words in axis.ticks[:3]] == ["0", "1", "10"]
    assert axis.drawn(-1) is None


@given(st.floats(1, 1e5), st.floats(1.1, 1e5))
def test_ticks_are_a_few_round_numbers_apart_from_each_other(low, times):
    axis = log_axis_between("perplexity", low, low * times)
    assert all(axis.low - 1e-6 <= axis.place(value) <= axis.high + 1e-6 for value, _ in axis.ticks)
    assert (times >= 2.5) <= len(axis.ticks) <= 16
    places = [math.log10(value) for value, _ in readable_ticks(low, low * times)]
    assert all(math.log10(low) - 1e-9 <= place <= math.log10(low * times) + 1e-9 for place in places)
    assert len(places) >= 3 or times < 2
    assert times < 1.5 or all(b - a > 0.08 * min(math.log10(times), 1) for a, b in pairwise(places))
    assert times < 100 or all(f"{10**place:e}"[0] in "125" for place in places)


def test_a_name_is_beside_the_last_point_of_its_curve():
    figure = over_lags(Curve("ends", [0, 1, 2], [1.0, 2.0, math.nan], label="ends"), Curve("no name", [0], [1.0]))
    low, high = upright(figure)
    (label,) = figure["layout"]["annotations"]
    assert label["y"] == pytest.approx((math.log10(2) - low) / (high - low), abs=1e-3)
    assert [Axis("y", 0.0, 2.0).fraction(value) for value in (0.1, 10**0.5, 1e9)] == [0, 0.25, 1]


@pytest.mark.parametrize("activation", ["tanh", "relu", "sigmoid"])
def test_sizes_are_those_of_the_core_s_backward(activation):
    T = 15
    params, u = unrolled_network(T, H=32, activation=activation)
    b = backward_pass(params, u.tokens, u.targets, activation=activation)
    g = backward(forward(params.copy(np.float64), u.tokens[:, None], activation=activation), u.targets[:, None])
    branches = from_loss(g)[1:], from_future(g)[1:], g.dh[1:], g.da[1:]
    scene, numbers = backward_drawing(b), backward_numbers(b, u)
    units = top_variance_units(u.h[1:], STRIP_UNITS)
    for t, step in enumerate(numbers["steps"]):
        truth = [np.linalg.norm(T * part[t]) for part in branches]
        assert [value(size) for size in step["sizes"]] == pytest.approx(truth, rel=0.006)
        assert [value(scene[name][t][2]) for name in ("from_loss", "from_future")] == pytest.approx(truth[:2], rel=0.006)
        block_maxima = max(np.abs(T * part[t, 0, units]).max() for part in branches)
        assert np.abs(np.array(step["strips"][2]) / 100 * block_maxima - T * g.dh[t + 1, 0, units]).max() <= 0.0051 * block_maxima
    so_far = np.frombuffer(base64.b64decode(numbers["so_far"]), np.int8).reshape(T, -1)
    assert np.corrcoef(so_far[0], g.dparams.W_hh[np.ix_(units, units)].ravel())[0, 1] > 0.999
    assert float(numbers["steps"][0]["whole"]) == pytest.approx(np.linalg.norm(T * g.dparams.W_hh), rel=0.006)


def test_the_arrows_can_be_of_the_last_loss_alone_in_proportion_with_what_is_left():
    params, u = unrolled_network(7)
    b = backward_pass(params, u.tokens, u.targets)
    norms, scene = b.flow().norms[-1], backward_drawing(b, of_last=True)
    assert [size for _, _, size in scene["from_loss"][:-1]] == ["0"] * 6
    assert scene["from_future"][-1][2] == "0"
    arrows = [*scene["from_future"][:-1], scene["from_loss"][-1]]
    assert [value(size) for _, _, size in arrows] == pytest.approx(norms.tolist(), rel=0.006)
    assert [width for width, _, _ in arrows] == pytest.approx(WHOLE * norms / max(norms), abs=0.005)
    left = [value(words.removesuffix(" %")) for words in scene["left"]]
    assert left == pytest.approx(100 * norms / norms[-1], rel=0.06)
    factors = np.array([[value(factor.split()[1]) for factor in pair] for pair in scene["factors"]])
    assert factors.prod(axis=1) == pytest.approx(norms[:-1] / norms[1:], rel=0.03)
    assert (factors[:, 0] <= 1).all()  # the slope of tanh


def test_nothing_comes_from_the_future_across_a_truncation():
    params, u = unrolled_network(10)
    b = backward_pass(params, u.tokens, u.targets, truncation=4)
    assert backward_numbers(b, u)["cut"] == [3, 7]
    assert [t for t in range(9) if backward_drawing(b)["from_future"][t][2] == "0"] == [3, 7]


@given(three)
def test_a_larger_gradient_has_no_thinner_arrow_and_no_lighter_shade(sizes):
    (thin, light, _), (thick, dark, _), (thickest, *_) = (arrow(size, sizes[2]) for size in sizes)
    assert THINNEST <= thin <= thick <= thickest == WIDEST
    assert light <= dark
    shades = [triangle.shade(size, sizes[2]) for size in sizes]
    assert triangle.SHADES[0] <= shades[0] <= shades[1] <= shades[2] == triangle.SHADES[1]


def flow(norms: list, of_sum: list) -> dict:
    found = GradientFlow(np.asarray(norms)[..., None], np.asarray(of_sum))
    return triangle.flow_triangle(found, "a" * len(norms), "b" * len(norms))


def test_every_cell_of_the_triangle_has_its_number():
    norms = np.tril(np.random.default_rng(0).lognormal(0, 3, (7, 7)))
    scene = triangle.triangle_drawing(norms, "a" * 7, "b" * 7)
    assert [len(row) for row in scene["words"]] == [len(row) for row in scene["shades"]] == list(range(1, 8))
    assert [value(word) for row in scene["words"] for word in row] == pytest.approx(norms[np.tril_indices(7)].tolist(), rel=0.006)
    assert [triangle.shade(size, 1000.0) for size in (1.0, 1000.0)] == list(triangle.SHADES)


def test_the_size_of_the_sum_is_beside_the_sum_of_the_sizes():
    below = flow([[1.0, 0], [1, 2]], [0.5, 2])["below"]
    assert below["words"] == [["0.500", "2.00"], ["2.00", "2.00"]]
    assert below["left"] == ["25 %", "100 %"]
    assert below["bars"] == [[250, 1000], [1000, 1000]]


@pytest.mark.parametrize(("size", "kind"), [(0.0, triangle.ZERO), (np.inf, triangle.NOT_FINITE), (np.nan, triangle.NOT_FINITE)])
def test_zero_and_non_finite_cells_have_a_shade_and_a_note(size, kind):
    scene = flow([[size]], [size])
    assert scene["shades"] == [[kind]]
    assert scene["notes"]


FORMS = ("number", "short", "amount", "decimals", "full")
DIRECTIONS = "\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


@given(st.floats(-9999, 9999), st.sampled_from([1, 2, 4]))
def test_numbers_have_a_true_minus_and_no_negative_zero(number, decimals):
    for text in (numbers.decimals(number, decimals), numbers.full(number)):
        assert "-" not in text
        assert not re.fullmatch("−0[.0]*", text)
    assert value(numbers.decimals(number, decimals)) == pytest.approx(number, abs=0.51 * 10**-decimals)


@given(st.floats(), st.integers(2, 5), st.integers(0, 10**40))
def test_any_number_has_a_short_form(x, digits, many):
    text = numbers.number(x, digits)
    assert 0 < len(text) <= 16
    assert not {"-", "nan"} & {text, text[0]}
    assert len(numbers.count(many)) <= 12


@given(st.floats(1e-12, 1e15))
def test_a_short_form_keeps_the_value_and_has_no_e(x):
    assert value(numbers.number(x)) == pytest.approx(x, rel=0.06)
    assert x < 1e-3 or x > 9e5 or value(numbers.number(x)) == pytest.approx(x, rel=0.006)
    for form in FORMS:
        assert "e" not in getattr(numbers, form)(x)
        assert "e" not in getattr(numbers, form)(10.0 ** round(math.log10(x)))


@given(st.sampled_from(("number", "short", "count", "amount")), st.integers(0, 10**14), st.integers(0, 10**14))
def test_what_is_larger_is_never_written_as_smaller(form, one, other):
    """Also across the places where a format changes its unit; and no number can be broken at the end of a line."""
    write, kind = getattr(numbers, form), int if form == "count" else float
    small, large = (write(kind(x)) for x in sorted((one, other)))
    sizes = {"k": 1e3, "M": 1e6, "G": 1e9}

    def read(text: str) -> float:
        digits, _, letter = text.partition(" ")
        return value(digits) * sizes.get(letter, 1)

    assert read(small) <= read(large) * (1 + 1e-12)
    assert not re.search(r"[0-9][ \u2009][0-9]", small + large)


@pytest.mark.parametrize(("form", "written"), [
    ("decimals", {math.inf: "∞", -math.inf: "−∞", math.nan: "–", -123456.0: "−1.2·10⁵", -0.001: "0.00", 0.125: "0.12"}),
    ("amount", {0.00001: "10⁻⁵", 0.01: "0.01", 1.0: "1", 5000.0: "5 k", 20_000.0: "20 k", 1e6: "1 M", 2e13: "2·10¹³"}),
    ("short", {0.004: "0.004", 1.0: "1", 12_345.0: "12345", 2.5e-6: "2.5·10⁻⁶", 1e6: "10⁶"}),
    ("short", {234_567.0: "234567", 9999.7: "10000"}),
    ("amount", {950: "950", 137_000: "137 k", 6_660_000: "6.66 M", 999_600: "1 M", 999.7: "1 k"}),
    ("count", {9_999_999: "9 999 999", 99_990_000: "1.0·10⁸", 12_345_678: "1.2·10⁷"}),
    ("percent", {0.0: "0 %", 0.004: "under 1 %", 0.125: "12 %", 1.0: "100 %"}),
    ("in_hundred", {0.0: "0", 0.032: "3.2", 0.0995: "10", 0.5: "50"}),
    ("power", {-743.2: "10⁻⁷⁴³", 0.0: "1", 0.1: "1", -math.inf: "0", math.nan: "–"}),
])  # fmt: skip
def test_how_numbers_are_written(form, written):
    assert {x: getattr(numbers, form)(x) for x in written} == written


def test_numbers_with_a_sign_and_powers_with_digits_are_written():
    signed = {1.234: "+1.23", -1.234: "−1.23", 0.0: "0.00", -0.001: "0.00", 0.001: "0.00", 20_000: "+2·10⁴"}
    assert {x: numbers.decimals(x, sign=True) for x in signed} == signed
    assert [numbers.power(x, 2) for x in (-1, -743.2)] == ["0.10", "10⁻⁷⁴³"]


@given(st.floats(0, 1))
@example(0.005)
def test_no_share_or_probability_but_zero_is_written_as_zero(p):
    assert (numbers.number(p) == "0.00") == (numbers.percent(p) == "0 %") == (p == 0)
    assert numbers.probability(p) not in ("0", "0.00")


@pytest.mark.parametrize(("symbol", "shown"), [
    ("a", "a"), ("é", "é"), ("ש", "ש"), ("漢", "漢"), ("😀", "😀"), (" ", "␣"), ("\n", "↵"), ("\t", "→"),
    ("\u0301", "◌\u0301"), ("\u05b8", "◌\u05b8"), ("\u0e31", "◌\u0e31"), ("\u093e", "◌\u093e"), ("\ufe0f", "◌\ufe0f"),
    ("\u200b", "U+200B"), ("\u200d", "U+200D"), ("\u202e", "U+202E"), ("\ufeff", "U+FEFF"), ("\u3000", "U+3000"),
    ("\u0378", "U+0378"), ("\ue000", "U+E000"), ("\x00", "U+0000"), ("\u3164", "U+3164"), ("\u00ad", "U+00AD"),
    ("👩\u200d👩\u200d👧", "👩\u200d👩\u200d👧"), ("می\u200cخواهم", "می\u200cخواهم"), ("zero\u200bwidth", "zeroU+200Bwidth"),
    ("\u202eevil", "U+202Eevil"), ("<unk>", "<unk>"), ("<b>", "<b>"),
])  # fmt: skip
def test_a_symbol_is_shown_so_that_it_can_be_seen(symbol, shown):
    assert visible(symbol) == shown


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=80), st.integers(1, 400))
def test_any_symbol_can_be_seen_and_fits_its_room(symbol, room):
    fits = fitted(symbol, room, 14)
    assert len(fits) <= max(room / 8.4, len(visible(symbol)) if len(symbol) == 1 else 1)
    for shown in (visible(symbol), visible_inline(symbol), shortened(symbol), fits):
        assert shown
        shown.encode("utf-8")
        assert not set(shown) & set(DIRECTIONS)
        assert not unicodedata.category(shown[0]).startswith(("M", "Cc", "Zl", "Zp"))


@given(st.text())
def test_escaped_text_holds_no_markup(text):
    assert not set("<>\"'") & set(escape(text))
    assert html.unescape(escape(text)) == html.unescape(html.escape(text))
    assert set(re.findall("&([^;]*);", escape("<b> & 'c' \"d\""))) == {"amp", "lt", "gt", "#34", "#x27"}  # decoded by plotly


def test_every_colour_is_in_both_palettes_and_in_the_style_sheet():
    for name in TOKENS:
        for theme in THEMES:
            assert f"--{name}:{in_theme(colour(name), theme)};" in css_tokens()
            assert in_theme(colour(name), theme).startswith("#")
