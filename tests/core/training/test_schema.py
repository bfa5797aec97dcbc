import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from core.config.settings import KNOBS
from core.training.checkpoint.schema import LIVE, MOST_UPDATES, number_of, pack_texts, texts_of, updates, value_of
from tests.core.any_settings import values


@given(st.lists(st.text(st.characters(exclude_categories=()), max_size=20), max_size=8))  # lone surrogates, too
def test_texts_come_back(texts):
    arrays = pack_texts("name", texts)
    assert texts_of("name", arrays) == texts
    assert {name: array.dtype for name, array in arrays.items()} == {"name": np.uint8, "name.ends": np.int64}


def test_bytes_that_are_no_text_are_refused():
    arrays = pack_texts("name", ["é"]) | {"name.ends": np.array([1, 2])}
    with pytest.raises(ValueError):
        texts_of("name", arrays)


@given(st.sampled_from(LIVE).flatmap(lambda name: st.tuples(st.just(name), values(name))))
def test_the_value_of_a_live_knob_comes_back(named):
    name, value = named
    assert value_of(name, number_of(value)) == value
    assert type(value_of(name, number_of(value))) in (type(value), KNOBS[name].type)


@pytest.mark.parametrize(("name", "number"), [
    ("truncation", 2.5), ("truncation", 0.0), ("truncation", 1e300), ("carry_state", 0.5), ("carry_state", np.nan),
    ("learning_rate", np.nan), ("learning_rate", np.inf), ("learning_rate", -1.0), ("clip_norm", -np.inf),
    ("cosine_until", 2.5), ("cosine_until", -1.0), ("weight_decay", -0.1), ("weight_decay", np.nan),
])  # fmt: skip
def test_a_number_that_is_no_value_is_refused(name, number):
    with pytest.raises(ValueError):
        value_of(name, number)


def test_the_updates_that_a_file_may_have_are_different_places_on_a_logarithmic_axis():
    assert updates(np.array([0, MOST_UPDATES]))
    assert not updates(np.array([0, MOST_UPDATES + 1]))
    assert math.log1p(MOST_UPDATES - 1) < math.log1p(MOST_UPDATES)
