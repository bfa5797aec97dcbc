"""The names of the weights in the notation of both sources, unique within a layer, and the terms of the glossary."""

import re

import pytest
from hypothesis import given, strategies as st

from core.config.language import translations
from core.config.settings import KNOBS
from core.models.params import Params
from pages.content.notation import FIRST_SOURCE, GLOSSARY, LANGUAGES, SECOND_SOURCE, WEIGHT_NAMES, in_full, in_notation

PARAMETERS = {name for name, one in WEIGHT_NAMES.items() if one.layer}


def test_every_weight_of_the_network_has_a_name_unique_within_its_layer():
    assert set(Params.__dataclass_fields__) - {"flat"} == PARAMETERS
    assert KNOBS["notation"].choices == (FIRST_SOURCE, SECOND_SOURCE)
    for notation in (FIRST_SOURCE, SECOND_SOURCE):
        assert len({in_full(name, notation) for name in PARAMETERS}) == len(PARAMETERS)
        in_formulas = {(in_notation(re.sub("_(.*)", r"_{\1}", name), notation), WEIGHT_NAMES[name].layer) for name in PARAMETERS}
        assert len(in_formulas) == len(PARAMETERS)


@pytest.mark.parametrize(("first", "second"), [
    ("a_{t} = x_{t} W_{xh} + h_{t-1} W_{hh} + b_{h}", "a_{t} = x_{t} W_{x} + h_{t-1} W_{h} + b"),
    ("o_{t} = h_{t} W_{hq} + b_{q}", "o_{t} = h_{t} W + b"), ("dW_hh, dW_xh and db_h", "dWh, dWx and db"),
    ("x_{t} = the row of W_{emb} for “{x}”", "x_{t} = the row of W_{embed} for “{x}”"),
    ("∂L/∂b_h = Σ_n ∂L/∂A_t[n]", "∂L/∂b = Σ_n ∂L/∂A_t[n]"), ("W_emb, num_steps", "embed_W, time_size"),
    *((text, text) for text in ("h_{t}", "W_h", "W_hhx", "my_b_h", "H_1, …, H_T", "Web_hq")),
])  # fmt: skip
def test_only_names_of_weights_are_renamed(first, second):
    assert in_notation(first, FIRST_SOURCE) == first
    assert in_notation(first, SECOND_SOURCE) == second


parts = st.text("W_bhqxe{}d ") | st.integers() | st.none()


@given(st.recursive(parts, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_a_drawing_has_the_same_structure_in_both_notations(scene):
    def structure(part):
        if isinstance(part, dict):
            return {key: structure(value) for key, value in part.items()}
        if isinstance(part, list):
            return [structure(value) for value in part]
        return "" if isinstance(part, str) else part

    assert structure(in_notation([scene], SECOND_SOURCE)) == structure([scene])
    assert in_notation(scene, FIRST_SOURCE) is scene


def test_every_entry_has_a_meaning_and_a_term_in_every_language():
    assert len(GLOSSARY) > 20
    for word in GLOSSARY:
        assert word.means, word.english
        assert list(word.translated) == list(LANGUAGES)
        for term in (word.english, *word.translated.values()):
            assert term == term.strip() != "", word.english


def test_a_term_has_one_translation_in_the_glossary_and_on_the_screen():
    """A Chinese reader sees the catalogue's word, a reader of English the glossary's in the column 中文."""
    on_screen = translations("zh").gettext
    assert {word.english: on_screen(word.english) for word in GLOSSARY} == {word.english: word.chinese for word in GLOSSARY}


def test_the_words_of_both_books_and_of_pytorch_lead_to_an_entry():
    names = " ".join(f"{word.english} {word.chinese} {word.also}" for word in GLOSSARY)
    asked = "隐藏层 隐藏状态 惊异 有状态 滞后 回声 饱和 时间步 时刻 BPTT 联合概率 后验概率 前馈 多层感知机 分叉度"
    assert [one for one in [*asked.split(), "detach", "hidden", "batch_first"] if one not in names] == []


def test_terms_and_symbols_are_unique_and_those_of_the_network_are_there():
    symbols = [word.symbol for word in GLOSSARY if word.symbol]
    assert len(set(symbols)) == len(symbols)
    assert len({word.english for word in GLOSSARY}) == len(GLOSSARY)
    asked = "x_t h_t o_t φ τ V H N T D W_xh W_hh W_hq b_h b_q ␣ ↵ <unk>"
    assert set(asked.split()) <= set(symbols)
