"""The Unrolled page: the chosen or typed text is drawn with the chosen network, and unusable texts are reported."""

import re

import numpy as np
import pytest

from core.analysis.displayed_text import MOST_STEPS
from core.models.rnn import forward
from pages.app.panels.text_model_picker import QUOTATION
from pages.unrolled.replacement import other_choice, passed_over
from tests.pages.app_session import SMALL, AppSession


@pytest.fixture
def page(visit) -> AppSession:
    return visit("unrolled", **SMALL | {"max_tokens": 20_000, "hidden_size": 16})


def choose(page: AppSession, text: str, network: str | None = None) -> AppSession:
    page.select("unrolled_text", text)
    return page.select("unrolled_network", network) if network else page


def typed(page: AppSession, words: str) -> AppSession:
    return choose(page, "type your own").select("unrolled_typed", words)


def network(page: AppSession) -> dict:
    return page.data("network")["drawing"]


def letters(page: AppSession) -> list[str]:
    """The token read at each step."""
    return [column["labels"][0] for column in network(page)["columns"]]


def held_out_text(page: AppSession) -> str:
    corpus = page.stage.corpus
    return "".join(corpus.tokenizer.vocab[i] for i in corpus.held_out.inputs).replace(" ", "␣").replace("\n", "↵")


def test_the_live_network_is_drawn_as_it_is_now(page):
    choose(page, "machine", "the network")
    before = network(page)
    after = network(page.train(40))
    assert before["columns"] != after["columns"]
    assert before["units"] == after["units"]
    params, tokenizer = page.stage.run.params(), page.stage.corpus.tokenizer
    trace = forward(params.copy(np.float64), tokenizer.encode("machin")[:, None])
    states = np.array([column["state"] for column in after["columns"]]) / 100
    assert np.abs(states - trace.h[1:, 0, after["units"]]).max() <= 0.005 + 1e-12
    choose(page, "machine", "the network, untrained")
    assert network(page)["columns"] == before["columns"]


def test_the_chosen_network_stays_while_the_run_trains(page):
    def chosen(page: AppSession) -> str:
        return page.widget("unrolled_network").value

    before = network(page)
    assert chosen(page.train(1)) == "the small network"
    assert network(page) == before
    assert chosen(choose(page, "a window of the text")) == "the network"
    assert chosen(choose(page, "machine")) == "the small network"
    page.switch_page("training").switch_page("unrolled")
    assert chosen(page) == "the network"  # opened again after the network has learnt
    choose(page, "machine", "the small network")
    page.switch_page("training").switch_page("unrolled")
    assert chosen(page) == "the small network"  # chosen by the reader


def test_the_next_window_follows_in_the_held_out_text(page):
    choose(page, "a window of the text", "the network")
    first = "".join(letters(page))
    page.press("Next window")
    assert len(first) == MOST_STEPS
    assert first + "".join(letters(page)) in held_out_text(page)


def test_what_cannot_be_read_of_a_typed_text_is_reported(page):
    typed(page, "machine " * 1250)
    assert (len(letters(page)), len(page.notices)) == (MOST_STEPS, 1)
    typed(page, "")
    assert len(letters(page)) == MOST_STEPS
    assert page.notices == []
    typed(page, "שלום")
    assert "at least two" in page.notices[0]
    assert len(letters(page)) == MOST_STEPS
    assert "".join(letters(page)) in held_out_text(page)


def test_words_and_a_language_without_letters_are_read(visit):
    page = choose(visit("unrolled", **SMALL, corpus="lag"), "machine", "the network")
    assert set(letters(page)) == {"0", "1"}
    assert page.notices
    page = visit("unrolled", **SMALL, unit="word", vocab_cap=100)
    typed(page, "the machine is the value")
    assert letters(page)[0] == "the"
    assert "<unk>" in letters(page)
    assert "<unk>" in page.notices[0]


def test_the_code_of_the_second_books_layers_is_shown_with_file_and_lines(visit):
    session = visit("unrolled", **SMALL)
    session.app.session_state["source_layers"] = True
    session.run()
    shown = [block.value for block in session.app.code]
    assert shown[0].startswith("class TimeRNN")
    first, *_others = [body for body in session.html if "core/training/simple_rnnlm.py, lines" in body]
    begin, end = map(int, re.findall(r"\d+", first)[-2:])
    assert end - begin + 1 == len(shown[0].splitlines())


@pytest.mark.parametrize(("page_name", "query", "panel"), [
    ("unrolled", {}, "unrolled"), ("gradient_flow", {}, "gradient_flow"), ("recurrent_step", {"section": "back"}, "back"),
])  # fmt: skip
def test_the_lit_lines_follow_the_picture_and_are_sent_once_the_code_is_opened(visit, page_name, query, panel):
    session = visit(page_name, **SMALL, **query)
    assert "listing" not in dict(session.components())
    session.app.session_state[f"source_{panel}"] = True
    session.run()
    picture = session.data("back" if panel == "back" else "network")
    assert session.data("listing")["link"] == picture["link"]


def test_a_replaced_token_is_read_by_the_shown_network_and_chosen_in_the_url(page):
    choose(page, "machine", "the network")
    page.train(5)
    tokenizer = page.stage.corpus.tokenizer
    tokens = tokenizer.encode("machine")
    at, other = 2, int(tokens[2] + 1)
    page.app.session_state["replacement_choice"] = {"letter": at, "instead": other}
    page.run()
    scene = page.data("replacement")
    assert (scene["at"], scene["other"]) == (at, tokenizer.vocab[other])
    assert (page.url["letter"], page.url["instead"]) == ("2", str(other))
    changed = tokens.copy()
    changed[at] = other
    params = page.stage.run.params().copy(np.float64)
    h, h_other = (forward(params, ids[:-1, None]).h[1:, 0] for ids in (tokens, changed))
    expected = np.linalg.norm(h_other - h, axis=1)[at:]
    assert page.data("replacement_distance")["figure"]["data"][0]["y"] == pytest.approx(expected, rel=1e-4)
    scale = np.abs(h_other - h).max()
    cells = np.array(scene["cells"]) / 100 * scale
    assert cells == pytest.approx((h_other - h)[:, scene["units"]].T, abs=0.006 * scale)
    assert page.data("replacement_influence")  # the network reads the judged text


def test_what_opens_decides_what_closes_in_the_text_with_quotation_marks(visit):
    """Of the text and network whose hint says so: a bracket in place of the first quotation mark."""
    page = visit("unrolled", text=QUOTATION)
    scene = page.data("replacement")
    page.app.session_state["replacement_choice"] = {"letter": 0, "instead": scene["options"].index("(")}
    scene = page.run().data("replacement")
    assert (scene["tokens"][:4], scene["targets"][2]) == (['"', "n", "o", '"'], '"')
    before, after = map(float, (text.replace("<", "") for text in scene["probabilities"][2]))
    assert before > 0.9
    assert after < 0.2
    closed = QUOTATION.index(")") - 1  # elsewhere, too: the bracket that opened is closed
    assert float(scene["probabilities"][closed][0]) > 0.9


def test_the_token_itself_is_passed_over_as_its_own_replacement():
    assert [passed_over(choice, token=7, before=8) for choice in (7, 6)] == [6, 6]
    assert passed_over(7, token=7, before=6) == 7
    assert other_choice(7, token=7, options=60) == 8
    assert other_choice(59, token=59, options=60) == 0
    assert other_choice(99_999, token=3, options=60) == 59
