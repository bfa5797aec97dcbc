"""The figures of the page Gradient flow: their numbers equal the core's."""

import base64
import math
import re

import numpy as np
import pytest

from core.analysis.backward import backward_pass
from core.analysis.cost import Cost
from core.analysis.gradient_check import block_maxima, check_weight
from core.analysis.gradient_flow import LagCurve, lag_curve, recurrent_shares
from core.analysis.jacobian import Spectrum, growing_products
from core.analysis.vanishing import Clipped, Experiment
from core.models.initialisation import init_params
from core.models.rnn import forward
from core.text.tokenizer import Tokenizer
from core.training.experiments.cliff import BIASES, LOWEST, SHARE, W_HQ, descend, loss_surface, network
from pages.figures.gradient_flow import (
    cliff,
    cliff_wall,
    gradient_shares,
    jacobian_spectra,
    radius_comparison,
    size_against_lag,
    weight_map,
)
from pages.figures.parts import cost_charts
from pages.figures.parts.numbers import number
from tests.core.gradients import problem
from tests.pages.figures.drawings import trace, value


@pytest.mark.parametrize(
    ("build", "forward"), [(cost_charts.time_figure, [0.1, 1, 10]), (cost_charts.memory_figure, [0.001734, 0.01284, 0.1239])]
)
def test_the_cost_lies_on_the_lines_of_an_exact_law(build, forward):
    line, dots = build([Cost(T, 1e-4 * T, 3e-4 * T, 1234 * T + 500, 2000 * T) for T in (1, 10, 100)])["data"][:2]
    assert dots["y"] == pytest.approx(forward)
    assert line["y"] == pytest.approx([forward[0], forward[-1]])


@pytest.mark.parametrize("D", [0, 3])
@pytest.mark.parametrize("most", [2, 48])
def test_the_map_of_every_matrix_has_the_signs_of_its_gradient(D, most):
    p, letters = problem(D=D), Tokenizer(tuple("a\n cdef"))
    sizes = {name: matrix.shape for name, matrix in p.params.named().items()}
    for name, gradient in p.gradients().dparams.named().items():
        blocks, last = block_maxima(np.atleast_2d(gradient), most), tuple(n - 1 for n in gradient.shape)
        scene = weight_map.weight_map(blocks, sizes, name, last, letters, one_hot=D == 0)
        cells = np.frombuffer(base64.b64decode(scene["cells"]), np.int8).reshape(scene["shape"])
        assert (np.sign(cells) * np.sign(blocks.values) >= 0).all()
        assert np.abs(cells).max() == 127
        assert scene["at"] == [n - 1 for n in scene["shape"]]
        assert scene["pooled"] == (most == 2)


def test_numeric_and_analytic_derivative_are_shown_for_every_epsilon():
    p = problem(carried=False)
    check = check_weight(p.params, p.tokens, p.targets, "W_hh", (1, 1))
    scene = weight_map.check_numbers(check)
    backward, *numeric = (value(row[1]) for row in scene["rows"])
    assert backward == pytest.approx(check.analytic, rel=1e-6)
    assert numeric == pytest.approx(check.numeric.tolist(), rel=1e-6)
    assert len(weight_map.check_figure(check)["data"][0]["x"]) == len(check.epsilons)


@pytest.mark.parametrize(("T", "many"), [(1, 5), (2, 5), (40, 12), (100, 12), (7, 40)])
def test_spans_reach_from_one_step_to_the_whole_text(T, many):
    spans = jacobian_spectra.spans_of(T, many)
    assert (spans[0], spans[-1]) == (1, T)
    assert len(spans) <= many
    assert sorted(set(spans)) == spans


@pytest.mark.parametrize("H", [1, 2, 3, 8])
@pytest.mark.parametrize("T", [1, 20])
def test_curves_and_numbers_are_those_of_the_singular_values(H, T):
    rng, spans = np.random.default_rng(0), jacobian_spectra.spans_of(T, 6)
    logs = list(growing_products(rng.standard_normal((H, H)) / np.sqrt(H), rng.uniform(0.3, 1, (T, H)), spans))
    spectrum = Spectrum(spans, logs, np.linspace(0.1, 0.3, T), 1.1, 2.2)
    _, *curves = jacobian_spectra.jacobian_figure(spectrum)["data"]
    for i, curve in enumerate(curves):
        assert np.log10(curve["y"]).tolist() == pytest.approx([float(values[i * H // len(curves)]) for values in logs], abs=1e-3)
    assert len(curves) == min(H, 4)
    scene = jacobian_spectra.jacobian_numbers(spectrum)
    truth = [1.1, 2.2, 10 ** logs[0][0], 10 ** logs[-1][0], 10 ** (logs[-1][0] / T), 10, 30 if T > 1 else 10]
    assert [value(number.strip("× %")) for _, number in scene["rows"]] == pytest.approx(truth, rel=0.06)


def test_size_against_lag_is_the_core_s_and_the_untrained_one_has_the_same_start():
    lags = np.subtract.outer(np.arange(12), np.arange(12))
    now, untrained = (lag_curve(np.where(lags >= 0, 3 * rate ** np.maximum(lags, 0).astype(float), 0.0)) for rate in (0.5, 0.9))
    figure = size_against_lag.lag_figure(now, untrained, untrained)
    assert trace(figure, "median")["y"] == pytest.approx(now.median, rel=1e-4)
    for name in ("untrained", "with an additive path"):
        assert trace(figure, name)["y"] == pytest.approx(untrained.median, rel=1e-4)


@pytest.mark.parametrize("T", [2, 12, 40])
def test_shares_of_the_recurrent_gradient_are_the_core_s_and_sum_to_a_hundred(T):
    rng = np.random.default_rng(0)
    b = backward_pass(init_params(5, 8, rng=rng), *rng.integers(0, 5, (2, T)))
    found = recurrent_shares(b.trace, b.flow(vectors=True))
    sums = (found.shares.sum(1), found.shares.sum(0))
    for bars, truth in zip(gradient_shares.shares_figure(found, "a" * T, "<" * T)["data"], sums, strict=True):
        assert bars["y"] == pytest.approx((100 * truth).tolist(), abs=0.0051)
        assert sum(bars["y"]) == pytest.approx(100, abs=0.02 * T)
    sizes = [value(word) for row in gradient_shares.shares_triangle(found, "a" * T, "b" * T)["words"] for word in row]
    assert sizes == pytest.approx(found.items[np.tril_indices(T)].tolist(), rel=0.06)


def experiment(rate: float) -> Experiment:
    median = 3.0 * rate ** np.arange(40)
    return Experiment(LagCurve(median, median, median, rate, 3.0), 0.25, np.ones(3))


def side(rate: float, radius: float = 1.1, clipped: Clipped | None = None) -> radius_comparison.Side:
    return radius_comparison.Side(experiment(rate), radius, clipped, clipped)


def live(rate: float, clipped: Clipped | None = None, radius: float = 1.1) -> radius_comparison.Live:
    return radius_comparison.Live(side(rate, radius, clipped), experiment(0.9), 1.6, 500)


def test_moments_of_the_run_have_a_curve_and_a_row_each():
    rates = {0: 0.9, 10: 0.8, 100: 0.85, 512: 0.7}
    moments = [size_against_lag.MeasuredMoment(update, experiment(rate)) for update, rate in rates.items()]
    curves = size_against_lag.lag_history_figure(moments[:3], moments[3])["data"]
    rows = size_against_lag.lag_history_numbers(moments[:3], moments[3])["rows"]
    assert [row[0] for row in rows] == ["untrained", "10", "100", "now, 512"]
    for curve, row, rate in zip(curves, rows, rates.values(), strict=True):
        assert curve["y"] == pytest.approx((rate ** np.arange(40)).tolist(), rel=1e-4)
        assert value(row[1].removeprefix("× ")) == pytest.approx(rate, rel=0.006)
        assert value(row[2]) == pytest.approx(rate**32, rel=0.06)


@pytest.mark.parametrize(("radius", "fresh", "trained", "says"), [
    (1.1, 0.97, 0.6, "need not explode"), (2.0, 1.1, 0.6, "not the radius that decides"), (2.0, 1.1, 1.2, "rule of thumb"),
    (0.5, 0.6, 1.1, "not the radius that decides"), (0.9, 1.1, 1.2, "need not vanish"), (0.9, 0.8, 0.7, "no radius above one"),
    (0.9, 0.0, 0.7, "zero or no finite number"),
])  # fmt: skip
def test_the_conclusion_follows_from_the_radius_and_the_factors(radius, fresh, trained, says):
    assert says in radius_comparison.radius_sentence(side(fresh, radius), live(trained, radius=radius))


def test_a_fresh_network_and_the_scaled_copy_are_compared_relative_to_lag_zero():
    for curve, rate in zip(radius_comparison.what_if_chart(side(0.9), live(0.8))["data"], (0.9, 0.9, 0.8), strict=True):
        assert curve["y"] == pytest.approx((rate ** np.arange(40)).tolist(), rel=1e-4)
    rows = radius_comparison.comparison(side(0.9), live(0.8), 1.0)["rows"]
    assert rows[0][1:] == ["× 0.900", "× 0.800"]
    assert value(rows[1][1].removeprefix("× ")) == pytest.approx(0.9**size_against_lag.MAX_LAG, rel=0.06)


def test_the_gauge_has_both_lengths_and_the_angle():
    fresh, trained = side(0.9, clipped=Clipped(4.0, 1.0, 24.0)), live(0.9, Clipped(2.0, 1.0, 1e-7))
    (_, one, other), _ = radius_comparison.comparison(fresh, trained, 1.0)["gauges"]
    assert one == {"says": "4.00 → 1.00", "turned": "turned by 24°", "before": 1.0, "after": 0.25}
    assert other == {"says": "2.00 → 1.00", "turned": "turned by 0°", "before": 0.5, "after": 0.25}


def test_both_paths_lie_on_the_map_and_their_steepest_update_is_in_the_table():
    surface, free, clipped = loss_surface(20), descend(0.4, 1.4, 20), descend(0.4, 1.4, 20, 1.0)
    figure, norms = cliff.cliff_figure(surface, free, clipped), cliff.norms_figure(free, clipped)
    table, steps = cliff.cliff_numbers(free, clipped), cliff.path_steps(free, clipped, ((0.4,), (1.4,)))
    for i, (name, descent) in enumerate((("not clipped", free), ("clipped at 1", clipped)), start=1):
        path = trace(figure, name)
        assert np.transpose([path["x"], path["y"]]) == pytest.approx(descent.places, rel=1e-5)
        assert trace(norms, name)["y"] == pytest.approx(descent.norms[:-1], rel=1e-4)
        shown = {row[0]: row[i] for row in table["rows"]}
        assert int(shown["steepest update"]) == 1 + np.argmax(descent.norms[:-1])
        assert value(shown["its norm"]) == pytest.approx(descent.norms.max(), rel=0.006)
        assert value(shown["loss after update 50"]) == pytest.approx(descent.losses[-1], rel=0.006)
        before, after = map(value, shown["b_h"].split(" → "))
        assert (before, after) == pytest.approx(descent.places[descent.steepest :, 0][:2], rel=0.06)
        for u, rows in enumerate(steps["frames"]):
            expected = [*descent.places[u], descent.losses[u], descent.norms[u]]
            assert [value(text) for text in rows[i - 1][1:]] == pytest.approx(expected, rel=0.006, abs=1e-9)
    drawn = trace(figure, "loss")
    row, column = 40, 60
    place = drawn["x0"] + column * drawn["dx"], drawn["y0"] + row * drawn["dy"]
    assert drawn["z"][row][column] == pytest.approx(descend(*place, 20).losses[0], abs=1e-4)


def test_a_path_that_leaves_the_map_is_marked_on_its_edge():
    free, clipped = descend(0.4, 1.4, 20), descend(0.4, 1.4, 20, 1.0)
    mark = trace(cliff.cliff_figure(loss_surface(20), free, clipped), "off the map")
    assert (mark["customdata"], mark["x"]) == ([12], [BIASES[1]])
    (x0, y0), (x1, y1) = free.places[11:13]
    assert mark["y"] == pytest.approx([y0 + (y1 - y0) * (BIASES[1] - x0) / (x1 - x0)])


@pytest.mark.parametrize(("start", "stays"), [((0.4, 1.4), True), ((0.7, 1.55), False)])
def test_only_a_path_that_moves_no_more_is_said_to_stay_where_it_landed(start, stays):
    free = descend(*start, 20)
    landed, end = free.places[free.steepest + 1], free.places[-1]
    assert (np.abs(end - landed) < 0.01).all() == stays
    says = cliff.cliff_numbers(free, descend(*start, 20, 1.0))["sentence"]
    assert ("there it stays" in says) == stays
    if not stays:
        assert f"After 50 updates it is at b_h {number(end[0])}, W_hh {number(end[1])}" in says


@pytest.mark.parametrize("T", [5, 20])
def test_the_wall_is_where_the_last_state_jumps(T):
    def last(bias, weight) -> float:
        return float(forward(network(bias, weight), np.zeros((T, 1), np.int64)).h[-1, 0, 0])

    figure, (best, *rest) = cliff_wall.wall_figure(T), map(value, re.findall(r"−?\d+\.?\d*", cliff_wall.wall_sentence(T)))
    assert last_loss(best) == pytest.approx(LOWEST, abs=1e-4)
    low, high = rest[4], rest[7]
    assert rest[2:4] == pytest.approx([last(bias, low) for bias in rest[:2]], rel=0.06)
    assert rest[5:7] == pytest.approx([last(bias, high) for bias in rest[:2]], rel=0.06)
    assert rest[6] > 5 * rest[3]
    for weight in (low, high):
        curve = trace(figure, f"W_hh {weight:g}")
        assert curve["y"][::40] == pytest.approx([last(bias, weight) for bias in curve["x"][::40]], abs=1e-3)


def last_loss(state: float) -> float:
    """The loss of the last step at this state."""
    p = 1 / (1 + math.exp(-2 * W_HQ * state))
    return -SHARE * math.log(p) - (1 - SHARE) * math.log(1 - p)


def test_a_start_has_the_colour_of_what_arrives_from_it():
    free, clipped = np.array([[False, True], [False, True]]), np.array([[False, False], [True, True]])
    heat, *keys, _chosen = cliff.starts_figure(free, clipped, 50, (0.0, 1.0))["data"]
    assert heat["text"] == [["neither way", "only if not clipped"], ["only if clipped", "both ways"]]
    assert [key["name"] for key in keys] == ["both ways", "only if clipped", "only if not clipped", "neither way"]
    says = cliff.starts_sentence(free, clipped, 50, 1.0)
    assert says.count("50 %") == 2


def test_without_a_clipped_step_both_paths_are_the_same():
    free, clipped = descend(0.4, 1.4, 20), descend(0.4, 1.4, 20, 100.0)
    assert np.array_equal(free.places, clipped.places)
    assert "the same" in cliff.cliff_numbers(free, clipped)["sentence"]
