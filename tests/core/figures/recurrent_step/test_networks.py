"""Both networks: what an exchange of two tokens moves is said."""

import json

import numpy as np

from core.analysis.recurrent_step.networks import AfterText
from core.figures.recurrent_step.networks import Judged, networks_scene


def readings(p, other, H=20):
    h = np.random.default_rng(0).standard_normal((6, H))
    return AfterText(h, np.array(p)), AfterText(h, np.array(other))


def drawn(without, with_state, pair=(1, 2)):
    symbols = [" ", "<b>", "a", "\n", "a", "b"]
    scene = networks_scene(
        symbols,
        pair,
        without,
        with_state,
        vocabulary=["a", "b", " ", "<b>"],
        kind="word",
        judged=(Judged(10.46, "perplexity, training text", 617), Judged(float("inf"), "", 0)),
        memory=0.63,
        activation="relu",
    )
    json.dumps(scene, allow_nan=False)
    return scene


def words_of(pieces):
    return "".join(text for text, _ in pieces)


def test_two_networks_show_both_predictions_and_say_which_moved():
    scene = drawn(readings([0.1, 0.6, 0.2, 0.1], [0.1, 0.6, 0.2, 0.1]), readings([0.1, 0.6, 0.2, 0.1], [0.4, 0.3, 0.2, 0.1], H=3))
    without, with_state = scene["sides"]
    assert all("relu(" in words_of(side["formula"]) for side in scene["sides"])
    assert scene["after"][1:3] == scene["before"][2:0:-1]
    assert with_state["predictions"][0] == ["b", 0.6, "60 %", 0.3, "30 %"]
    assert "does not move" in words_of(without["verdict"])
    assert "30 % of the probability" in words_of(with_state["verdict"])
    assert "63 %" in words_of(with_state["verdict"])
    assert without["perplexity"][0] == "10.5"
    assert with_state["perplexity"][0] == "∞"
    assert [len(column["cells"]) for column in with_state["columns"]] == [3] * 5
    assert max(abs(level) for column in without["columns"] for level in column["cells"]) <= 1


def test_an_exploded_network_and_an_exchange_of_equals_are_said():
    nothing = [float("nan")] * 4
    scene = drawn(readings([1.0, 0, 0, 0], [1.0, 0, 0, 0]), readings(nothing, nothing))
    assert "no longer finite" in words_of(scene["sides"][1]["verdict"])
    assert "alike" in words_of(drawn(readings([1.0], [1.0]), readings([1.0], [1.0]), pair=(2, 4))["sides"][0]["verdict"])
