"""The Unrolled page without a browser: what is chosen or typed is what is drawn, and odd texts leave it whole."""

import inspect
import json

import numpy as np
import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from core.analysis.unrolled import MOST
from core.models.rnn import forward

PAGE = "pages/2_unrolled.py"
SENTENCE = "you say goodbye and i say hello ."


@pytest.fixture
def page(visit):
    """A visitor who has turned to the page, its run small."""
    visitor = visit(max_tokens=20_000, hidden_size=16, batch_size=8, num_steps=8)
    visitor.app.switch_page(PAGE)
    return visitor.run()


def choose(page, text, network=None):
    page.app.selectbox(key="unrolled_text").set_value(text)
    page.run()
    if network:
        page.app.selectbox(key="unrolled_network").set_value(network)
        page.run()
    return page


def typed(page, words):
    choose(page, "type your own")
    page.app.text_input(key="unrolled_typed").set_value(words)
    return page.run()


def letters(page, which=0):
    return [column["said"][which] for column in page.scene("network")["scene"]["columns"]]


def test_machine_is_read_and_the_small_network_knows_it(page):
    assert letters(page) == list("machin")
    assert letters(page, 1) == list("achine")
    assert all(float(column["loss"][2]) < 0.5 for column in page.scene("network")["scene"]["columns"])


def test_after_say_goodbye_and_hello_both_stand_high(page):
    choose(page, SENTENCE, "the small network")
    assert letters(page) == SENTENCE.split()[:-1]
    after_say = page.scene("network")["scene"]["columns"][1]["prediction"]
    chances = {symbol: share for symbol, _, share, _ in after_say}
    assert chances["goodbye"] > 0.3
    assert chances["hello"] > 0.3


def test_the_live_run_is_looked_at_as_it_is_now(page):
    choose(page, "machine", "the network")
    before = page.scene("network")["scene"]["columns"]
    page.stage.run.step(5)
    page.run()
    after = page.scene("network")["scene"]["columns"]
    assert before != after
    params, tokenizer = page.stage.run.params(), page.stage.corpus.tokenizer
    trace = forward(params.copy(np.float64), tokenizer.encode("machin")[:, None])
    units = page.scene("network")["scene"]["units"]
    assert np.abs(np.array([column["state"] for column in after]) / 100 - trace.h[1:, 0, units]).max() <= 0.005 + 1e-12
    choose(page, "machine", "the network, untrained")
    assert page.scene("network")["scene"]["columns"] == before


def test_units_keep_their_places_while_the_network_learns(page):
    choose(page, "machine", "the network")
    before = page.scene("network")["scene"], page.scene("step_numbers")
    page.stage.run.step(40)
    page.run()
    after = page.scene("network")["scene"], page.scene("step_numbers")
    assert before[0]["columns"] != after[0]["columns"]
    assert before[0]["units"] == after[0]["units"]
    assert before[1]["heat"]["units"] == after[1]["heat"]["units"]
    assert before[1]["numbers"]["units"] == after[1]["numbers"]["units"]
    assert len(before[1]["numbers"]["steps"][0]["units"]) == len(before[1]["numbers"]["units"])


def test_the_network_that_is_looked_at_stays_while_the_run_trains(page):
    def chosen():
        return page.run().app.selectbox(key="unrolled_network").value

    before = page.scene("network")["scene"]
    page.stage.run.step()
    assert chosen() == "the small network"
    assert page.scene("network")["scene"] == before
    choose(page, "a window of the text")
    assert chosen() == "the network"
    choose(page, "machine")
    assert chosen() == "the small network"
    page.app.switch_page("pages/3_training.py").run()
    page.app.switch_page(PAGE)
    assert chosen() == "the network"  # opened anew, after it has learnt
    choose(page, "machine", "the small network")
    page.app.switch_page("pages/3_training.py").run()
    page.app.switch_page(PAGE)
    assert chosen() == "the small network"  # what the reader chose


def test_a_window_of_the_corpus_and_the_next_one(page):
    choose(page, "a window of the text", "the network")
    corpus = page.stage.corpus
    text = "".join(corpus.tokenizer.vocab[i] for i in corpus.held_out.inputs).replace(" ", "␣").replace("\n", "↵")
    first = "".join(letters(page))
    page.press("Next window")
    assert len(first) == MOST
    assert first + "".join(letters(page)) in text


def test_a_long_text_is_cut_and_it_is_said(page):
    typed(page, "machine " * 1250)
    assert len(letters(page)) == MOST
    assert str(MOST) in page.notices[0]
    assert "10,000" in page.notices[0]


def test_symbols_that_the_run_does_not_know_are_left_out_and_it_is_said(page):
    typed(page, "ma\u20acchine")
    assert letters(page) == list("machin")
    assert "left out" in page.notices[0]


def test_what_cannot_be_read_leaves_a_picture_and_a_sentence(page):
    typed(page, "שלום")
    assert len(letters(page)) == MOST
    assert "at least two" in page.notices[0]
    assert "held-out text" in page.notices[0]
    corpus = page.stage.corpus
    held_out = "".join(corpus.tokenizer.vocab[i] for i in corpus.held_out.inputs).replace(" ", "␣").replace("\n", "↵")
    assert "".join(letters(page)) in held_out


def test_an_empty_text_is_no_mistake(page):
    typed(page, "")
    assert len(letters(page)) == MOST
    assert page.notices == []


def test_words_are_read_where_the_run_reads_words(visit):
    visitor = visit(max_tokens=5000, hidden_size=8, batch_size=4, num_steps=8, unit="word", vocab_cap=100)
    visitor.app.switch_page(PAGE)
    visitor.run()
    typed(visitor, "the machine is the value")
    assert letters(visitor)[0] == "the"
    assert "<unk>" in letters(visitor)
    assert "<unk>" in visitor.notices[0]
    assert len(choose(visitor, "a window of the text", "the network").scene("network")["scene"]["columns"]) <= 12


def test_a_language_without_letters_still_has_its_picture(visit):
    visitor = visit(corpus="lag", max_tokens=5000, hidden_size=8, batch_size=4, num_steps=8)
    visitor.app.switch_page(PAGE)
    choose(visitor.run(), "machine", "the network")
    assert set(letters(visitor)) == {"0", "1"}
    assert visitor.notices


@pytest.mark.parametrize("settings", [{"embedding_size": 8}, {"activation": "relu"}, {"activation": "sigmoid"}])
def test_every_kind_of_network_is_drawn(visit, settings):
    visitor = visit(max_tokens=5000, hidden_size=8, batch_size=4, num_steps=8, **settings)
    visitor.app.switch_page(PAGE)
    choose(visitor.run(), "machine", "the network")
    assert letters(visitor) == list("machin")


def test_forty_steps_are_sent_in_less_than_60_kilobytes(visit):
    visitor = visit(max_tokens=20_000, hidden_size=128, batch_size=8, num_steps=8)
    visitor.app.switch_page(PAGE)
    choose(visitor.run(), "a window of the text", "the network")
    sent = [visitor.scene(key) for key in ("network", "step_numbers", "dependence", "unit_text")]
    assert len(json.dumps(sent, ensure_ascii=False, separators=(",", ":")).encode()) < 60_000


@hypothesis_settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(st.sampled_from("machine <b>&\"'אبé👩\u200d\u0301\u202e\u0000\t"), max_size=60))
def test_any_text_is_drawn(page, words):
    typed(page, words)
    assert 1 <= len(letters(page)) <= MOST


def test_the_code_is_sent_only_when_asked_for_and_as_it_runs(page):
    assert not page.app.code
    page.app.session_state["source_unrolled"] = True
    page.app.run()
    assert inspect.getsource(inspect.unwrap(forward)) in [block.value + "\n" for block in page.app.code]
