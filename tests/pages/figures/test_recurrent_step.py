"""The figures of the page Recurrent step: every number equals the core's."""

import math
from itertools import accumulate, chain, pairwise

import numpy as np
import pytest

from core.analysis import one_step_matrices as orders
from core.analysis.one_step_matrices import draw_matrices, one_step_back, slope_curve, two_ways
from core.analysis.recurrent_step import AfterText, growth
from core.models.initialisation import init_params
from core.text.tokenizer import Tokenizer
from core.training.experiments.bit_networks import BEST_FOUND
from core.training.experiments.bit_tasks import last_states, network, task_named
from pages.figures.recurrent_step import (
    back,
    bit_network,
    bit_network_words,
    cells,
    graph,
    motivation,
    networks,
    products,
    shapes,
)
from pages.figures.recurrent_step.blocks import WIDTH
from tests.core.networks import TOKENIZER, unrolled_network
from tests.pages.figures.drawings import exact, value, words

sizes = pytest.mark.parametrize(("N", "D", "H"), [(3, 2, 4), (1, 1, 1), (6, 6, 6), (2, 6, 1)])


@pytest.mark.parametrize("activation", ["tanh", "relu", "sigmoid"])
@sizes
def test_one_step_back_has_the_numbers_of_the_core(N, D, H, activation):
    m = draw_matrices(N, D, H, np.random.default_rng(0), activation=activation)
    b = one_step_back(m, np.random.default_rng(1), activation)
    scene = back.step_back_drawing(m, b)
    results = [equation["items"][-1] for equation in scene["equations"]]
    assert f"{activation}^′" in scene["equations"][1]["first"]
    for item, wanted in zip(results, (b.a, b.dt, b.db[None], b.dW_hh, b.dh_prev, b.dW_xh, b.dx), strict=True):
        np.testing.assert_allclose(exact(item["parts"][0]), wanted, atol=6e-7)
        assert item["shape"] == f"{wanted.shape[0]}×{wanted.shape[1]}"
    repeated = exact(scene["equations"][0]["items"][4]["parts"][0])  # the bias: repeated forward, summed backward
    np.testing.assert_allclose(repeated, np.repeat(m.b, N, axis=0), atol=6e-7)
    dots = back.slope_figure(b, slope_curve(4.0, activation))["data"][1]
    drawn = sorted(zip(dots["x"], dots["y"], strict=True))
    np.testing.assert_allclose(drawn, sorted(zip(b.a.flat, b.slope.flat, strict=True)), atol=1e-3)


@sizes
def test_every_edge_of_the_graph_has_its_matrix_and_its_gradient(N, D, H):
    m = draw_matrices(N, D, H, np.random.default_rng(0))
    b = one_step_back(m, np.random.default_rng(1))
    scene = graph.graph_drawing(m, b)
    tones = [wire["tone"] for wire in scene["wires"]]
    assert tones.count("forward") == tones.count("back") == len(scene["places"])
    pairs = {place["matrices"][0]["name"]: place["matrices"] for place in scene["places"]}
    for name, number, gradient in (
        ("h_{prev}", m.H, b.dh_prev),
        ("W_{hh}", m.W_hh, b.dW_hh),
        ("x", m.X, b.dx),
        ("W_{xh}", m.W_xh, b.dW_xh),
        ("b_{h}", m.b, b.dt.sum(axis=0, keepdims=True)),
        ("h_{prev} W_{hh}", m.H @ m.W_hh, b.dt),
        ("x W_{xh}", m.X @ m.W_xh, b.dt),
        ("b_{h} repeated", np.repeat(m.b, N, axis=0), b.dt),
        ("sum", m.H @ m.W_hh + m.X @ m.W_xh, b.dt),
        ("t", m.H @ m.W_hh + m.X @ m.W_xh + m.b, b.dt),
        ("h_{next}", np.tanh(m.H @ m.W_hh + m.X @ m.W_xh + m.b), b.dh_next),
    ):
        forward, backward = pairs.pop(name)
        np.testing.assert_allclose(exact(forward), number, atol=6e-7)
        np.testing.assert_allclose(exact(backward), gradient, atol=6e-7)
        assert forward["shape"].startswith("×".join(map(str, number.shape)))
    assert not pairs


@sizes
@pytest.mark.parametrize("decimals", [1, 4])
def test_two_products_and_one_have_the_numbers_of_the_core(N, D, H, decimals):
    m = draw_matrices(N, D, H, np.random.default_rng(0), decimals=decimals)
    ways = two_ways(m)
    scene = products.products_drawing(m, ways, decimals=decimals)
    above, below = scene["equations"]
    for item, wanted in ((above[0], m.X), (above[2], m.W_xh), (above[4], m.H), (above[6], m.W_hh)):
        np.testing.assert_array_equal([[value(text) for text, _, _ in row] for row in item["parts"][0]["cells"]], wanted)
    for item, wanted in ((above[8], ways.two_products), (below[4], ways.one_product)):
        np.testing.assert_allclose(exact(item["parts"][0]), wanted, atol=6e-7)
    for n, j in np.ndindex(N, H if decimals == 1 else 0):  # only with one decimal the numbers in a cell's sum are exact
        addends, total = scene["sum"]["addends"][n][j], scene["sum"]["totals"][n][j]
        assert sum(value(product) for _, _, product, _ in addends) == pytest.approx(value(total), abs=1e-9)
        assert all(value(a) * value(b) == pytest.approx(value(p), abs=1e-9) for a, b, p, _ in addends)
        assert [tone for *_, tone in addends] == ["input"] * D + ["memory"] * H
        assert sum(map(value, scene["sum"]["parts"][n][j])) == pytest.approx(value(total), abs=1e-9)
        of_input = sum(value(product) for *_, product, tone in addends if tone == "input")
        assert value(scene["sum"]["parts"][n][j][0]) == pytest.approx(of_input, abs=1e-9)


def test_what_differs_by_rounding_alone_is_written_the_same():
    for seed in range(60):
        m = draw_matrices(6, 6, 6, np.random.default_rng(seed))
        equations = products.products_drawing(m, two_ways(m), decimals=1)["equations"]
        one, other = ([[cell[0] for cell in row] for row in equation[-1]["parts"][0]["cells"]] for equation in equations)
        assert one == other


def test_the_mean_loses_the_order_of_two_words_and_the_other_ways_do_not():
    m = draw_matrices(7, 3, 4, np.random.default_rng(0))
    for pair, signs in (((0, 1), ["=", "≠", "≠"]), ((3, 3), ["=", "=", "="])):
        equations = products.order_drawing(orders.in_both_orders(m, *pair), ("you", "say"))["equations"]
        assert [equation["items"][-2] for equation in equations] == signs


@pytest.mark.parametrize("D", [0, 5])
@pytest.mark.parametrize("activation", ["tanh", "relu"])
def test_three_cells_show_the_core_states_as_output_and_next_input(D, activation):
    params, u = unrolled_network(6, H=6, D=D, activation=activation)
    scene = cells.cells_drawing(u, params, TOKENIZER.symbols(u.tokens), TOKENIZER.vocab)
    steps = [scene["grids"][i : i + 3] for i in (0, 3, 6)]
    for t, (_, _, after) in enumerate(steps, start=3):
        np.testing.assert_allclose([value(cell[0][2].split(": ")[1]) for cell in after["cells"]], u.h[t + 1], atol=0.006)
    assert all(left[2]["cells"] == right[1]["cells"] for left, right in pairwise(steps))


def test_both_networks_have_the_predictions_before_and_after_the_exchange():
    def readings(*both: list[float], H: int = 20) -> tuple[AfterText, ...]:
        return tuple(AfterText(np.random.default_rng(0).standard_normal((6, H)), np.array(p)) for p in both)

    p = [0.1, 0.6, 0.2, 0.1]
    judged = networks.Judged(10.46, "perplexity", 617), networks.Judged(math.inf, "", 0)
    how = {"vocabulary": ["a", "b", " ", "<b>"], "kind": "word", "judged": judged, "memory": 0.63, "activation": "relu"}
    symbols = [" ", "<b>", "a", "\n", "a", "b"]
    scene = networks.networks_drawing(symbols, (1, 2), readings(p, p), readings(p, [0.4, 0.3, 0.2, 0.1], H=3), **how)
    without, with_state = scene["sides"]
    assert scene["after"][1:3] == scene["before"][2:0:-1]
    assert with_state["predictions"][0] == ("b", 0.6, "60 %", 0.3, "30 %")
    assert "30 % of the probability" in words(with_state["verdict"])
    assert [side["perplexity"][0] for side in (without, with_state)] == ["10.5", "∞"]


@pytest.mark.parametrize(("N", "D", "H", "V"), [(32, 0, 128, 103), (1, 8, 1, 2), (256, 256, 512, 10_000), (1, 0, 512, 2)])
@pytest.mark.parametrize("T", [1, 1000])
def test_all_matrices_are_drawn_to_one_scale(N, D, H, V, T):
    lines = [[item for item in line if isinstance(item, dict)] for line in shapes.shapes_drawing(N, D, H, V, T, "tanh")["lines"]]
    boxes = list(chain(*lines))
    columns = [int("".join(filter(str.isdigit, box["says"].split("×")[1]))) for box in boxes]
    assert len({round(box["w"] / many, 2) for box, many in zip(boxes, columns, strict=True)}) == 1
    assert {box["name"] for box in boxes} >= {"X_t", "W_{xh}", "H_{t−1}", "W_{hh}", "H_t", "W_{hq}", "O_t"}
    assert all(sum(box["w"] + (box["copies"] - 1) * box["every"] for box in line) < WIDTH for line in lines)
    assert boxes[-1]["copies"] == T


@pytest.mark.parametrize("D", [0, 3])
def test_the_rows_of_the_input_are_rows_of_the_text(D):
    window, tokenizer = np.array([[0, 1, 2], [2, 2, 0], [1, 0, 1]]), Tokenizer(("a", " ", "<", "_"))
    params = init_params(4, 5, embedding_size=D, rng=np.random.default_rng(3), dtype=np.float64)
    scene = shapes.rows_drawing(window, 7, 100, params, tokenizer)
    assert [(row["text"], row["token"]) for row in scene["rows"]] == [("a·", "<"), ("<<", "a"), ("·a", "·")]
    assert scene["shape"].startswith(f"7×{D or 4}")
    rows = np.eye(4)[window[:, -1]] if not D else params.W_emb[window[:, -1]] / np.abs(params.W_emb[window[:, -1]]).max()
    np.testing.assert_allclose([[level for level, _ in row["cells"]] for row in scene["rows"]], rows, atol=6e-4)


@pytest.mark.parametrize(("V", "H", "D"), [(103, 128, 0), (2, 32, 0), (5000, 64, 100), (20_000, 1, 1)])
def test_the_reasons_for_a_state_have_their_numbers(V, H, D):
    g = growth(V, H, D)
    for curve, wanted in zip(motivation.growth_figure(g, "bit")["data"], (g.table, g.window, [g.rnn] * 10), strict=True):
        assert curve["y"] == pytest.approx([float(number) for number in wanted], rel=1e-4)
    shares = motivation.never_seen_figure([0.0, 0.002, 0.5, 1.0, math.nan], "word")["data"][0]["y"]
    assert shares == pytest.approx([0, 0.2, 50, 100, None])


def test_what_is_learnt_does_not_grow_with_the_length_of_the_text():
    learnt, same, grown = shapes.shapes_words(N=32, D=0, H=128, V=103, T=100)
    assert value(learnt["aside"].split(" ")[0]) == sum(value(number) for _, number in learnt["rows"]) == 42_983
    assert [value(number) for _, number in same["rows"]] == [42_983, 42_983]
    assert [value(number) for _, number in grown["rows"]] == [4096, 409_600]


@pytest.mark.parametrize("weight", [-3.0, -1.2, -1.0, -0.5, 0.0, 0.8, 1.0, 1.2, 3.0])
def test_what_is_said_of_a_weight_is_what_becomes_of_a_state(weight):
    says = bit_network_words.held(weight)
    for start in (0.5, -0.5):
        *_before, last_but_one, last = accumulate(range(2000), lambda h, _step: math.tanh(weight * h), initial=start)
        fades, changes_sides = abs(last) < 0.05, last * last_but_one < 0
        assert ("comes nearer to 0" in says) == fades
        assert fades or ("changes sides" in says) == changes_sides
        assert fades or f"{last:.2f}".replace("-", "−") in says


def test_a_state_at_which_both_answers_come_is_counted_once():
    params = network(np.zeros(8))
    states, answers = last_states(params, task_named("echo-0"))
    assert answers.tolist() == [0, 1]
    assert bit_network.states_label(states).startswith("1 state ")


def test_where_two_units_may_not_be_enough_the_hint_names_the_bits_that_share_them():
    hints = {goal: bit_network_words.hint_of(goal, 2) for goal, units in BEST_FOUND if units == 2}
    assert {goal: hint[0] for goal, hint in hints.items()} == {"echo-2": "3", "echo-3": "4", "lag-3": "3"}
    assert not bit_network_words.hint_of("lag-2", 2)[0].isdigit()
