"""Any address becomes valid settings, and settings survive an address."""

import re

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.query import FURTHEST, from_query, moment_of, parse, to_query, to_text
from core.settings import DEFAULTS, KNOBS
from tests.core.any_settings import NUMBERS, any_settings, values

numbers_as_text = st.integers().map(str) | st.floats().map(str) | st.integers(1, 6000).map(lambda digits: "9" * digits)
odd_text = st.sampled_from(["none", "yes", "nan", "inf", "-inf", "1e400", "0" * 50 + "5", "٣", "1_0"])
any_text = st.text() | numbers_as_text | odd_text


@given(any_settings)
def test_settings_survive_the_url(settings):
    assert from_query(to_query(settings)) == (settings, [])


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
@example({"moved": ""})  # settings have it, and it is none
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
            assert name not in KNOBS or getattr(settings, name) == getattr(DEFAULTS, name)
    assert len(notices) == len(query) - read
    assert all(notices)


@given(st.sampled_from(NUMBERS), st.integers(0, 60), st.data())
def test_leading_zeros_do_not_change_a_number(name, zeros, data):
    value = data.draw(values(name).filter(lambda value: value is not None and value >= 0))
    assert parse(name, "0" * zeros + to_text(abs(value))) == value


@given(st.integers(0, FURTHEST), st.integers(0, 60))
def test_the_moment_of_a_link_is_read_as_it_is_spelled(update, zeros):
    assert moment_of("0" * zeros + to_text(update)) == update


@given(any_text)
@example("9" * 5000)
@example(str(FURTHEST + 1))
@example("-1")
@example("1.5")
@example("")
@example("none")
def test_a_moment_is_a_number_of_updates_that_a_link_may_ask_for_or_a_sentence(text):
    try:
        said = moment_of(text)
    except ValueError as refused:
        said = str(refused)
    assert said in range(FURTHEST + 1) or (str(FURTHEST) in said and len(said) < 200)


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, knob in KNOBS.items() for value in knob.words])
def test_what_the_screen_says_of_a_value_is_read_as_it(name, value):
    assert parse(name, f" {KNOBS[name].words[value].upper()} ") == value


@pytest.mark.parametrize(("name", "text"), [("learning_rate", "x"), ("hidden_size", "1.5"), ("clip_norm", "-1"), ("init", "x")])
def test_what_is_refused_is_told_with_what_is_wanted(name, text):
    with pytest.raises(ValueError, match=re.escape(text)) as refused:
        parse(name, text)
    knob = KNOBS[name]
    assert knob.label in str(refused.value)
    assert all(f"{bound:.0f}" in str(refused.value) for bound in (knob.between or ())[1:])
    assert all(words in str(refused.value) for words in knob.words.values())


def test_a_numpy_number_is_spelled_like_any_other():
    settings = DEFAULTS.but(learning_rate=np.float64(0.25))
    assert from_query(to_query(settings)) == (settings, [])
