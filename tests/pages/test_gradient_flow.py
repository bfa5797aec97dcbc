"""The Gradient flow page without a browser: the numbers drawn are those of the core's own backward pass, whatever the network."""

import json

import numpy as np
import pytest

from core.analysis.branches import from_future, from_loss
from core.analysis.gradient_flow import gradient_flow
from core.analysis.unrolled import read_window
from core.models.rnn import backward, forward

PAGE = "pages/5_gradient_flow.py"
KEYS = ("network", "backward_numbers", "triangle")


@pytest.fixture
def page(visit):
    """A visitor who has turned to the page, its run small."""
    return opened(visit)


def opened(visit, **settings):
    visitor = visit(**{"max_tokens": 20_000, "hidden_size": 16, "batch_size": 8, "num_steps": 8, **settings})
    visitor.app.switch_page(PAGE)
    return visitor.run()


def choose(page, text):
    page.app.selectbox(key="gradient_flow_text").set_value(text)
    return page.run()


def window(page, T):
    reading = read_window(page.stage.corpus.held_out, T)
    return reading.tokens, reading.targets


def sent_sizes(page):
    """(T, 2): from the loss above, and from the future, as the drawing has them."""
    scene = page.scene("network")["scene"]["backward"]
    return np.array([[float(a[2]), float(b[2])] for a, b in zip(scene["from_loss"], scene["from_future"], strict=True)])


@pytest.mark.parametrize(("dtype", "close"), [(np.float64, 0.0051), (np.float32, 0.006)])
def test_the_drawing_has_the_sizes_of_the_core_s_backward(page, dtype, close):
    page.stage.run.step(20)
    page.run()
    tokens, targets = window(page, 15)
    params = page.stage.run.params().copy(dtype)
    g = backward(forward(params, tokens[:, None]), targets[:, None])
    branches = from_loss(g), from_future(g)[1:]
    truth = 15 * np.stack([np.linalg.norm(part[:, 0], axis=1) for part in branches], axis=1)
    assert sent_sizes(page) == pytest.approx(truth, rel=close)
    sizes = [step["sizes"][2] for step in page.scene("backward_numbers")["numbers"]["steps"]]
    assert [float(size) for size in sizes] == pytest.approx(15 * np.linalg.norm(g.h[:, 0], axis=1), rel=close)


def test_the_triangle_has_the_norms_of_every_loss_and_state(page):
    page.stage.run.step(20)
    page.run()
    tokens, targets = window(page, 15)
    params = page.stage.run.params().copy(np.float64)
    trace = forward(params, tokens[:, None])
    flow = gradient_flow(backward(trace, targets[:, None]))
    triangle = page.scene("triangle")["scene"]
    for t, row in enumerate(triangle["words"]):
        shown = [float(words) for words in row if "·" not in words]  # powers of ten are spelt out
        truth = [flow.norms[t, k] for k, words in enumerate(row) if "·" not in words]
        assert shown == pytest.approx(truth, rel=0.0051)
    assert [float(one) for one, _ in triangle["below"]["words"]] == pytest.approx(flow.of_sum, rel=0.0051)


def test_a_longer_window_a_typed_text_and_an_example(page):
    choose(page, "a long window")
    assert len(page.scene("triangle")["scene"]["inputs"]) == 40
    choose(page, "machine")
    assert page.scene("triangle")["scene"]["inputs"] == list("machin")
    choose(page, "type your own")
    page.app.text_input(key="gradient_flow_typed").set_value("ab")
    page.run()
    assert page.scene("triangle")["scene"]["inputs"] == ["a"]
    page.app.text_input(key="gradient_flow_typed").set_value("שלום")
    page.run()
    assert "at least two" in page.notices[0]
    assert len(page.scene("triangle")["scene"]["inputs"]) == 40


def test_the_head_keeps_its_place_while_the_run_trains_and_begins_in_the_middle_of_a_text(page):
    before = page.scene("network")
    page.stage.run.step(5)
    after = page.run().scene("network")
    assert before["text"] == after["text"]
    assert before["scene"]["backward"] != after["scene"]["backward"]
    assert after["scene"]["backward"]["begin"] == 7
    page.press("Next window")
    assert page.scene("network")["text"] != after["text"]


ODD = [
    {"hidden_size": 1},
    {"corpus": "lag"},  # two symbols
    {"activation": "relu", "gain": 3.0},
    {"activation": "sigmoid", "embedding_size": 8},
    {"gain": 0.0},  # no gradient goes back
    {"output_scale": 0.0},  # no gradient at all
]


@pytest.mark.parametrize("settings", ODD, ids=str)
def test_every_kind_of_network_is_drawn(visit, settings):
    page = opened(visit, **settings)
    for key in KEYS:
        json.dumps(page.scene(key), allow_nan=False)
    words = " ".join(page.scene("triangle")["scene"]["notes"])
    if "output_scale" in settings:
        assert "zero" in words
        assert "zero" in page.scene("network")["scene"]["backward"]["scale"]


def test_an_exploded_network_is_drawn_and_said_to_be(visit):
    page = opened(visit, activation="relu")
    exploded = page.stage.run.params().copy(np.float64)
    exploded.W_hh[...] = 1e150
    page.stage.run.params = lambda: exploded
    page.forget().turn_to("cost")  # which looks at no parameters
    for key in KEYS:
        json.dumps(page.scene(key), allow_nan=False)
    assert "exploded" in page.scene("network")["scene"]["backward"]["scale"]
    assert "exploded" in page.scene("triangle")["scene"]["notes"][0]


def test_forty_steps_are_sent_in_less_than_90_kilobytes(visit):
    page = choose(opened(visit, hidden_size=128), "a long window")
    sent = [page.scene(key) for key in (*KEYS, "gradient_flow_lag")]
    assert len(json.dumps(sent, ensure_ascii=False, separators=(",", ":")).encode()) < 90_000


def test_the_shares_of_the_recurrent_gradient_sum_to_a_hundred(page):
    page.stage.run.step(10)
    page.wishes["section"] = "shares"
    page.run()
    by_loss, by_step = (bars["y"] for bars in page.scene("shares_figure")["figure"]["data"])
    assert sum(by_loss) == pytest.approx(100, abs=0.5)
    assert sum(by_step) == pytest.approx(100, abs=0.5)
    assert len(page.scene("shares_triangle")["scene"]["words"]) == 15
