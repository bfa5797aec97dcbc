"""The table of settings: every value that it allows makes settings, and no other."""

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import assume, given

from core.knob import per_decade
from core.settings import DEFAULTS, KNOBS, Settings
from tests.core.any_settings import NUMBERS, any_settings, some_fields


@pytest.mark.parametrize("name", NUMBERS)
def test_the_bounds_are_valid_and_what_lies_beyond_is_not(name):
    knob, kind = KNOBS[name], KNOBS[name].type
    for bound, beyond in ((knob.low, -math.inf), (knob.high, math.inf)):
        assert getattr(DEFAULTS.but(**{name: kind(bound)}), name) == bound
        outside = math.nextafter(bound, beyond) if kind is float else int(bound) + (1 if beyond > 0 else -1)
        for bad in (outside, beyond, math.nan, 10**400):
            with pytest.raises(ValueError):
                DEFAULTS.but(**{name: bad})


@pytest.mark.parametrize("name", KNOBS)
@pytest.mark.parametrize("wrong", ["", "<img src=x>", b"char", [1], object(), 1j, {}])
def test_a_value_of_the_wrong_type_is_refused(name, wrong):
    with pytest.raises(ValueError):
        DEFAULTS.but(**{name: wrong})


@pytest.mark.parametrize("name", KNOBS)
def test_none_is_for_fields_that_have_words_for_it(name):
    if KNOBS[name].optional:
        assert getattr(DEFAULTS.but(**{name: None}), name) is None
    else:
        with pytest.raises(ValueError):
            DEFAULTS.but(**{name: None})


@pytest.mark.parametrize("name", KNOBS)
def test_every_field_is_explained_and_whatever_its_control_offers_is_valid(name):
    knob = KNOBS[name]
    assert knob.label
    assert knob.help
    assert bool(knob.between) == (knob.type in (int, float))
    assert bool(knob.group) == (knob.kind == "restart")
    for value in (*knob.words, *knob.stops, *knob.marks):
        DEFAULTS.but(**{name: value})


@pytest.mark.parametrize("name", [name for name, knob in KNOBS.items() if knob.marks])
def test_the_ticks_of_a_slider_are_stops_of_it(name):
    assert set(KNOBS[name].marks) <= set(KNOBS[name].stops)


def test_a_rate_stops_at_1_2_3_and_5_of_every_decade():
    stops = KNOBS["learning_rate"].stops
    assert per_decade(0.01, 1.0) == (0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0)
    assert {0.0001, 0.003, 0.05, 0.2, 10.0} <= set(stops)
    assert list(stops) == sorted(stops)
    assert {float(f"{stop:e}"[:8]) for stop in stops} == {1.0, 2.0, 3.0, 5.0}


def test_labels_tell_the_fields_apart():
    assert len({knob.label for knob in KNOBS.values()}) == len(KNOBS)


@given(any_settings, some_fields)
def test_but_changes_one_field_and_differing_names_it(settings, change):
    name, value = change
    assume(getattr(settings, name) != value)
    other = settings.but(**{name: value})
    assert getattr(other, name) == value
    assert settings.differing(other) == other.differing(settings) == [name]
    for kind in ("live", "restart", "view"):
        assert settings.differing(other, kind) == [name] * (KNOBS[name].kind == kind)


@given(any_settings)
def test_settings_are_values(settings):
    assert settings.but() == settings
    assert hash(settings.but()) == hash(settings)
    assert settings.differing(settings) == []


@given(any_settings, some_fields)
def test_only_live_knobs_can_be_moved_under_a_run(settings, change):
    name, value = change
    if KNOBS[name].kind == "live" or value == getattr(settings, name):
        assert settings.moved(**{name: value}) == settings.but(**{name: value})
    else:
        with pytest.raises(ValueError, match=name):
            settings.moved(**{name: value})


def test_settings_cannot_be_changed_in_place():
    with pytest.raises(dataclasses.FrozenInstanceError):
        DEFAULTS.hidden_size = 2
    with pytest.raises(TypeError):
        DEFAULTS.but(hidden_sizes=2)


def test_numbers_of_numpy_are_numbers():
    settings = Settings(hidden_size=np.int64(64), learning_rate=np.float32(0.5))
    assert settings == Settings(hidden_size=64, learning_rate=0.5)
    assert (type(settings.hidden_size), type(settings.learning_rate)) == (int, float)
    with pytest.raises(ValueError):
        Settings(hidden_size=np.float64(64.5))
