"""Perplexity: the number, length, compression and counting, on any text, with the numbers of the run."""

import gc
import weakref

import numpy as np
import pytest

from core.analysis.means import averages
from core.models.loss import cross_entropy, perplexity
from core.models.rnn import forward
from core.training.history import Ghost
from pages.perplexity import against_counting, choice
from pages.perplexity.compression import small_run
from pages.perplexity.sections import SECTIONS
from tests.pages.app_session import LIMIT, SMALL, AppSession


@pytest.fixture
def page(visit) -> AppSession:
    return visit("perplexity", **SMALL)


@pytest.fixture
def short_runs(monkeypatch) -> None:
    """The two networks beside the live one train for one epoch on few words."""
    monkeypatch.setattr(against_counting, "EPOCHS", 1)
    monkeypatch.setattr(against_counting, "WORDS", {"400 words": 400, "800 words": 800})


def texts(row: dict) -> list[str]:
    return [cell["text"] for cell in row["cells"]]


def value(text: str) -> float:
    return float(text.replace("−", "-").replace("\u2009", "").replace("∞", "inf"))


@pytest.mark.parametrize("change", [
    {}, {"validation_share": 0.0}, {"carry_state": False}, {"unit": "word", "vocab_cap": 50}, {"corpus": "lag", "lag": 3},
], ids=str)  # fmt: skip
def test_all_sections_and_the_card_have_one_perplexity_of_a_model(page, change):
    page.stage.run.step()
    page.start(**change).train(7)
    card = value(page.data("run_card")["number"])
    trigram = next(line for line in page.stage.baselines if line.name == "trigram").perplexity
    for section in SECTIONS:
        page.open_section(section)
        assert not page.notices
        assert change.get("validation_share") != 0.0 or "held-out" not in " ".join(page.html)
    averages = page.open_section("number").data("averages")
    assert value(texts(averages["rows"][0])[1]) == pytest.approx(card, rel=0.01)
    network, counted = page.open_section("length", beside="counted-3").data("growing_words")["cards"]
    assert value(network["rows"][-1][1].split(" · ")[-1]) == pytest.approx(card, rel=0.01)
    assert value(counted["rows"][-1][1].split(" · ")[-1]) == pytest.approx(trigram, rel=0.01)
    bars = page.open_section("compression").data("sizes")["figure"]["data"][0]
    bits = dict(zip(map(str.strip, bars["y"]), bars["x"], strict=True))
    assert 2 ** bits["<b>the network</b>"] == pytest.approx(card, rel=0.01)
    assert 2 ** bits["trigram"] == pytest.approx(trigram, rel=0.01)
    models = {row["name"]: texts(row) for row in page.open_section("counting").data("models")["rows"]}
    for baseline in page.stage.baselines:
        assert value(models[baseline.name][0]) == pytest.approx(baseline.perplexity, rel=0.01)
    assert value(models["the network"][0]) == pytest.approx(card, rel=0.01)


def test_the_averages_are_those_of_the_losses_of_the_run(page):
    page.stage.run.step(5)
    shown = page.open_section("number", p=[0.8, 0.8, 0.2]).data("averages")["rows"]
    held = page.stage.watched.held_out
    rows = held.positions.reshape(held.rows, -1)
    trace = forward(page.stage.run.params(), held.source.inputs[rows].T)
    nats = cross_entropy(trace.logits, held.source.targets[rows].T)
    own = averages(-np.log([0.8, 0.8, 0.2]), [2, 1])
    assert [value(text) for text in texts(shown[0])] == pytest.approx([own.perplexity, perplexity(nats)], rel=1e-3)
    assert value(texts(shown[1])[1]) == pytest.approx(np.exp(nats).mean(), rel=1e-3)
    assert value(texts(shown[2])[0]) == pytest.approx(own.over_batches, rel=1e-3)


def test_the_small_run_approaches_the_entropy_from_above():
    passed = small_run()
    assert all(each.gap.divergence > 0 for each in passed)
    assert passed[0].gap.divergence > 0.3
    assert passed[-1].gap.divergence < 0.01


def test_the_probabilities_that_are_set_determine_the_perplexity(page):
    assert page.open_section("number").data("choices")["number"] == "2.50"
    for p, number in (([0.2], "5.00"), ([0.5, 0.0], "∞")):
        assert page.open_section("number", p=p).data("choices")["number"] == number


def test_on_a_lag_language_the_gap_is_that_of_the_live_run(page):
    page.start(corpus="lag", lag=2).train(12)
    floor, reached, *_ = page.open_section("compression").data("gap")["figure"]["data"]
    assert len(floor["x"]) == 3  # updates 0, 10 and now
    assert min(reached["y"]) > floor["y"][0]
    with pytest.raises(ValueError):
        page.open_section("length").data("product_model")  # this text has no letters


def test_the_two_networks_are_registered_together(page, short_runs, monkeypatch):
    during, create = [], against_counting._run

    def record(settings):  # what another script of the page finds while the second is made
        during.append(dict(page.stage.beside))
        return create(settings)

    monkeypatch.setattr(against_counting, "_run", record)
    page.open_section("counting").press("Train both networks")
    assert during == [{}, {}]
    runs = list(page.stage.beside.values())
    assert len(runs) == 2
    assert all(run.join(LIMIT) for run in runs)
    page.run()
    assert [run.source.step for run in runs] == [run.source.trainer.updates_per_epoch for run in runs]
    table = page.data("memorising_numbers")["rows"]
    assert [row["name"] for row in table] == ["400 words", "800 words"]
    assert value(texts(table[0])[3]) < value(texts(table[0])[2])  # a table of its own text against a new network


def test_an_earlier_run_is_read_beside_the_live_one(page):
    page.stage.run.step(3)
    page.start(seed=1)
    (earlier,) = (key for key, _ in page.controls()["beside"]["options"] if key.startswith("ghost"))
    names = [card["title"] for card in page.open_section("length", beside=earlier).data("growing_words")["cards"]]
    assert len(names) == 2
    assert page.open_section("length", beside="none").data("growing_words")["cards"][0]["title"] == names[0]


def test_the_sections_release_a_run_that_has_ended(page):
    page.train(2)
    for section in SECTIONS:
        page.open_section(section)
    ended = weakref.ref(page.stage.watched.trainer)
    page.stage.start(page.stage.settings)
    for section in SECTIONS:
        page.open_section(section)
    gc.collect()
    assert ended() is None


def test_an_earlier_run_is_never_mistaken_for_one_that_was_dropped(stage):
    """Whatever addresses in memory they have."""
    offered = []
    for _ in range(50):
        stage.ghosts = []
        stage.ghosts = [Ghost(stage.settings, 0, (), stage.run.params(), stage.corpus.tokenizer)]
        offered += [key for key in choice.offered(stage) if key.startswith(choice.GHOST)]
    assert len(set(offered)) == len(offered) == 50
    assert choice.choose(stage, offered[0]).moves  # it was dropped: the live run stands in
    assert not choice.choose(stage, offered[-1]).moves
