"""The drawing of the unrolled network: true numbers, sizes as designed, nothing outside the paper, few bytes."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.unrolled import liveliest, unroll
from core.figures.parts.network import UNITS, WIDTH, layout_of, loss_dot, network_scene
from core.figures.parts.numbers import decimals, signed
from core.figures.parts.symbols import fitted, visible
from core.models.initialisation import init_params
from core.models.rnn import forward
from core.text.tokenizer import Tokenizer

TOKENIZER = Tokenizer(tuple("abcdefghijklmnopqrstuvwxyz .,-"))


def looked_at(T, H=128, activation="tanh", gain=1.2, seed=0):
    rng = np.random.default_rng(seed)
    params = init_params(TOKENIZER.size, H, gain=gain, rng=rng)
    ids = rng.integers(0, TOKENIZER.size, T + 1)
    return params, unroll(params, ids[:-1], ids[1:], activation=activation)


@pytest.mark.parametrize("activation", ["tanh", "relu", "sigmoid"])
@pytest.mark.parametrize("T", [1, 6, 15, 40])
def test_every_number_is_the_core_s_in_float64(T, activation):
    params, u = looked_at(T, activation=activation)
    scene = network_scene(u, TOKENIZER)
    trace = forward(params.copy(np.float64), u.tokens[:, None], activation=activation)
    h = trace.h[1:, 0, scene["units"]]
    limit = 1.0 if activation != "relu" else np.abs(trace.h).max()
    assert np.abs(np.array([column["state"] for column in scene["columns"]]) / 100 - h / limit).max() <= 0.005 + 1e-12
    p = np.exp(trace.logits[:, 0]) / np.exp(trace.logits[:, 0]).sum(axis=1, keepdims=True)
    for t, column in enumerate(scene["columns"]):
        nats = -math.log(p[t, u.targets[t]])
        assert float(column["loss"][2]) == pytest.approx(nats, abs=0.0501 if 9 <= T < 27 else 0.00501)
        assert float(scene["means"][t][2]) == pytest.approx(-np.log(p[range(t + 1), u.targets[: t + 1]]).mean(), abs=0.0501)
        for symbol, said, share, is_target in column["prediction"]:
            truth = p[t, TOKENIZER.vocab.index(" " if symbol == "␣" else symbol)]
            assert share == pytest.approx(truth, abs=0.0005)
            assert said == "<.01" if truth < 0.005 else float(said) == pytest.approx(truth, abs=0.005 + 1e-9)
            assert is_target == (symbol == visible(TOKENIZER.vocab[u.targets[t]]))


def test_the_measures_are_those_of_the_design():
    six, fifteen, forty = (layout_of(T, 1) for T in (6, 15, 40))
    assert [layout.density for layout in (six, fifteen, forty)] == ["roomy", "middle", "tight"]
    assert [round(layout.pitch) for layout in (six, fifteen, forty)] == [144, 58, 22]
    assert [round(layout.strip) for layout in (six, fifteen, forty)] == [40, 21, 8]
    assert [layout.box_font for layout in (six, fifteen, forty)] == [20, 17, 14]


@given(T=st.integers(1, 40), longest=st.integers(1, 60))
def test_nothing_leaves_its_column_or_the_paper(T, longest):
    layout = layout_of(T, longest)
    assert layout.x(0) - layout.pitch / 2 >= 90
    assert layout.x(T - 1) + layout.pitch / 2 <= WIDTH
    for width in (layout.strip, layout.box, 2 * layout.half):
        assert 0 < width < layout.pitch


@pytest.mark.parametrize("T", range(1, 41))
@pytest.mark.parametrize("nats", [0.04, 4.52, 9.96, 12.34, 310.0])
def test_a_loss_lies_within_its_column(T, nats):
    layout = layout_of(T, 1)
    x, begin, font, _ = layout.losses
    radius, _, said = loss_dot(nats, layout)
    wide = 0 if layout.density == "tight" else 0.55 * font * len(said.replace(".", ""))
    assert x - radius >= -layout.pitch / 2 - 0.5
    assert max(x + radius, begin + wide + 4 * ("." in said)) <= layout.pitch / 2 + 0.5


def test_loss_dots_stay_on_the_paper_and_grow_with_the_loss():
    radii = [network_scene(looked_at(6, gain=gain)[1], TOKENIZER)["columns"][0]["loss"][0] for gain in (0.5, 1.0)]
    assert all(3 <= radius <= 26 for radius in radii)
    assert network_scene(looked_at(40)[1], TOKENIZER)["columns"][0]["loss"][0] <= 0.8 * 12.5


def test_the_drawn_units_vary_most():
    _, u = looked_at(6)
    scene = network_scene(u, TOKENIZER)
    assert scene["units"] == liveliest(u.h[1:], UNITS).tolist()
    assert len(network_scene(looked_at(6, H=5)[1], TOKENIZER)["units"]) == 5


@pytest.mark.parametrize("T", [1, 6, 12, 40])
def test_the_row_is_called_a_prediction_only_where_it_shows_the_best_guess(T):
    _, u = looked_at(T)
    scene = network_scene(u, TOKENIZER)
    best = all(
        max(row[2] for row in column["prediction"]) == pytest.approx(u.p[t].max(), abs=0.0005)
        for t, column in enumerate(scene["columns"])
    )
    assert (scene["rows"][1][0] == "prediction") == best


def test_the_target_is_always_among_the_predictions():
    _, u = looked_at(6)
    for t, column in enumerate(network_scene(u, TOKENIZER)["columns"]):
        assert [row[3] for row in column["prediction"]].count(True) == 1
        best = np.sort(u.p[t])[::-1][:2]
        assert [row[2] for row in column["prediction"][:2]] == pytest.approx(best, abs=0.001)


def test_an_exploded_network_is_drawn_and_can_be_sent():
    params, u = looked_at(6)
    params = params.copy(np.float64)
    params.W_hh[...] = 1e200
    u = unroll(params, u.tokens, u.targets, activation="relu")
    scene = network_scene(u, TOKENIZER)
    json.dumps(scene, allow_nan=False)
    assert {column["loss"][2] for column in scene["columns"]} & {"∞", "–"}


@pytest.mark.parametrize(
    ("symbol", "seen"),
    [(" ", "␣"), ("\n", "↵"), ("\t", "→"), ("\x00", "U+0000"), ("\u0301", "◌\u0301"), ("א", "א"), ("👩", "👩"), ("<b>", "<b>")],
)
def test_symbols_can_be_seen(symbol, seen):
    assert visible(symbol) == seen


@given(st.text(min_size=1, max_size=80), st.floats(1, 200))
def test_symbols_fit_where_they_stand(symbol, room):
    seen = fitted(symbol, room, 14)
    assert 1 <= len(seen) <= max(room / 8.4, len(visible(symbol)) if len(symbol) == 1 else 1)


def test_numbers_have_a_true_minus_sign_and_no_negative_zero():
    assert [signed(x) for x in (1.234, -1.234, 0.0, -0.001, 0.001)] == ["+1.23", "−1.23", "0.00", "0.00", "0.00"]
    assert [decimals(x) for x in (math.inf, -math.inf, math.nan, -123456.0)] == ["∞", "−∞", "–", "−1.2·10⁵"]
