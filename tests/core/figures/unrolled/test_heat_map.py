"""The heat map holds every state, or the liveliest units of very many."""

import base64

import numpy as np

from core.figures.parts.network import network_scene
from core.figures.unrolled.heat_map import heat_map
from core.figures.unrolled.units import MAPPED, units_of
from tests.core.figures.parts.test_network import TOKENIZER, looked_at


def test_the_heat_map_holds_every_state():
    _, u = looked_at(40)
    units = units_of(u)
    heat = heat_map(u, units)
    states = np.frombuffer(base64.b64decode(heat["states"]), np.int8).reshape(40, 128)
    assert np.abs(states / 100 - u.h[1:, heat["units"]]).max() <= 0.005 + 1e-12
    assert sorted(heat["units"]) == list(range(128))
    assert (np.diff(u.h[1:].mean(axis=0)[heat["units"]]) <= 0).all()
    scene = network_scene(u, TOKENIZER, units.drawn)
    assert [heat["units"][place] for place in heat["drawn"]] == scene["units"] == units.drawn
    assert [unit for unit in units.drawn if unit in units.listed] == units.listed


def test_very_many_units_are_thinned_to_the_liveliest():
    _, u = looked_at(6, H=600)
    heat = heat_map(u, units_of(u))
    assert len(set(heat["units"])) == MAPPED
    assert {heat["units"][place] for place in heat["drawn"]} == set(network_scene(u, TOKENIZER)["units"])
    assert str(MAPPED) in heat["title"]
