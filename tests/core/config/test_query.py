"""Any address becomes valid settings, and settings survive an address."""

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from core.config.link import FURTHEST, from_query, moment_of, parse, to_query, to_text
from core.config.settings import DEFAULTS, KNOBS
from tests.core.any_settings import NUMBERS, any_settings, any_value, values

texts = any_value | st.integers(1, 6000).map(lambda digits: "9" * digits)


@given(any_settings)
def test_settings_survive_the_query(settings):
    assert from_query(to_query(settings)) == (settings, [])
    other = settings.but(learning_rate=np.float64(0.25))
    assert from_query(to_query(other)) == (other, [])


@given(any_settings, any_settings)
def test_fields_that_the_query_leaves_out_are_those_of_the_base(base, settings):
    query = {name: to_text(getattr(settings, name)) for name in list(KNOBS)[::2]}
    merged, notices = from_query(query, base)
    assert notices == []
    for number, name in enumerate(KNOBS):
        assert getattr(merged, name) == getattr(base if number % 2 else settings, name)


@given(st.dictionaries(st.sampled_from(list(KNOBS)) | st.text(), texts))
@example({name: "9" * 5000 for name in KNOBS})
@example({name: "nan" for name in KNOBS})
@example({name: "" for name in KNOBS})
@example({"moved": ""})  # an attribute of settings that is no setting
def test_any_query_becomes_valid_settings_and_a_notice_for_each_refused_value(query):
    settings, notices = from_query(query)
    for name in KNOBS:
        assert parse(name, to_text(getattr(settings, name))) == getattr(settings, name)
    read = 0
    for name, text in query.items():
        try:
            assert parse(name, text) == getattr(settings, name)
            read += 1
        except ValueError:
            assert name not in KNOBS or getattr(settings, name) == getattr(DEFAULTS, name)
    assert len(notices) == len(query) - read
    assert all(notices)


@given(st.sampled_from(NUMBERS), st.integers(0, 60), st.data())
def test_leading_zeros_do_not_change_a_number(name, zeros, data):
    value = data.draw(values(name).filter(lambda value: value is not None and value >= 0))
    assert parse(name, "0" * zeros + to_text(abs(value))) == value
    update = data.draw(st.integers(0, FURTHEST))
    assert moment_of("0" * zeros + to_text(update)) == update


@given(texts | st.sampled_from(["9" * 5000, str(FURTHEST + 1), "-1", "1.5", "", "none"]))
def test_a_moment_out_of_range_is_refused_with_the_range(text):
    try:
        found = moment_of(text)
    except ValueError as refused:
        found = str(refused)
    assert found in range(FURTHEST + 1) or (str(FURTHEST) in found and len(found) < 200)


def test_the_words_of_a_value_are_read_as_the_value():
    for name, value in [(name, value) for name, knob in KNOBS.items() for value in knob.words]:
        assert parse(name, f" {KNOBS[name].words[value].upper()} ") == value
