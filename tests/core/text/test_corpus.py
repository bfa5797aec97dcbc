import sys
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given, strategies as st

from core.config.settings import KNOBS, TEXT_FIELDS, Settings
from core.text import corpus
from core.text.corpus import SOURCES, Corpus, Stream, TooShort, floor_of, load_corpus
from core.text.languages import lag_floor
from core.text.names import names
from core.text.remote import REMOTES
from core.training.tbptt import Trainer
from tests.fake_download_server import expect_the_tale, have_the_tale


@pytest.fixture(autouse=True)
def downloaded_texts(tmp_path, monkeypatch):
    have_the_tale(monkeypatch, tmp_path)


SMALL = {"batch_size": 1, "num_steps": 2, "validation_share": 0.2}


def own(text: str, **settings) -> Corpus:
    return load_corpus(Settings(corpus="own", **(SMALL | settings)), text)


def refusal(text: str, **settings) -> str:
    with pytest.raises(ValueError, match=r"^[A-Z].*\.$") as caught:
        own(text, **settings)
    return str(caught.value)


def tokens(stream: Stream) -> np.ndarray:
    return np.append(stream.inputs, stream.targets[-1:])


def read(c: Corpus) -> list[str]:
    return [c.tokenizer.decode(tokens(part)) for part in (c.train, c.held_out) if part]


@given(st.text("abcdefg", min_size=10, max_size=60), st.sampled_from([0.0, 0.2, 0.3, 0.5]))
def test_every_token_but_the_first_is_a_target_once(text, share):
    if len(set(text)) < 2:
        return
    c = own(text, validation_share=share)
    held = c.held_out.targets if c.held_out else c.train.targets[:0]
    assert c.tokenizer.decode(np.append(c.train.targets, held)) == text[1:]
    assert len(held) == int(share * len(text))
    for part in (c.train, c.held_out):
        if part:
            np.testing.assert_array_equal(part.inputs[1:], part.targets[:-1])


def test_streams_are_read_only_views_of_as_many_targets_as_inputs():
    c = own("abcdefghij")
    for array in (c.train.inputs, c.train.targets, c.held_out.inputs, c.held_out.targets):
        assert array.dtype == np.int32
        with pytest.raises(ValueError):
            array[0] = 0
    with pytest.raises((ValueError, TypeError)):  # a TypeError if shapes are checked at every call, as in these tests
        Stream(c.train.inputs, c.train.targets[:2])


@pytest.mark.parametrize("share", [0.0, 0.05])
def test_a_notice_says_that_nothing_is_held_out(share):
    c = own("abcdefghij", validation_share=share)
    assert (c.held_out, len(c.train), len(c.notices)) == (None, 9, 1)
    assert own("abcdefghij").notices == ()


def test_texts_too_short_or_of_one_symbol_are_refused():
    for text in ("", " \n\t ", "x", "xxxxxxxxxxxxxxxxxxxx", "ab"):
        for unit in ("char", "word"):
            refusal(text, unit=unit)
    refusal("吾輩は猫である。名前はまだ無い。", cleaning="letters")
    assert "Length at most" in refusal("abcdefghij", max_tokens=1)


@pytest.mark.parametrize(("length", "held_out", "N", "T"), [(10, 0, 3, 3), (10, 0, 9, 1), (30, 6, 1, 6)])
def test_a_text_shorter_than_one_update_is_refused(length, held_out, N, T):
    """One more step is one too many here, for the training text or for the held-out text."""
    text, chosen = ("abcdefghij" * 3)[:length], {"batch_size": N, "validation_share": held_out / length}
    c = own(text, num_steps=T, **chosen)
    assert (len(c.train), len(c.held_out or ())) == (length - held_out - 1, held_out)
    sentence = refusal(text, num_steps=T + 1, **chosen)
    assert str(T + 1) in sentence
    assert str(held_out or length - 1) in sentence


def test_the_vocabulary_is_that_of_the_text_used():
    assert own("abcdefghij" + "z" * 50, max_tokens=10).tokenizer.size == 10
    assert own("a b\nc a b c d e f g h", unit="word", max_tokens=10).tokenizer.size == 7
    assert "j" in own("abcdefghij").tokenizer.vocab  # in the held-out text, and yet in the vocabulary
    large = own("".join(map(chr, range(0x4E00, 0x4E00 + 6000))))
    assert (large.tokenizer.size, large.tokenizer.unknown) == (5000, 4999)
    assert "1,001" in large.notices[0]


@pytest.mark.parametrize("name", ["lag", "echo", "own"])
def test_a_text_beyond_the_limit_is_cut_and_noted(name, monkeypatch):
    monkeypatch.setattr(corpus, "MAX_CHARACTERS", 4000)
    settings, text = Settings(corpus=name, max_tokens=20_000_000), "abcdefghij" * 500
    c, most = load_corpus(settings, text), load_corpus(settings.but(max_tokens=4000), text[:4000])
    np.testing.assert_array_equal(c.train.inputs, most.train.inputs)
    np.testing.assert_array_equal(c.train.targets, most.train.targets)
    assert len(c.held_out) == len(most.held_out) == 400
    assert (len(c.notices), len(most.notices)) == (1, 0)


SIZES = {"vocab_cap": range(2, 7), "max_tokens": range(31), "batch_size": range(1, 4), "num_steps": range(1, 6)}
CHOICES = SIZES | {"unit": ["char", "word"], "cleaning": ["keep", "letters"], "validation_share": [0.0, 0.1, 0.5]}
chosen = st.builds(Settings, corpus=st.just("own"), **{name: st.sampled_from(choices) for name, choices in CHOICES.items()})


@given(st.text(st.characters(codec=None), max_size=40), chosen)
def test_any_text_is_a_corpus_or_refused_in_a_sentence(text, settings):
    try:
        c = load_corpus(settings, text)
    except ValueError as error:
        c = str(error)
    if isinstance(c, str):
        assert c.endswith(".")
        return
    assert 2 <= c.tokenizer.size <= settings.vocab_cap
    assert len(c.train) >= settings.batch_size * settings.num_steps
    assert c.held_out is None or len(c.held_out) >= settings.num_steps
    for part in filter(None, (c.train, c.held_out)):
        assert 0 <= tokens(part).min() <= tokens(part).max() < c.tokenizer.size
        c.tokenizer.decode(part.inputs).encode("utf-8")


def test_the_python_manual_by_character_and_by_word(monkeypatch):
    by_character, by_word = (load_corpus(Settings(unit=unit)) for unit in ("char", "word"))
    assert len(by_character.train) > 5 * len(by_word.train) > 100_000
    assert "<eos>" in by_word.tokenizer.vocab
    assert {*"the ", "\n"} <= set(by_character.tokenizer.vocab)
    monkeypatch.setitem(sys.modules, "pydoc_data.topics", None)
    with pytest.raises(ValueError):
        load_corpus(Settings())


@pytest.mark.parametrize(("language", "some"), [("zh", "希腊语\n"), ("en", "Greek\n")])
def test_names_are_one_per_line_each_once_and_in_no_order(language, some):
    text = names(language)
    lines = text.split("\n")
    assert lines.pop() == ""
    assert some in text
    assert len(set(lines)) == len(lines) > 1000
    assert all(line == line.strip() != "" for line in lines)
    assert lines not in (sorted(lines), sorted(lines, reverse=True))
    assert load_corpus(Settings(corpus=f"names_{language}")).tokenizer.size > 50


def test_the_lag_language_repeats_the_bit_its_lag_back():
    c = load_corpus(Settings(corpus="lag", lag=6, max_tokens=50_000))
    x = tokens(c.train)
    assert np.mean(x[6:] == x[:-6]) == pytest.approx(0.95, abs=0.01)
    assert c.floor == lag_floor()
    assert (len(c.train), len(c.held_out)) == (44_999, 5_000)
    other = load_corpus(Settings(corpus="lag", lag=6, max_tokens=50_000, seed=1))
    assert not np.array_equal(c.train.inputs, other.train.inputs)
    with pytest.raises(ValueError):
        load_corpus(Settings(corpus="lag", max_tokens=100))


def test_the_echo_task_has_targets_of_its_own():
    c = load_corpus(Settings(corpus="echo", lag=5, max_tokens=5000))
    np.testing.assert_array_equal(c.train.targets[5:], c.train.inputs[:-5])
    np.testing.assert_array_equal(c.held_out.targets, np.append(c.train.inputs[-5:], c.held_out.inputs[:-5]))


@pytest.mark.parametrize("name", SOURCES)
def test_every_source_has_the_properties_of_its_entry(name):
    source, settings = SOURCES[name], Settings(corpus=name, lag=4, max_tokens=5000)
    c, other = (load_corpus(s, "To be, or not to be? " * 400) for s in (settings, settings.but(lag=5)))
    assert (c.name != other.name) == source.has_lag
    assert (c.floor is not None) == (source.floor_with_reset is not None)
    if c.floor:
        assert floor_of(c, settings) == c.floor < floor_of(c, settings.but(carry_state=False, num_steps=6))
    if source.example:
        assert load_corpus(Settings(corpus=name)).tokenizer.unknown_symbols(source.example) == ()


class Recorded(Settings):
    """Settings that record the names of the fields that were read."""

    names: ClassVar[set] = set()

    def __getattribute__(self, name):
        if name in KNOBS:
            Recorded.names.add(name)
        return super().__getattribute__(name)


@pytest.mark.parametrize("name", SOURCES)
def test_loading_a_text_reads_only_the_fields_of_its_cache_key(name):
    settings = Recorded(corpus=name, max_tokens=5000, validation_share=0.0)
    Recorded.names.clear()
    load_corpus(settings, "To be, or not to be? " * 400)
    assert {"corpus"} <= Recorded.names <= set(TEXT_FIELDS)


@pytest.mark.parametrize("unit", ["char", "word"])
def test_the_ids_are_those_of_the_cleaned_text(unit):
    settings = Settings(corpus="own", unit=unit, cleaning="letters", max_tokens=9, **SMALL | {"validation_share": 0.0})
    text = corpus.cleaned_text(settings, "One, two!\r\nthree... FOUR five six seven eight nine ten")
    assert text == ("one two t" if unit == "char" else "one two three four five six seven eight nine")
    assert read(load_corpus(settings, text)) == [text]


@pytest.mark.parametrize("name", SOURCES)
def test_a_text_is_at_hand_unless_it_must_be_uploaded_or_downloaded(name, tmp_path, monkeypatch):
    assert corpus.is_available(name, "") == (not SOURCES[name].from_reader)
    assert corpus.is_available(name, "a text")
    expect_the_tale(monkeypatch, tmp_path / "nothing here")
    assert corpus.is_available(name, "a text") == (name not in REMOTES)
    if name in REMOTES or SOURCES[name].from_reader:
        with pytest.raises(ValueError):
            load_corpus(Settings(corpus=name))


def test_what_cleaning_threw_away_is_said_first_and_values_that_fit_are_offered():
    settings = Settings(corpus="own", cleaning="letters")
    text = "床前明月光，疑是地上霜。" * 5000 + "a few letters, no more. " * 20
    with pytest.raises(TooShort) as refused:
        load_corpus(settings, text)
    assert str(refused.value).startswith("Cleaning")
    corpus = load_corpus(settings.but(**refused.value.fitting), text)
    assert any("Cleaning" in str(notice) for notice in corpus.notices)
    assert not any("Cleaning" in str(notice) for notice in load_corpus(settings, "plain letters, mostly. " * 1000).notices)


@pytest.mark.parametrize("length", [3, 5, 10, 11, 40, 100, 399, 1500])
@pytest.mark.parametrize("share", [0.0, 0.1, 0.5])
def test_the_offered_values_fit_any_short_text(length, share):
    settings = Settings(corpus="own", validation_share=share, num_steps=35, batch_size=64)
    text = ("ab" * length)[:length]
    with pytest.raises(TooShort) as refused:
        load_corpus(settings, text)
    fitting = settings.but(**refused.value.fitting)
    assert fitting != settings
    next(Trainer(fitting, load_corpus(fitting, text)))
