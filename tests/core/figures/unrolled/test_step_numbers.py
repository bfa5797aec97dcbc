"""Every step in numbers: those of the core, sent as few bytes."""

import json

import numpy as np
import pytest

from core.analysis.dependence import dependence
from core.analysis.unrolled import pre_activations, unroll
from core.figures.parts.network import SUBSTEPS, forward_substeps, network_scene
from core.figures.unrolled.cell import cell_scene
from core.figures.unrolled.dependence import dependence_scene
from core.figures.unrolled.heat_map import heat_map
from core.figures.unrolled.step_numbers import BEST, rounded, step_numbers
from core.figures.unrolled.units import units_of
from core.models.initialisation import init_params
from core.models.rnn import forward
from core.text.tokenizer import Tokenizer
from tests.core.figures.parts.test_network import TOKENIZER, looked_at


def value(words):
    return 0.0 if words == "<.01" else float(words.replace("−", "-").replace("\u2009", ""))


def told(u, tokenizer=TOKENIZER):
    return step_numbers(u, tokenizer, units_of(u).listed)


def test_every_step_in_numbers_is_the_core_s_in_float64():
    params, u = looked_at(15)
    wide = params.copy(np.float64)
    trace = forward(wide, u.tokens[:, None])
    h, logits, a = trace.h[:, 0], trace.logits[:, 0], pre_activations(trace)[:, 0]
    p = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    losses = -np.log(p[np.arange(15), u.targets])
    numbers = told(u)
    for t, step in enumerate(numbers["steps"]):
        for unit, cells in zip(numbers["units"], step["units"], strict=True):
            truth = [wide.W_xh[u.tokens[t], unit], h[t] @ wide.W_hh[:, unit], wide.b_h[unit], a[t, unit], h[t + 1, unit]]
            assert [hundredths / 100 for hundredths in cells] == pytest.approx(truth, abs=0.005 + 1e-9)
        for i, (symbol, logit, exp, said) in enumerate(step["output"]["rows"]):
            token = TOKENIZER.vocab.index(" " if symbol == "␣" else symbol)
            assert logit / 100 == pytest.approx(logits[t, token], abs=0.005 + 1e-9)
            assert value(exp) == pytest.approx(np.exp(logits[t, token]), rel=0.006)
            assert said == "<.01" if p[t, token] < 0.005 else value(said) == pytest.approx(p[t, token], abs=0.005 + 1e-9)
            assert (i == step["output"]["target"]) == (token == u.targets[t])
        assert value(step["output"]["sum"]) == pytest.approx(np.exp(logits[t]).sum(), rel=0.006)
        assert value(step["loss"]["nats"]) == pytest.approx(losses[t], abs=0.005 + 1e-9)
        assert value(step["loss"]["mean"]) == pytest.approx(losses[: t + 1].mean(), abs=0.005 + 1e-9)
        assert value(step["loss"]["perplexity"]) == pytest.approx(np.exp(losses[: t + 1].mean()), rel=0.006)


def test_the_rest_is_what_the_rows_leave():
    _, u = looked_at(6)
    for t, step in enumerate(told(u)["steps"]):
        shown = [u.p[t, TOKENIZER.vocab.index(" " if row[0] == "␣" else row[0])] for row in step["output"]["rows"]]
        assert len(shown) == BEST
        assert step["output"]["rest"][0] == str(TOKENIZER.size - BEST)
        assert value(step["output"]["rest"][2]) == pytest.approx(1 - sum(shown), abs=0.006)


def test_a_small_vocabulary_leaves_no_rest():
    tokenizer = Tokenizer(("0", "1"))
    ids = np.array([0, 1, 1, 0])
    u = unroll(init_params(2, 4, rng=np.random.default_rng(0)), ids[:-1], ids[1:])
    for step in told(u, tokenizer)["steps"]:
        assert len(step["output"]["rows"]) == 2
        assert step["output"]["rest"] == []


def test_large_logits_are_shown_relative_to_the_largest():
    params, u = looked_at(6)
    params.b_q[0] = 500
    for step in told(unroll(params, u.tokens, u.targets))["steps"]:
        assert step["output"]["shifted"]
        assert value(step["output"]["sum"]) == pytest.approx(1, rel=0.01)


def test_forty_steps_of_128_units_are_under_60_kilobytes():
    params, u = looked_at(40)
    moved, heat = dependence(params, u.tokens), heat_map(u, units_of(u))
    sent = [network_scene(u, TOKENIZER), told(u), heat, dependence_scene(moved, u, TOKENIZER)]
    sent.append(cell_scene(u, params, TOKENIZER, heat["drawn"]))
    assert len(json.dumps(sent, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()) < 60_000


@pytest.mark.parametrize("activation", ["tanh", "relu"])
def test_an_exploded_network_can_be_sent(activation):
    params, u = looked_at(6)
    params.W_hh[...] = 1e38
    params.W_hq[...] = 1e38
    u = unroll(params, u.tokens, u.targets, activation=activation)
    json.dumps([network_scene(u, TOKENIZER), told(u), heat_map(u, units_of(u))], allow_nan=False)
    assert rounded(1e30) == "+10³⁰"
    assert rounded(-np.inf) == "−∞"


def test_sub_steps_are_named_after_the_activation():
    assert [name for name, _ in forward_substeps("tanh", embedded=False)] == [name for name, _ in SUBSTEPS]
    name, law = forward_substeps("relu", embedded=False)[2]
    assert name == "relu"
    assert law.startswith("h_{t} = relu(a_{t})")
    assert "W_{emb}" in forward_substeps("tanh", embedded=True)[0][1]
