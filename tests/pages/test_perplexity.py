"""The Perplexity page: a typed and edited text, continuations, generated texts, and sections with the run's numbers."""

import gc
import math
import weakref

import numpy as np
import pytest

from core.analysis.perplexity import surprise
from core.models.ngram import NgramReader
from core.models.sampling import RnnReader, generate
from core.text.corpus import SOURCES
from core.training.history import Ghost
from core.training.run.live_run import LiveRun
from pages.content.scenes import SCENES
from pages.figures.perplexity.writing import TEMPERATURES
from pages.perplexity import against_counting, choice, continuations, writing
from pages.perplexity.choice import counted
from pages.perplexity.sections import SECTIONS
from pages.perplexity.surprise import another_passage
from tests.pages.app_session import LIMIT, SMALL, AppSession
from tests.pages.figures.drawings import texts, value

EXAMPLE = SOURCES["python_manual"].example


@pytest.fixture
def page(visit) -> AppSession:
    return visit("perplexity", **SMALL)


def drawn(page: AppSession) -> dict:
    return page.data("surprise")["drawing"]


def typed(page: AppSession, text: str, caret: int = 0) -> AppSession:
    page.choices.update(text=text, caret=caret)
    return page.run()


def test_the_losses_are_those_of_the_run_as_it_is_now(page):
    drawing = drawn(page)
    assert (drawing["text"], len(drawing["nats"])) == (EXAMPLE, len(EXAMPLE) - 1)
    assert drawing["names"] == ["the network", "trigram"]
    for _ in range(2):
        ids = page.stage.corpus.tokenizer.encode(EXAMPLE)
        reader = RnnReader(page.stage.run.params().copy(np.float64))
        assert drawn(page)["nats"] == [round(100 * nats) for nats in surprise(reader, ids).nats]
        page.train(5)


def test_the_model_beside_is_an_n_gram_of_any_order_or_none(page):
    ids = page.stage.corpus.tokenizer.encode(EXAMPLE)
    for order in (0, 1, 5):
        page.choices["beside"] = f"counted-{order}"
        expected = surprise(NgramReader(counted(page.stage), order), ids).nats
        assert drawn(page.run())["beside"] == [round(100 * nats) for nats in expected]
    page.choices.update(beside="none", model="counted-0")  # uniform
    assert drawn(page.run())["difference"] is None
    uniform = float(drawn(page)["running_words"][-1].replace("\u202f", ""))
    assert uniform == pytest.approx(page.stage.corpus.tokenizer.size, rel=0.01)


def test_the_token_at_the_caret_is_selected_and_the_address_holds_it(page):
    assert "picked" not in page.url
    typed(page, "the value is", caret=5)
    assert drawn(page)["picked"] == 4
    assert page.url["picked"] == "4"
    page.choices["picked"] = 9
    assert drawn(page.run())["picked"] == 9
    assert page.url["picked"] == "9"
    typed(page, "th", caret=2)
    assert drawn(page)["picked"] == 1


def test_an_earlier_run_can_be_read_unless_it_has_other_symbols(page):
    before = drawn(page.train(3))["nats"]
    page.start(seed=5)
    (option,) = [key for key, _ in page.controls()["model"]["options"] if key.startswith("ghost")]
    assert drawn(page)["nats"] != before
    page.choices["model"] = option
    assert drawn(page.run())["nats"] == before
    page.start(cleaning="letters")
    assert "ghost" not in str(page.controls()["model"]["options"])
    assert drawn(page)["names"][0] == "the network"
    assert any("other symbols" in body for body in page.html)


def test_what_cannot_be_read_of_a_typed_text_is_reported(page):
    for text in ("", "a", "שש"):
        typed(page, text)
        assert "nats" not in drawn(page)
        assert "two are needed" in page.data("surprise")["notices"][-1]
    typed(page, "the €alue")
    assert len(drawn(page)["nats"]) == 7
    assert "1 symbol" in page.data("surprise")["notices"][0]


def test_no_link_holds_a_piece_of_the_own_text(page):
    page.stage.start(page.stage.settings.but(corpus="own"), "abc defgh\n" * 600)
    typed(page, "abc defg")
    another_passage(page.stage, page.choices)
    page.run()
    typed(page, drawn(page)["text"] + "h")
    assert "text" not in page.run().url


def test_another_passage_is_one_of_the_held_out_text(page):
    another_passage(page.stage, page.choices)
    corpus = page.stage.corpus
    drawing = drawn(page.run())
    assert drawing["text"] in corpus.tokenizer.decode(corpus.held_out.inputs)
    assert drawing["nats"][drawing["picked"] - 1] == max(drawing["nats"])  # rounded: others may be equal
    assert drawn(page.train(20))["picked"] == drawing["picked"]


def test_own_continuations_are_added_up_to_a_limit_and_removed(page):
    def rows(page: AppSession) -> list[dict]:
        return page.data("continuations")["drawing"]["rows"]

    page.open_section("continuations", own_notice="")
    assert [row["text"] for row in rows(page)] == list(continuations.EXAMPLE_CONTINUATIONS)
    for text in ("<b>bold</b>", "€€", "  ", "x" * 1000):
        continuations.add(page.choices, text)
    page.run()
    assert [(row["text"], row["own"]) for row in rows(page)[5:]] == [("<b>bold</b>", True), ("€€", True)]
    continuations.remove(page.choices, 5)
    page.choices["beginning"] = "It is raining €"
    page.run()
    assert [row["text"] for row in rows(page)[5:]] == ["€€"]
    assert page.data("continuations")["notice"]
    for _ in range(20):
        continuations.add(page.choices, "again")
    assert len(rows(page.run())) == 5 + continuations.MAX_OWN
    for prompt in ("", "€"):
        page.open_section("continuations", beginning=prompt)
        assert page.data("continuations")["drawing"] is None
        assert page.data("continuations")["notice"]


def test_a_language_without_letters_has_no_continuations_and_its_own_prompt(page):
    page.start(corpus="lag")
    assert set(drawn(page)["symbols"]) == {"0", "1"}
    assert page.open_section("continuations").data("continuations")["notice"]
    page.open_section("writing")
    assert set(page.data("samples")["controls"]["prompt"]) == {"0", "1"}
    assert page.data("samples")["drawing"]["texts"]
    page.start(corpus="echo")
    assert "next tokens" in page.notices[0]  # its targets are not the next tokens


def finished(page: AppSession) -> list[str]:
    """The generated texts once they are complete, without waiting for the clock."""
    page.choices["writing"]["sampling"].began -= 1e6
    for _ in range(200):
        drawing = page.run().data("samples")["drawing"]
        if not drawing["grows"]:
            return ["".join(drawing["symbols"][step[0]][0] for step in text["steps"]) for text in drawing["texts"]]
    raise AssertionError("the texts did not end")


def test_three_texts_are_written_from_the_prompt_reproducibly(page):
    first = finished(page.open_section("writing"))
    assert [len(text) for text in first] == [writing.LENGTH["char"]] * 3
    assert len(set(first)) == 3
    writing.start(page.stage, page.choices)
    assert finished(page) == first  # the same seeds and the same network
    writing.other_seeds(page.stage, page.choices)
    assert not set(finished(page)) & set(first)
    writing.command(page.stage, page.choices, "greedy", True)
    writing.start(page.stage, page.choices)
    assert len(set(finished(page))) == 1


def is_rewritten(page: AppSession, update: int) -> bool:
    """Whether the texts are those of the current network, and are labelled with ``update``."""
    label = page.data("samples")["drawing"]["says"]
    shown = finished(page)
    reader, tokenizer = RnnReader(page.stage.run.params().copy(np.float64)), page.stage.corpus.tokenizer
    prompt, length = tokenizer.encode("The "), writing.LENGTH["char"]
    now = [generate(reader, prompt=prompt, length=length, rng=np.random.default_rng(seed)) for seed in range(3)]
    return label.endswith(f"update {update}") and shown == [tokenizer.decode(ids) for ids in now]


def test_the_texts_are_of_the_update_that_they_are_labelled_with(page):
    assert is_rewritten(page.open_section("writing"), 0)
    number = page.data("samples")["drawing"]["number"]
    page.open_section("surprise").open_section("writing")
    assert page.data("samples")["drawing"]["number"] == number  # the network is the same: the texts are not generated again
    assert is_rewritten(page.train(20), 20)
    page.open_section("surprise").stage.run.step(20)
    assert is_rewritten(page.open_section("writing"), 40)
    page.stage.run.scale_to_radius(0.3)
    assert is_rewritten(page.run(), 40)


def test_while_the_run_trains_the_texts_stay_until_the_section_is_opened_again(page, monkeypatch):
    monkeypatch.setattr(LiveRun, "playing", property(lambda run: True))
    old = finished(page.open_section("writing"))
    page.stage.run.step(20)
    assert finished(page.run()) == old
    assert page.data("samples")["drawing"]["says"].endswith("update 0")
    page.open_section("surprise").clear_results()
    assert is_rewritten(page.open_section("writing"), 20)


def test_temperature_and_number_of_texts_are_settings_within_limits(page):
    page.stage.run.step(30)
    page.open_section("writing")
    writing.command(page.stage, page.choices, "temperature", len(TEMPERATURES) - 1)
    page.run()
    assert page.stage.settings.temperature == 10
    assert page.url["temperature"] == "10.0"
    assert "10" in page.data("samples")["drawing"]["bend"]["at"]
    for asked, given in ((1, 1), (4, 4), (99, writing.MOST)):
        writing.command(page.stage, page.choices, "texts", asked)
        assert len(page.run().data("samples")["drawing"]["texts"]) == given


def test_a_prompt_that_cannot_be_continued_is_reported(page):
    page.open_section("writing")
    for prompt in ("", "€€"):
        writing.set_prompt(page.choices, prompt, 1)
        writing.start(page.stage, page.choices)
        page.run()
        assert page.data("samples")["drawing"] is None
        notice = page.data("samples")["controls"]["notice"]
        assert "vocabulary" in notice
    writing.set_prompt(page.choices, notice.split("“")[1].split("”")[0], 2)  # the prompt that it proposes
    writing.start(page.stage, page.choices)
    assert page.run().data("samples")["drawing"]["texts"]
    assert page.data("samples")["controls"]["notice"] == ""
    writing.set_prompt(page.choices, "the €", 2)
    writing.start(page.stage, page.choices)
    assert page.run().data("samples")["drawing"]["texts"]
    assert page.data("samples")["controls"]["prompt"] == "the €"


def test_a_network_that_overflows_while_it_writes_stops_with_a_notice(page):
    page.open_section("writing")
    session = page.choices["writing"]["sampling"]
    session.samples[0].scores[:] = math.nan
    session.began -= 1e6
    page.run()
    assert not page.data("samples")["drawing"]["grows"]
    assert "no longer finite" in page.data("samples")["controls"]["notice"]


@pytest.mark.parametrize("change", [
    {}, {"validation_share": 0.0}, {"carry_state": False}, {"unit": "word", "vocab_cap": 50}, {"corpus": "lag", "lag": 3},
], ids=str)  # fmt: skip
def test_all_sections_and_the_run_card_show_the_same_perplexity(page, change):
    page.stage.run.step()
    page.start(**change).train(7)
    card = value(page.data("run_card")["number"])
    trigram = next(line for line in page.stage.baselines if line.name == "trigram").perplexity
    for section in SECTIONS:
        page.open_section(section)
        assert not page.notices
        assert change.get("validation_share") != 0.0 or "held-out" not in " ".join(page.html)
    averages = page.open_section("number").data("averages")
    assert value(texts(averages)[0][1]) == pytest.approx(card, rel=0.01)
    network, counted = page.open_section("length", beside="counted-3").data("growing_words")["cards"]
    assert value(network["rows"][-1][1].split(" · ")[-1]) == pytest.approx(card, rel=0.01)
    assert value(counted["rows"][-1][1].split(" · ")[-1]) == pytest.approx(trigram, rel=0.01)
    bars = page.open_section("compression").data("sizes")["figure"]["data"][0]
    bits = dict(zip(map(str.strip, bars["y"]), bars["x"], strict=True))
    assert 2 ** bits["<b>the network</b>"] == pytest.approx(card, rel=0.01)
    assert 2 ** bits["trigram"] == pytest.approx(trigram, rel=0.01)
    grid = page.open_section("counting").data("models")
    models = dict(zip((row["name"] for row in grid["rows"]), texts(grid), strict=True))
    assert value(models["trigram"][0]) == pytest.approx(trigram, rel=0.01)
    assert value(models["the network"][0]) == pytest.approx(card, rel=0.01)


def test_on_a_lag_language_the_gap_is_that_of_the_live_run(page):
    page.start(corpus="lag", lag=2).train(12)
    floor, reached, *_ = page.open_section("compression").data("gap")["figure"]["data"]
    assert len(floor["x"]) == 3  # updates 0, 10 and the current one
    assert min(reached["y"]) > floor["y"][0]
    with pytest.raises(ValueError):
        page.open_section("length").data("product_model")  # this text has no letters


def test_the_two_networks_are_registered_together(page, monkeypatch):
    monkeypatch.setattr(against_counting, "EPOCHS", 1)
    monkeypatch.setattr(against_counting, "WORDS", {"400 words": 400, "800 words": 800})
    during, create = [], against_counting._run

    def record(settings):  # the runs that another script of the page finds while the second is created
        during.append(dict(page.stage.experiments))
        return create(settings)

    monkeypatch.setattr(against_counting, "_run", record)
    page.open_section("counting").press("Train both networks")
    assert during == [{}, {}]
    runs = list(page.stage.experiments.values())
    assert len(runs) == 2
    assert all(run.join(LIMIT) for run in runs)
    page.run()
    assert [run.source.step for run in runs] == [run.source.trainer.updates_per_epoch for run in runs]
    table = page.data("memorising_numbers")
    assert [row["name"] for row in table["rows"]] == ["400 words", "800 words"]
    assert value(texts(table)[0][3]) < value(texts(table)[0][2])  # a counting table of its own text against an untrained network


def test_after_its_scene_the_second_network_is_made_too(visit, monkeypatch):
    monkeypatch.setattr(against_counting, "EPOCHS", 1)
    monkeypatch.setattr(against_counting, "WORDS", {"400 words": 400, "800 words": 800})
    page = visit("perplexity", **SCENES["beating"].query).press("Train for 100 passes")
    first = page.stage.experiments["400 words"]
    assert first.join(LIMIT)
    page.open_place("perplexity?section=counting").press("Train both networks")
    runs = page.stage.experiments
    assert runs.keys() == {"400 words", "800 words"}
    assert runs["400 words"] is first
    assert all(run.join(LIMIT) for run in runs.values())
    assert [run.source.step for run in runs.values()] == [run.source.trainer.updates_per_epoch for run in runs.values()]


def test_the_sections_release_a_run_that_has_ended(page):
    ended = weakref.ref(page.train(2).stage.monitored.trainer)
    for starts in (True, False):
        for section in SECTIONS:
            page.open_section(section)
        if starts:
            page.stage.start(page.stage.settings)
    gc.collect()
    assert ended() is None


def test_an_earlier_run_is_never_mistaken_for_one_that_was_dropped(stage):
    """Even if their objects had the same memory address."""
    offered = []
    for _ in range(50):
        stage.ghosts = []
        stage.ghosts = [Ghost(stage.settings, "", (), stage.run.params(), stage.corpus.tokenizer)]
        offered += [key for key in choice.offered(stage) if key.startswith(choice.GHOST)]
    assert len(set(offered)) == len(offered) == 50
    assert choice.choose(stage, offered[0]).moves  # it was dropped: the live run replaces it
    assert not choice.choose(stage, offered[-1]).moves


def test_a_text_without_the_usual_words_has_a_prompt_of_its_own_and_says_once_why(page):
    text = '<svg><path d="M0 0L9 9"/></svg>\n' * 100
    page.stage.start(page.stage.settings.but(corpus="own"), text)
    page.open_section("writing")
    assert page.data("samples")["controls"]["prompt"] in text
    page.open_section("continuations")
    rows = page.data("continuations")["drawing"]["rows"] if page.data("continuations")["drawing"] else []
    assert {row["missing"] for row in rows} <= {"not ranked"}
    assert page.data("continuations")["notice"]
