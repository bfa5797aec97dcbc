"""The cell opened: its shapes, inputs, guesses and losses are the core's, and it is small."""

import json

import numpy as np
import pytest

from core.analysis.unrolled import unroll
from core.figures.parts.network import UNITS, network_scene
from core.figures.parts.symbols import visible
from core.figures.unrolled.cell import cell_scene, shapes
from core.figures.unrolled.heat_map import heat_map
from core.figures.unrolled.step_numbers import step_numbers
from core.figures.unrolled.units import units_of
from core.models.initialisation import init_params
from core.models.rnn import forward
from tests.core.figures.parts.test_network import TOKENIZER, looked_at


def scene_of(params, u):
    return cell_scene(u, params, TOKENIZER, heat_map(u, units_of(u))["drawn"])


def embedded(D, T=6, H=32):
    rng = np.random.default_rng(1)
    params = init_params(TOKENIZER.size, H, embedding_size=D, rng=rng)
    ids = rng.integers(0, TOKENIZER.size, T + 1)
    return params, unroll(params, ids[:-1], ids[1:])


@pytest.mark.parametrize("activation", ["tanh", "relu", "sigmoid"])
def test_every_step_says_what_the_core_computes(activation):
    params, u = looked_at(15, activation=activation)
    logits = forward(params.copy(np.float64), u.tokens[:, None], activation=activation).logits[:, 0]
    p = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    for t, (token, guess, sure, label, said, nats) in enumerate(scene_of(params, u)["steps"]):
        target = u.targets[t]
        assert token == visible(TOKENIZER.vocab[u.tokens[t]])
        assert (guess, sure) == (visible(TOKENIZER.vocab[p[t].argmax()]), f"{p[t].max():.2f}")
        assert label == visible(TOKENIZER.vocab[target])
        assert float(said) == pytest.approx(p[t, target], rel=0.051)
        assert float(nats) == pytest.approx(-np.log(p[t, target]), abs=0.005 + 1e-9)


def test_the_shapes_are_those_of_the_parameters():
    params, u = embedded(D=20)
    (D, H), V = params.W_xh.shape, params.W_hq.shape[1]
    both = np.concatenate([params.W_xh, params.W_hh])
    assert scene_of(params, u)["shapes"] == {
        "state": f"1 × {H}",
        "sum": f"{D} + {H}",
        "joined": f"1 × {len(both)}",
        "weights": f"{both.shape[0]} × {both.shape[1]}",
        "output": f"1 × {V}",
    }
    assert shapes(10_000, 2000, 10_000)["joined"] == "1 × 12\u2009000"


def test_the_strips_show_the_units_of_the_drawing_above():
    params, u = looked_at(40)
    scene, mapped = scene_of(params, u), np.array(units_of(u).mapped)
    states = np.rint(100 * u.h[1:]).astype(int)[:, mapped]
    shown = network_scene(u, TOKENIZER, units_of(u).drawn)
    assert mapped[scene["places"]].tolist() == shown["units"]
    assert [states[t, scene["places"]].tolist() for t in range(40)] == [column["state"] for column in shown["columns"]]
    assert scene["shown"] == f"{UNITS} of {len(mapped)} units"


def test_a_one_hot_input_is_the_place_of_its_one():
    params, u = looked_at(6)
    one_hot = np.eye(TOKENIZER.size)[u.tokens]
    given = scene_of(params, u)["input"]
    assert given["ones"] == one_hot.argmax(axis=1).tolist()
    assert given["size"] == params.W_xh.shape[0]
    assert given["rows"] == []


@pytest.mark.parametrize("D", [4, 20])
def test_an_embedded_input_is_its_row_of_the_embedding(D):
    params, u = embedded(D)
    given = scene_of(params, u)["input"]
    rows = params.W_emb[u.tokens]
    assert given["size"] == min(D, UNITS) == len(given["rows"][0])
    for t, row in enumerate(given["rows"]):
        largest = max(abs(value) for values in given["rows"] for value in values)
        assert largest == 100
        if D <= UNITS:
            assert row == pytest.approx(100 * rows[t] / np.abs(rows).max(), abs=0.5 + 1e-3)


def test_the_page_stays_small_with_it():
    params, u = looked_at(40)
    assert len(json.dumps(scene_of(params, u), ensure_ascii=False).encode()) < 3500


@pytest.mark.parametrize("activation", ["tanh", "relu"])
def test_an_exploded_network_can_be_sent(activation):
    params, u = embedded(D=8)
    params.W_emb[0] = np.inf
    params.W_hq[...] = 1e38
    u = unroll(params, np.zeros_like(u.tokens), u.targets, activation=activation)
    json.dumps([scene_of(params, u), step_numbers(u, TOKENIZER, units_of(u).listed)], allow_nan=False)
