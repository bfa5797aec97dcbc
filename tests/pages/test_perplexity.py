"""The Perplexity page without a browser: models side by side, a text typed and edited, continuations, and writing."""

import math

import numpy as np
import pytest
from streamlit.util import calc_hash

from core.analysis.perplexity import surprise
from core.figures.perplexity.writing import PLACES
from core.models.ngram import NgramReader
from core.models.sampling import RnnReader, generate
from core.text.corpus import SOURCES
from core.training.live_run import LiveRun
from pages.perplexity import continuations, writing
from pages.perplexity import surprise as section
from pages.perplexity.choice import counted
from pages.ui.address import LONGEST

PAGE = "pages/4_perplexity.py"
EXAMPLE = SOURCES["python_manual"].example
SMALL = {"max_tokens": 20_000, "hidden_size": 16, "batch_size": 8, "num_steps": 8, "cosine_until": 0}
PAYLOADS = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "[a](javascript:alert(1))",
    "![](http://example.org/x.png)",
    r"$\href{javascript:alert(1)}{x}$",
    "</style><b>",
    ":red[loud]",
    "tab\tand\nbreak",
)


@pytest.fixture
def page(visit):
    return open_page(visit, **SMALL)


def open_page(visit, **query):
    visitor = visit(**query)
    visitor.app.switch_page(PAGE)
    return visitor.run()


def drawn(page):
    return page.scene("surprise")["scene"]


def typed(page, text, caret=0):
    page.wishes.update(text=text, caret=caret)
    return page.run()


def perplexity(page):
    return float(drawn(page)["running_words"][-1].replace("\u2009", ""))


def test_before_anything_is_typed_there_is_a_sentence_with_a_slip_in_it(page):
    scene = drawn(page)
    assert scene["text"] == EXAMPLE
    assert len(scene["nats"]) == len(EXAMPLE) - 1
    assert scene["table"]["after"].endswith("of·t")
    assert scene["names"] == ["the network", "trigram"]


def test_the_numbers_are_those_of_the_run_as_it_is_now(page):
    for _ in range(2):
        ids = page.stage.corpus.tokenizer.encode(EXAMPLE)
        reader = RnnReader(page.stage.run.params().copy(np.float64))
        assert drawn(page)["nats"] == [round(100 * nats) for nats in surprise(reader, ids).nats]
        page.stage.run.step(5)
        page.run()


def test_the_model_beside_counts(page):
    ids = page.stage.corpus.tokenizer.encode(EXAMPLE)
    for order in (0, 1, 5):
        page.wishes["beside"] = f"counted-{order}"
        expected = surprise(NgramReader(counted(page.stage), order), ids).nats
        assert drawn(page.run())["beside"] == [round(100 * nats) for nats in expected]
    page.wishes["beside"] = "none"
    assert drawn(page.run())["difference"] is None


def test_a_uniform_model_chooses_among_all(page):
    page.wishes["model"] = "counted-0"
    page.run()
    assert perplexity(page) == pytest.approx(page.stage.corpus.tokenizer.size, rel=0.01)


def test_editing_one_token_looks_at_it(page):
    typed(page, "the value is", caret=5)
    assert drawn(page)["picked"] == 4
    page.wishes["picked"] = 9
    assert drawn(page.run())["picked"] == 9
    typed(page, "th", caret=2)
    assert drawn(page)["picked"] == 1


def test_an_earlier_run_can_be_looked_at(page):
    page.stage.run.step(3)
    before = drawn(page.run())["nats"]
    page.stage.start(page.stage.settings.but(seed=5))
    page.run()
    (option,) = (key for key, _ in _options(page, "model") if key.startswith("ghost"))
    assert drawn(page)["nats"] != before
    page.wishes["model"] = option
    assert drawn(page.run())["nats"] == before
    page.stage.ghosts = []
    assert drawn(page.run())["names"][0] == "the network"


def _options(page, name):
    return page.bar()[name]["options"]


def test_an_earlier_run_over_other_symbols_is_not_offered_and_it_is_said(page):
    page.stage.run.step()
    page.stage.start(page.stage.settings.but(cleaning="letters"))
    page.run()
    assert not [key for key, _ in _options(page, "model") if key.startswith("ghost")]
    assert any("other symbols" in node.proto.body for node in page._html())


@pytest.mark.parametrize("payload", PAYLOADS)
def test_a_typed_text_comes_back_as_it_was_typed(page, payload):
    typed(page, payload)
    scene = drawn(page)
    assert scene["text"] == payload
    assert "".join(gap + said for gap, said in scene["pieces"]) + scene["tail"] == payload


def test_what_cannot_be_read_is_told_and_the_page_lives_on(page):
    for text in ("", "a", "שש"):
        typed(page, text)
        assert "nats" not in drawn(page)
        assert "two are needed" in page.scene("surprise")["notices"][-1]
    typed(page, "the value")
    assert page.scene("surprise")["notices"] == []
    assert len(drawn(page)["nats"]) == 8


def test_a_hundred_thousand_characters_are_read_in_part(page):
    typed(page, "the value " * 10_000)
    assert len(drawn(page)["nats"]) == 1999
    assert "100\u2009000" in page.scene("surprise")["notices"][0]
    assert drawn(page)["text"] == "the value " * 10_000


def test_symbols_that_were_never_seen_are_left_out_and_told(page):
    typed(page, "the €alue")
    assert len(drawn(page)["nats"]) == 7
    assert "1 symbol" in page.scene("surprise")["notices"][0]


def test_a_network_without_numbers_has_no_opinion(page):
    page.stage.watched.trainer.params.flat[:] = np.nan
    page.forget().run()
    assert "no longer finite" in page.scene("surprise")["notices"][0]
    page.turn_to("continuations")
    assert "no longer finite" in page.scene("continuations")["notice"]
    page.turn_to("writing")
    assert "no longer finite" in page.scene("samples")["controls"]["notice"]


@pytest.mark.parametrize(("asked", "shown"), [
    ({"text": "the <b>value</b>"}, lambda page: drawn(page)["text"] == "the <b>value</b>"),
    (
        {"section": "continuations", "beginning": "The <i>", "ways": "of <b>\nis"},
        lambda page: [row["text"] for row in page.scene("continuations")["scene"]["rows"][5:]] == ["of <b>", "is"],
    ),
    ({"section": "writing", "prompt": "[a](b)"}, lambda page: page.scene("samples")["controls"]["prompt"] == "[a](b)"),
], ids=["surprise", "continuations", "writing"])  # fmt: skip
def test_a_link_opens_what_was_typed(visit, asked, shown):
    page = visit(calc_hash("perplexity"), **SMALL, **asked)
    assert shown(page)
    assert page.notices == []
    assert {name: page.run().url[name] for name in asked} == asked
    name = next(name for name in asked if name != "section")
    page.wishes[name] = "x" * (LONGEST + 1)
    assert name not in page.run().url


def test_no_link_holds_a_piece_of_the_readers_own_text(page):
    page.stage.start(page.stage.settings.but(corpus="own"), "abc defgh\n" * 600)
    typed(page, "abc defg")
    section.another_passage(page.stage, page.wishes)
    page.run()
    typed(page, drawn(page)["text"] + "h")
    assert "text" not in page.run().url


def test_another_passage_is_one_of_the_held_out_text(page):
    section.another_passage(page.stage, page.wishes)
    corpus = page.stage.corpus
    scene = drawn(page.run())
    assert scene["text"] in corpus.tokenizer.decode(corpus.held_out.inputs)
    assert scene["nats"][scene["picked"] - 1] == max(scene["nats"])  # rounded: others may look as surprising
    page.stage.run.step(20)
    assert drawn(page.run())["picked"] == scene["picked"]


def test_words(visit):
    page = open_page(visit, **SMALL, unit="word", vocab_cap=200)
    typed(page, "the  value\tof <b>\nthe machine", caret=3)
    scene = drawn(page)
    assert scene["text"] == "the  value\tof <b>\nthe machine"
    assert scene["symbols"].count("↵") == 1
    assert "<unk>" in page.scene("surprise")["notices"][0]


def test_the_five_continuations_are_ranked(page):
    page.turn_to("continuations")
    rows = page.scene("continuations")["scene"]["rows"]
    assert [row["text"] for row in rows] == list(continuations.WAYS)
    for by in ("total", "token"):
        assert sorted(row["by"][by]["rank"] for row in rows) == ["1", "2", "3", "4", "5"]
    before = [row["total"] for row in rows]
    page.stage.run.step(5)
    assert [row["total"] for row in page.run().scene("continuations")["scene"]["rows"]] != before


def test_the_reader_s_own_continuations(page):
    page.turn_to("continuations", own_notice="")
    for text in ("<b>bold</b>", "€€", "  ", "x" * 1000):
        continuations.add(page.wishes, text)
    rows = page.run().scene("continuations")["scene"]["rows"]
    assert [(row["text"], row["own"]) for row in rows[5:]] == [("<b>bold</b>", True), ("€€", True)]
    assert "€" in rows[6]["missing"]
    assert rows[6]["by"]["total"]["rank"] == "–"
    page.wishes["beginning"] = "It is raining €"
    assert "1 symbol" in page.run().scene("continuations")["notice"]  # what is left out of the beginning is said
    page.wishes.update(beginning="It is raining", own_notice="A continuation has at most so many characters.")
    page.run()
    assert "at most" in page.scene("continuations")["notice"]
    continuations.remove(page.wishes, 5)
    assert [row["text"] for row in page.run().scene("continuations")["scene"]["rows"][5:]] == ["€€"]
    for _ in range(20):
        continuations.add(page.wishes, "again")
    assert len(page.run().scene("continuations")["scene"]["rows"]) == 5 + continuations.OWN


def test_a_beginning_that_says_nothing_to_the_model(page):
    for prompt in ("", "€"):
        page.turn_to("continuations", beginning=prompt)
        assert page.scene("continuations")["scene"] is None
        assert page.scene("continuations")["notice"]


def test_a_language_of_two_symbols_has_nothing_to_say_about_rain(visit):
    page = open_page(visit, corpus="lag", max_tokens=5000, hidden_size=8, batch_size=4, num_steps=8)
    assert set(drawn(page)["symbols"]) == {"0", "1"}
    assert page.scene("continuations" if page.turn_to("continuations") else "")["notice"]
    page.turn_to("writing")
    assert page.scene("samples")["controls"]["prompt"] in ("0", "1")
    assert page.scene("samples")["scene"]["texts"]


def test_targets_that_are_not_the_next_tokens_have_no_perplexity_of_a_text(visit):
    page = open_page(visit, corpus="echo", max_tokens=5000, hidden_size=8, batch_size=4, num_steps=8)
    assert "next tokens" in page.notices[0]


def finished(page):
    """The texts when they are done; the clock is not waited for."""
    page.wishes["writing"]["session"].began -= 1e6
    for _ in range(200):
        scene = page.run().scene("samples")["scene"]
        if not scene["grows"]:
            return ["".join(scene["symbols"][step[0]][0] for step in text["steps"]) for text in scene["texts"]]
    raise AssertionError("the texts did not end")


def test_three_texts_are_written_from_the_prompt(page):
    page.turn_to("writing")
    first = finished(page)
    assert [len(text) for text in first] == [writing.LENGTH["char"]] * 3
    assert len(set(first)) == 3
    writing.command(page.stage, page.wishes, "write", True)
    assert finished(page) == first  # the same seeds, the same network
    writing.other_seeds(page.stage, page.wishes)
    assert not set(finished(page)) & set(first)


def rewritten(page, update):
    """Whether the texts are those of the network as it is now, which is said to be that of ``update``."""
    said = page.scene("samples")["scene"]["says"]
    shown = finished(page)
    reader, tokenizer = RnnReader(page.stage.run.params().copy(np.float64)), page.stage.corpus.tokenizer
    prompt, length = tokenizer.encode("The "), writing.LENGTH["char"]
    now = [generate(reader, prompt=prompt, length=length, rng=np.random.default_rng(seed)) for seed in range(3)]
    return said.endswith(f"update {update}") and shown == [tokenizer.decode(ids) for ids in now]


def test_the_text_is_of_the_update_it_names(page):
    assert rewritten(page.turn_to("writing"), 0)
    page.stage.run.step(20)
    assert rewritten(page.run(), 20)  # it rests at another update
    page.turn_to("surprise").stage.run.step(20)
    assert rewritten(page.turn_to("writing"), 40)
    page.app.switch_page("pages/3_training.py")
    page.run().stage.run.step(20)
    page.app.switch_page(PAGE)
    assert rewritten(page.run(), 60)
    page.stage.run.scale_to_radius(0.3)
    assert rewritten(page.run(), 60)  # changed by hand


def test_while_the_run_trains_the_text_stays_until_one_returns(page, monkeypatch):
    monkeypatch.setattr(LiveRun, "playing", property(lambda run: True))
    old = finished(page.turn_to("writing"))
    page.stage.run.step(20)
    assert finished(page.run()) == old
    assert page.scene("samples")["scene"]["says"].endswith("update 0")
    page.turn_to("surprise").forget()
    assert rewritten(page.turn_to("writing"), 20)


def test_a_text_by_the_network_as_it_still_is_stays_where_it_is(page):
    finished(page.turn_to("writing"))
    number = page.scene("samples")["scene"]["number"]
    page.turn_to("surprise").turn_to("writing")
    assert page.scene("samples")["scene"]["number"] == number


def test_at_the_most_probable_all_texts_are_one(page):
    page.turn_to("writing")
    writing.command(page.stage, page.wishes, "greedy", True)
    writing.command(page.stage, page.wishes, "write", True)
    assert len(set(finished(page))) == 1


def test_the_temperature_is_a_setting_of_the_view(page):
    page.stage.run.step(30)
    page.turn_to("writing")
    writing.command(page.stage, page.wishes, "temperature", len(PLACES) - 1)
    page.run()
    assert page.stage.settings.temperature == 10
    assert page.url["temperature"] == "10.0"
    bend = page.scene("samples")["scene"]["bend"]
    assert "10" in bend["at"]
    assert bend["entropy"] != bend["plain_entropy"]


def test_how_many_texts(page):
    page.turn_to("writing")
    for asked, given in ((1, 1), (4, 4), (99, writing.MOST)):
        writing.command(page.stage, page.wishes, "texts", asked)
        assert len(page.run().scene("samples")["scene"]["texts"]) == given


def test_a_prompt_that_cannot_be_continued_is_told(page):
    page.turn_to("writing")
    for prompt in ("", "€€"):
        writing.command(page.stage, page.wishes, "prompt", {"text": prompt, "serial": 1})
        writing.command(page.stage, page.wishes, "write", True)
        page.run()
        assert page.scene("samples")["scene"] is None
        assert "at least one token" in page.scene("samples")["controls"]["notice"]
    writing.command(page.stage, page.wishes, "prompt", {"text": "the €", "serial": 2})
    writing.command(page.stage, page.wishes, "write", True)
    assert page.run().scene("samples")["scene"]["texts"]
    assert page.scene("samples")["controls"]["prompt"] == "the €"


def test_a_network_that_explodes_while_it_writes_stops_with_a_sentence(page):
    page.turn_to("writing")
    session = page.wishes["writing"]["session"]
    session.samples[0]._writer.scores[:] = math.nan
    session.began -= 1e6
    page.run()
    assert not page.scene("samples")["scene"]["grows"]
    assert "no longer finite" in page.scene("samples")["controls"]["notice"]


def test_another_text_is_written_with_its_own_symbols(page):
    page.turn_to("writing")
    page.stage.start(page.stage.settings.but(cleaning="letters"))
    page.run()
    assert all(symbol[0] in "abcdefghijklmnopqrstuvwxyz " for symbol in page.scene("samples")["scene"]["symbols"])
