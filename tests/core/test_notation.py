"""The names of the weights: both sources' are there, one for one within a layer, and nothing else of a sentence changes."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.models.params import Params
from core.notation import FIRST, NAMES, SECOND, in_full, named
from core.settings import KNOBS

PARAMETERS = {name for name, one in NAMES.items() if one.layer}
OURS = re.compile(r"(?<![A-Za-z])d?(W_(\{?)(xh|hh|hq|emb)|b_(\{?)[hq])(?![a-z])|num_steps|embed_size")


def test_all_weights_of_the_network_have_a_name_in_both():
    assert set(Params.__dataclass_fields__) - {"flat"} == PARAMETERS
    assert KNOBS["notation"].choices == (FIRST, SECOND)
    assert KNOBS["notation"].kind == "view"


def test_within_a_layer_no_two_have_the_same_name():
    for form in ("{}", "{{{}}}"):
        spelled = [re.sub("_(.*)", lambda low, form=form: "_" + form.format(low[1]), name) for name in sorted(PARAMETERS)]
        for notation in (FIRST, SECOND):
            called = [(named(name, notation), NAMES[re.sub("[{}]", "", name)].layer) for name in spelled]
            assert len(set(called)) == len(PARAMETERS)
    assert len({in_full(name, SECOND) for name in PARAMETERS}) == len(PARAMETERS)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("a_{t} = x_{t} W_{xh} + h_{t-1} W_{hh} + b_{h}", "a_{t} = x_{t} W_{x} + h_{t-1} W_{h} + b"),
        ("o_{t} = h_{t} W_{hq} + b_{q}", "o_{t} = h_{t} W + b"),
        ("dW_hh, dW_xh and db_h", "dWh, dWx and db"),
        ("∂L/∂b_h = Σ_n ∂L/∂A_t[n]", "∂L/∂b = Σ_n ∂L/∂A_t[n]"),
        ("x_{t} = the row of W_{emb} for “{x}”", "x_{t} = the row of W_{embed} for “{x}”"),
        ("W_emb, num_steps", "embed_W, time_size"),
    ],
)
def test_a_formula_and_a_sentence_are_written_with_the_other_names(first, second):
    assert named(first, FIRST) == first
    assert named(first, SECOND) == second


def test_what_only_looks_like_a_name_stays():
    for text in ("h_{t}", "W_h", "W_hhx", "my_b_h", "H_1, …, H_T", "Web_hq"):
        assert named(text, SECOND) == text


@given(
    st.recursive(
        st.text("W_bhqxe{}d ") | st.integers() | st.none(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
    )
)
def test_a_drawing_keeps_its_shape_and_has_no_name_of_the_first_source_left(scene):
    def check(one, other):
        if isinstance(one, dict):
            assert list(one) == list(other)
            [check(one[key], other[key]) for key in one]
        elif isinstance(one, list):
            assert len(one) == len(other)
            [check(*pair) for pair in zip(one, other, strict=True)]
        elif not isinstance(one, str):
            assert one == other

    check(scene, named([scene], SECOND)[0])
    assert named(scene, FIRST) is scene
