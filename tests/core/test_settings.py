import dataclasses
import math

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from core.settings import DEFAULTS, KNOBS, TYPES, Settings, from_query, parse, to_text

NUMBERS = [name for name, kind in TYPES.items() if kind in (int, float)]


def values(name):
    """Every valid value of one field."""
    knob, kind = KNOBS[name], TYPES[name]
    if knob.choices:
        valid = st.sampled_from(knob.choices)
    elif kind is bool:
        valid = st.booleans()
    elif kind is int:
        valid = st.integers(int(knob.low), int(knob.high))
    else:
        valid = st.floats(knob.low, knob.high)
    return st.none() | valid if knob.optional else valid


any_settings = st.builds(Settings, **{name: values(name) for name in KNOBS})
some_fields = st.sampled_from(list(KNOBS)).flatmap(lambda name: st.tuples(st.just(name), values(name)))
numbers_as_text = st.integers().map(str) | st.floats().map(str) | st.integers(1, 6000).map(lambda digits: "9" * digits)
odd_text = st.sampled_from(["none", "yes", "nan", "inf", "-inf", "1e400", "0" * 50 + "5", "٣", "1_0"])
any_text = st.text() | numbers_as_text | odd_text


@given(any_settings)
def test_settings_survive_the_url(settings):
    assert from_query(settings.to_query()) == (settings, [])


@given(any_settings, any_settings)
def test_a_url_without_a_field_keeps_the_base(base, settings):
    query = {name: to_text(getattr(settings, name)) for name in list(KNOBS)[::2]}
    merged, notices = from_query(query, base)
    assert notices == []
    for number, name in enumerate(KNOBS):
        assert getattr(merged, name) == getattr(base if number % 2 else settings, name)


@given(st.dictionaries(st.sampled_from(list(KNOBS)) | st.text(), any_text))
@example({name: "9" * 5000 for name in KNOBS})
@example({name: "nan" for name in KNOBS})
@example({name: "" for name in KNOBS})
def test_whatever_a_url_says_becomes_settings_and_a_notice_for_what_was_passed_over(query):
    settings, notices = from_query(query)
    for name in KNOBS:  # they are valid: made again from what they say, they are the same
        assert parse(name, to_text(getattr(settings, name))) == getattr(settings, name)
    read = 0
    for name, text in query.items():
        try:
            assert parse(name, text) == getattr(settings, name)
            read += 1
        except ValueError:
            assert getattr(settings, name, None) == getattr(DEFAULTS, name, None)
    assert len(notices) == len(query) - read
    assert all(notices)


@given(st.sampled_from(NUMBERS), st.integers(0, 60), st.data())
def test_leading_zeros_do_not_change_a_number(name, zeros, data):
    value = data.draw(values(name).filter(lambda value: value is not None and value >= 0))
    assert parse(name, "0" * zeros + to_text(abs(value))) == value


@pytest.mark.parametrize("name", NUMBERS)
def test_the_bounds_are_valid_and_what_lies_beyond_is_not(name):
    knob, kind = KNOBS[name], TYPES[name]
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
def test_none_is_for_fields_that_say_what_it_means(name):
    if KNOBS[name].optional:
        assert getattr(DEFAULTS.but(**{name: None}), name) is None
    else:
        with pytest.raises(ValueError):
            DEFAULTS.but(**{name: None})


@pytest.mark.parametrize("name", KNOBS)
def test_every_field_is_explained_and_its_default_and_stops_are_valid(name):
    knob = KNOBS[name]
    assert knob.kind in ("live", "restart", "view")
    assert knob.label
    assert knob.help
    assert (knob.low is None) == (knob.high is None) == (TYPES[name] not in (int, float))
    assert bool(knob.choices) == (TYPES[name] is str)
    for value in (*knob.choices, *knob.stops):
        DEFAULTS.but(**{name: value})


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
    assert Settings(**settings.to_dict()) == settings
    assert settings.differing(settings) == []


def test_settings_cannot_be_changed_in_place():
    with pytest.raises(dataclasses.FrozenInstanceError):
        DEFAULTS.hidden_size = 2
    with pytest.raises(TypeError):
        DEFAULTS.but(hidden_sizes=2)


def test_a_numpy_number_is_spelled_like_any_other():
    settings = DEFAULTS.but(learning_rate=np.float64(0.25))
    assert from_query(settings.to_query()) == (settings, [])


def test_numbers_of_numpy_are_numbers():
    settings = Settings(hidden_size=np.int64(64), learning_rate=np.float32(0.5))
    assert settings == Settings(hidden_size=64, learning_rate=0.5)
    assert (type(settings.hidden_size), type(settings.learning_rate)) == (int, float)
    with pytest.raises(ValueError):
        Settings(hidden_size=np.float64(64.5))
