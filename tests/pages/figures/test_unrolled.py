"""The figures of the page Unrolled: every number equals that of the core's forward pass in float64."""

import base64
import json
import math
from dataclasses import replace

import numpy as np
import pytest

from core.analysis.unrolled import Unrolled, dependence, pre_activations, top_variance_units
from core.models.params import Params
from core.models.rnn import Trace, forward
from pages.figures.parts.network import STRIP_UNITS, network_drawing
from pages.figures.parts.symbols import visible
from pages.figures.parts.triangle import MOVED_FLOOR, dependence_drawing, moved_shade
from pages.figures.unrolled.cell_drawings import MAPPED, cell_drawing, heat_map, layers_drawing, units_of
from pages.figures.unrolled.step_numbers import likelihood, product_drawing, step_numbers
from tests.core.networks import TOKENIZER, unrolled_network
from tests.pages.figures.drawings import value


def core_s(params: Params, u: Unrolled) -> tuple[Trace, np.ndarray, np.ndarray]:
    """The forward pass, probabilities, and losses in nats."""
    trace = forward(params.copy(np.float64), u.tokens[:, None], activation=u.activation)
    p = np.exp(trace.logits[:, 0]) / np.exp(trace.logits[:, 0]).sum(axis=1, keepdims=True)
    return trace, p, -np.log(p[range(len(u.tokens)), u.targets])


def token_of(symbol: str) -> int:
    return TOKENIZER.vocab.index(" " if symbol == "␣" else symbol)


def assert_written(text: str, p: float) -> None:
    """Check a probability that is written to two decimals."""
    assert text == "<.01" if p < 0.005 else value(text) == pytest.approx(p, abs=0.005 + 1e-9)


def test_in_a_scene_a_short_text_is_slow_and_pauses_at_what_comes_again():
    _, u = unrolled_network(6)
    tokens = np.array([0, 1, 2, 3, 1, 4])
    usual, scene = (network_drawing(replace(u, tokens=tokens), TOKENIZER, in_scene=is_one) for is_one in (False, True))
    assert (usual["in_scene"], scene["in_scene"]) == (False, True)
    assert scene["pace"] > usual["pace"]
    assert (usual["holds"], scene["holds"]) == ([], [1, 4])
    _, long = unrolled_network(40)
    assert network_drawing(long, TOKENIZER, in_scene=True) == network_drawing(long, TOKENIZER) | {"in_scene": True}


@pytest.mark.parametrize("activation", ["tanh", "relu", "sigmoid"])
@pytest.mark.parametrize("T", [1, 6, 15, 40])
def test_the_network_and_the_cell_have_the_states_predictions_and_losses_of_the_core(T, activation):
    params, u = unrolled_network(T, activation=activation)
    scene, (trace, p, losses) = network_drawing(u, TOKENIZER), core_s(params, u)
    h = trace.h[1:, 0, scene["units"]]
    limit = 1.0 if activation != "relu" else np.abs(trace.h).max()
    assert np.abs(np.array([column["state"] for column in scene["columns"]]) / 100 - h / limit).max() <= 0.005 + 1e-12
    for t, column in enumerate(scene["columns"]):
        for (nats, texts), truth in ((column["loss"], losses[t]), (scene["means"][t], losses[: t + 1].mean())):
            assert nats == pytest.approx(truth, abs=0.000501)
            assert [abs(float(text) - truth) <= most for text, most in zip(texts, (0.00501, 0.0501, 0.501), strict=True)] == [
                True
            ] * 3
        for symbol, text, share, is_target in column["prediction"]:
            assert share == pytest.approx(p[t, token_of(symbol)], abs=0.0005)
            assert_written(text, p[t, token_of(symbol)])
            assert is_target == (symbol == visible(TOKENIZER.vocab[u.targets[t]]))
        assert [row[3] for row in column["prediction"]].count(True) == 1
        assert column["prediction"][0][1] == f"{p[t].max():.2f}"
    for t, (token, guess, sure, label, text, nats) in enumerate(cell_of(params, u)["steps"]):
        target = u.targets[t]
        assert (token, label) == (visible(TOKENIZER.vocab[u.tokens[t]]), visible(TOKENIZER.vocab[target]))
        assert (guess, sure) == (visible(TOKENIZER.vocab[p[t].argmax()]), f"{p[t].max():.2f}")
        assert float(text) == pytest.approx(p[t, target], rel=0.051)
        assert float(nats) == pytest.approx(losses[t], abs=0.005 + 1e-9)


@pytest.mark.parametrize(("nats", "texts"), [(99.957, ["99.96", "100.0", "100"]), (12_345.0, ["1.2·10⁴", "1.2·10⁴", "12k"])])
def test_a_large_loss_has_short_texts(nats, texts):
    _, u = unrolled_network(6)
    column, *_ = network_drawing(replace(u, losses=np.full(6, nats)), TOKENIZER)["columns"]
    assert column["loss"] == (nats, texts)


@pytest.mark.parametrize(("nats", "text"), [(math.inf, "∞"), (math.nan, "–")])
def test_a_loss_that_is_no_number_has_its_sign(nats, text):
    _, u = unrolled_network(6)
    assert network_drawing(replace(u, losses=np.full(6, nats)), TOKENIZER)["columns"][0]["loss"] == (None, [text] * 3)


def cell_of(params: Params, u: Unrolled) -> dict:
    return cell_drawing(u, params, TOKENIZER, heat_map(u, units_of(u))["drawn"])


@pytest.mark.parametrize("D", [0, 4, 20])
def test_the_input_of_the_cell_is_one_hot_or_a_row_of_the_embedding(D):
    params, u = unrolled_network(6, H=32, D=D)
    scene = cell_of(params, u)
    assert scene["input"]["size"] == (min(D, STRIP_UNITS) or TOKENIZER.size)
    assert scene["input"]["ones"] == ([] if D else u.tokens.tolist())
    if D:
        rows = params.W_emb[u.tokens]
        assert np.abs(scene["input"]["rows"]).max() == 100
        assert D > STRIP_UNITS or scene["input"]["rows"] == pytest.approx(100 * rows / np.abs(rows).max(), abs=0.5 + 1e-3)


@pytest.mark.parametrize("H", [5, 128, 600])
def test_the_heat_map_has_the_states_and_all_drawings_the_same_units(H):
    params, u = unrolled_network(40, H=H)
    units = units_of(u)
    heat = heat_map(u, units)
    states = np.frombuffer(base64.b64decode(heat["states"]), np.int8).reshape(40, -1)
    assert np.abs(states / 100 - u.h[1:, heat["units"]]).max() <= 0.005 + 1e-12
    assert len(set(heat["units"])) == len(heat["units"]) == min(H, MAPPED)
    assert (np.diff(u.h[1:].mean(axis=0)[heat["units"]]) <= 0).all()
    assert heat["drawn"] == cell_of(params, u)["places"]
    assert [heat["units"][place] for place in heat["drawn"]] == network_drawing(u, TOKENIZER, units.drawn)["units"] == units.drawn
    assert sorted(units.drawn) == sorted(top_variance_units(u.h[1:], STRIP_UNITS).tolist())
    assert [unit for unit in units.drawn if unit in units.listed] == units.listed


def test_the_losses_of_the_layers_add_up_to_the_mean():
    params, u = unrolled_network(6, H=4)
    scene = layers_drawing(u, params)
    assert float(scene["mean"]) == pytest.approx(np.mean(u.losses), abs=0.0006)
    assert [float(words) for words in scene["sums"]] == pytest.approx(np.cumsum(u.losses), abs=0.0051)


@pytest.mark.parametrize("T", [1, 6, 15])
def test_the_factors_give_the_probability_of_the_text_and_its_perplexity(T):
    params, u = unrolled_network(T)
    losses = core_s(params, u)[2]
    for t, (target, factor, product, ln, total, perplexity) in enumerate(product_drawing(u, TOKENIZER)["steps"]):
        assert target == TOKENIZER.vocab[u.targets[t]].replace(" ", "·")
        assert value(factor) == pytest.approx(np.exp(-losses[t]), rel=0.001)
        assert value(product) == pytest.approx(np.exp(-losses[: t + 1].sum()), rel=0.001)
        assert value(ln) == pytest.approx(-losses[t], abs=0.00051)
        assert value(total) == pytest.approx(-losses[: t + 1].sum(), abs=0.00051)
        assert value(perplexity) == pytest.approx(np.exp(losses[: t + 1].mean()), rel=0.001)
    assert [likelihood(nats) for nats in (-1e4, -math.inf)] == ["10⁻⁴³⁴³", "0"]  # too small for a float


def test_the_dependence_of_every_output_on_every_input_is_the_measured_one():
    params, u = unrolled_network(7)
    d = dependence(params, u.tokens)
    scene = dependence_drawing(d, u, TOKENIZER)
    assert scene["changed"] == []
    for t, row in enumerate(scene["words"]):
        assert len(row) == t + 1
        for words, moved in zip(row, d.moved[t], strict=False):
            assert words.startswith("<") if moved < MOVED_FLOOR else float(words) == pytest.approx(moved, rel=0.06)
    assert [moved_shade(x) for x in (0.0, MOVED_FLOOR, MOVED_FLOOR**0.5, 1.0, np.nan)] == [0, 0, 50, 100, 0]


def test_every_step_in_numbers_is_the_core_s():
    params, u = unrolled_network(15)
    wide, (trace, p, losses) = params.copy(np.float64), core_s(params, u)
    h, logits, a = trace.h[:, 0], trace.logits[:, 0], pre_activations(trace)[:, 0]
    numbers = step_numbers(u, TOKENIZER, units_of(u).listed)
    for t, step in enumerate(numbers["steps"]):
        for unit, cells in zip(numbers["units"], step["units"], strict=True):
            truth = [wide.W_xh[u.tokens[t], unit], h[t] @ wide.W_hh[:, unit], wide.b_h[unit], a[t, unit], h[t + 1, unit]]
            assert [hundredths / 100 for hundredths in cells] == pytest.approx(truth, abs=0.005 + 1e-9)
        output, tokens = step["output"], [token_of(row[0]) for row in step["output"]["rows"]]
        for token, (_, logit, exp, text) in zip(tokens, output["rows"], strict=True):
            assert logit / 100 == pytest.approx(logits[t, token], abs=0.005 + 1e-9)
            assert value(exp) == pytest.approx(np.exp(logits[t, token]), rel=0.006)
            assert_written(text, p[t, token])
        assert tokens[output["target"]] == u.targets[t]
        assert value(output["sum"]) == pytest.approx(np.exp(logits[t]).sum(), rel=0.006)
        assert value(output["rest"][2]) == pytest.approx(1 - p[t, tokens].sum(), abs=0.006)
        assert value(step["loss"]["nats"]) == pytest.approx(losses[t], abs=0.005 + 1e-9)
        assert value(step["loss"]["mean"]) == pytest.approx(losses[: t + 1].mean(), abs=0.005 + 1e-9)
        assert value(step["loss"]["perplexity"]) == pytest.approx(np.exp(losses[: t + 1].mean()), rel=0.006)


def test_forty_steps_of_128_units_are_under_60_kilobytes():
    params, u = unrolled_network(40)
    moved = dependence_drawing(dependence(params, u.tokens), u, TOKENIZER)
    numbers, heat = step_numbers(u, TOKENIZER, units_of(u).listed), heat_map(u, units_of(u))
    sent = [network_drawing(u, TOKENIZER), numbers, heat, moved, cell_of(params, u)]
    assert len(json.dumps(sent, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()) < 60_000
