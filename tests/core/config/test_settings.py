"""The table of settings: every value that it allows is accepted by Settings, and no other value is."""

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import assume, given

from core.config.settings import DEFAULTS, KNOBS, Settings
from tests.core.any_settings import NUMBERS, any_settings, some_fields

fields = pytest.mark.parametrize("name", KNOBS)


@pytest.mark.parametrize("name", NUMBERS)
def test_the_bounds_are_valid_and_numbers_beyond_are_refused(name):
    knob, kind = KNOBS[name], KNOBS[name].type
    for bound, beyond in ((knob.low, -math.inf), (knob.high, math.inf)):
        assert getattr(DEFAULTS.but(**{name: kind(bound)}), name) == bound
        outside = math.nextafter(bound, beyond) if kind is float else int(bound) + (1 if beyond > 0 else -1)
        for bad in (outside, beyond, math.nan, 10**400):
            with pytest.raises(ValueError):
                DEFAULTS.but(**{name: bad})


@fields
def test_values_of_a_wrong_type_are_refused_and_none_unless_optional(name):
    for wrong in ("", "<img src=x>", b"char", [1], object(), 1j, {}, *([] if KNOBS[name].optional else [None])):
        with pytest.raises(ValueError):
            DEFAULTS.but(**{name: wrong})
    if KNOBS[name].optional:
        assert getattr(DEFAULTS.but(**{name: None}), name) is None


@fields
def test_every_field_has_a_label_and_help_and_every_value_of_its_control_is_valid(name):
    knob = KNOBS[name]
    assert knob.help
    assert bool(knob.group) == (knob.kind == "restart")
    for value in (*knob.words, *knob.stops):
        DEFAULTS.but(**{name: value})
    assert set(knob.marks) <= set(knob.stops)
    assert [other.label for other in KNOBS.values()].count(knob.label) == 1


@given(any_settings, some_fields)
def test_but_changes_one_field_and_differing_names_it(settings, change):
    name, value = change
    assume(getattr(settings, name) != value)
    other = settings.but(**{name: value})
    assert getattr(other, name) == value
    assert settings.but() == settings
    assert hash(settings.but()) == hash(settings)
    assert settings.differing(settings) == []
    assert settings.differing(other) == other.differing(settings) == [name]
    for kind in ("live", "restart", "view"):
        assert settings.differing(other, kind) == [name] * (KNOBS[name].kind == kind)


@given(any_settings, some_fields)
def test_only_live_settings_may_change_during_a_run(settings, change):
    name, value = change
    if KNOBS[name].kind == "live" or value == getattr(settings, name):
        assert settings.moved(**{name: value}) == settings.but(**{name: value})
    else:
        with pytest.raises(ValueError, match=name):
            settings.moved(**{name: value})


def test_numpy_numbers_become_python_numbers_and_nothing_changes_in_place():
    settings = Settings(hidden_size=np.int64(64), learning_rate=np.float32(0.5))
    assert settings == Settings(hidden_size=64, learning_rate=0.5)
    assert (type(settings.hidden_size), type(settings.learning_rate)) == (int, float)
    with pytest.raises(ValueError):
        Settings(hidden_size=np.float64(64.5))
    with pytest.raises(dataclasses.FrozenInstanceError):
        settings.hidden_size = 2
    with pytest.raises(TypeError):
        settings.but(hidden_sizes=2)
