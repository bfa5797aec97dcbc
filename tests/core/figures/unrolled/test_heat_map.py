"""The heat map holds every state, or the liveliest units of very many."""

import base64

import numpy as np

from core.figures.parts.network import network_scene
from core.figures.unrolled.heat_map import MOST, heat_map
from tests.core.figures.parts.test_network import TOKENIZER, looked_at


def test_the_heat_map_holds_every_state():
    _, u = looked_at(40)
    heat = heat_map(u)
    states = np.frombuffer(base64.b64decode(heat["states"]), np.int8).reshape(40, 128)
    assert np.abs(states / 100 - u.h[1:]).max() <= 0.005 + 1e-12
    assert heat["drawn"] == network_scene(u, TOKENIZER)["units"]
    assert heat["units"] == []


def test_very_many_units_are_thinned_to_the_liveliest():
    _, u = looked_at(6, H=600)
    heat = heat_map(u)
    assert heat["count"] == MOST == len(heat["units"])
    assert set(network_scene(u, TOKENIZER)["units"]) <= set(heat["units"])
    assert [heat["units"][place] for place in heat["drawn"]] == network_scene(u, TOKENIZER)["units"]
    assert str(MOST) in heat["title"]
