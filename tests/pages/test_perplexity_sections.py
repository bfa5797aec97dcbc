"""Perplexity: the number, length, compression and counting, on any text, with numbers of the run that is looked at."""

import gc
import math
import weakref

import numpy as np
import pytest

from core.analysis.means import averages
from core.models.loss import cross_entropy, perplexity
from core.models.rnn import forward
from core.models.sampling import score_pairs
from core.training.history import Ghost
from pages.perplexity import against_counting, choice
from pages.perplexity.compression import small_run
from pages.perplexity.length import SENTENCE, TEXTS, sentence_network
from pages.perplexity.sections import SECTIONS
from pages.ui.presence import CLOSED, Seat

PAGE = "pages/4_perplexity.py"
LIMIT = 60.0


@pytest.fixture
def page(visit):
    """A visitor who has turned to the page, its text small."""
    visitor = visit(max_tokens=10_000, hidden_size=8, batch_size=4, num_steps=8)
    visitor.app.switch_page(PAGE)
    return visitor.run()


def texts(row):
    return [cell["text"] for cell in row["cells"]]


def value(text):
    return float(text.replace("−", "-").replace("\u2009", "").replace("∞", "inf"))


@pytest.mark.parametrize(
    "change",
    [{}, {"validation_share": 0.0}, {"corpus": "lag", "lag": 3}, {"unit": "word", "vocab_cap": 50}, {"carry_state": False}],
)
def test_every_section_opens_on_any_text(page, change):
    page.stage.start(page.stage.settings.but(**change))
    assert not page.stage.problem
    for section in SECTIONS:
        assert page.turn_to(section).bar()["section"]["value"] == section
        assert not page.notices


def test_the_averages_are_those_of_the_runs_own_losses(page):
    page.stage.run.step(5)
    shown = page.turn_to("number", p=[0.8, 0.8, 0.2]).scene("averages")["rows"]
    held = page.stage.watched.held_out
    rows = held.positions.reshape(held.rows, -1)
    trace = forward(page.stage.run.params(), held.source.inputs[rows].T)
    nats = cross_entropy(trace.logits, held.source.targets[rows].T)
    own = averages(-np.log([0.8, 0.8, 0.2]), [2, 1])
    assert [value(text) for text in texts(shown[0])] == pytest.approx([own.perplexity, perplexity(nats)], rel=1e-3)
    assert value(texts(shown[1])[1]) == pytest.approx(np.exp(nats).mean(), rel=1e-3)
    assert value(texts(shown[2])[0]) == pytest.approx(own.over_batches, rel=1e-3)


@pytest.mark.parametrize("change", [{}, {"validation_share": 0.0}, {"carry_state": False}, {"unit": "word", "vocab_cap": 50}])
def test_a_model_has_one_perplexity_on_all_sections_and_on_the_card(page, change):
    page.stage.start(page.stage.settings.but(**change))
    page.stage.run.step(7)
    page.run()
    card = value(page.scene("run_card")["number"])
    trigram = next(line for line in page.stage.baselines if line.name == "trigram").perplexity
    averages = page.turn_to("number").scene("averages")
    assert value(texts(averages["rows"][0])[1]) == pytest.approx(card, rel=0.01)
    network, counted = page.turn_to("length", beside="counted-3").scene("growing_words")["cards"]
    assert value(network["rows"][-1][1].split(" · ")[-1]) == pytest.approx(card, rel=0.01)
    assert value(counted["rows"][-1][1].split(" · ")[-1]) == pytest.approx(trigram, rel=0.01)
    bars = page.turn_to("compression").scene("sizes")["figure"]["data"][0]
    bits = dict(zip(map(str.strip, bars["y"]), bars["x"], strict=True))
    assert 2 ** bits["<b>the network</b>"] == pytest.approx(card, rel=0.01)
    assert 2 ** bits["trigram"] == pytest.approx(trigram, rel=0.01)


def test_held_out_is_said_only_where_something_is(page):
    page.stage.start(page.stage.settings.but(validation_share=0.0))
    for section in ("number", "length", "compression", "counting"):
        page.turn_to(section)
        assert "held-out" not in " ".join(node.proto.body for node in page._html())
    assert "held-out" not in str(page.turn_to("number").scene("averages"))
    page.app.switch_page("pages/1_recurrent_step.py")
    page.run().turn_to("networks")
    assert "training text" in page.scene("two_networks")["sides"][1]["perplexity"][1]


def test_a_table_of_counts_is_never_called_as_the_smoothed_line_is(page, monkeypatch):
    """The line of the chart and the table of the same pairs have different perplexities, so they have different names."""
    page.stage.start(page.stage.settings.but(validation_share=0.0))
    shown = {row["name"]: value(texts(row)[0]) for row in page.turn_to("counting").scene("models")["rows"]}
    bigrams = {name: perplexity for name, perplexity in shown.items() if "bigram" in name}
    assert len(bigrams) == len(set(bigrams.values())) == 2
    monkeypatch.setattr(against_counting, "EPOCHS", 1)
    monkeypatch.setattr(against_counting, "WORDS", {"400 words": 400, "800 words": 800})
    page.press("Train both networks").run()
    (plain,) = set(bigrams) - {"bigram"}
    assert plain in page.scene("memorising_numbers")["head"]
    names = [curve["name"] for curve in page.scene("memorising")["figure"]["data"]]
    assert [plain in name for name in names] == [False, True, False, True]


def test_sliders_and_examples_change_the_number(page):
    assert page.turn_to("number").scene("choices")["number"] == "2.50"
    for p, number in (([0.8], "1.25"), ([0.2], "5.00"), ([1.0], "1.00"), ([0.5, 0.0], "∞")):
        assert page.turn_to("number", p=p).scene("choices")["number"] == number


def test_one_logarithm_remains(page):
    scene = page.turn_to("number").scene("one_hot")
    target = texts(scene["rows"][0]).index("1")
    products = texts(scene["rows"][3])
    assert products[target] == texts(scene["rows"][2])[target] == products[-1]
    assert {text for i, text in enumerate(products[:-1]) if i != target} <= {"0", "0 … 0"}


def test_the_likelihood_falls_and_the_average_does_not(page):
    figure = page.turn_to("length").scene("growing")["figure"]
    likelihood, mean = figure["data"][0]["y"], figure["data"][1]["y"]
    assert likelihood == sorted(likelihood, reverse=True)
    V = page.stage.corpus.tokenizer.size
    assert mean[-1] == pytest.approx(math.log(V), rel=0.1)  # untrained
    assert figure["data"][1]["yaxis"] == "y2"


def test_the_product_rule_multiplies_the_small_networks_numbers(page):
    scene = page.turn_to("length").scene("product_small")
    reader, tokenizer = sentence_network()
    ids = tokenizer.encode(" ".join([SENTENCE[-1], TEXTS["goodbye"]]))
    nats, _ = score_pairs(reader, ids[:-1], ids[1:])
    assert [value(text) for text in texts(scene["rows"][0])] == pytest.approx(np.exp(-nats), rel=0.05)
    assert value(texts(scene["rows"][1])[-1]) == pytest.approx(np.exp(-nats.sum()), rel=0.05)
    shuffled = page.turn_to("length", sentence="shuffled").scene("product_small")
    assert value(texts(shuffled["rows"][1])[-1]) < np.exp(-nats.sum())


def test_a_text_without_those_letters_is_said_to_be(page):
    page.stage.start(page.stage.settings.but(corpus="lag"))
    with pytest.raises(ValueError):
        page.turn_to("length").scene("product_model")


def test_sizes_are_in_bits_of_the_same_text(page):
    bars = page.turn_to("compression").scene("sizes")["figure"]["data"][0]
    sizes = dict(zip(map(str.strip, bars["y"]), bars["x"], strict=True))
    V = page.stage.corpus.tokenizer.size
    assert sizes["log₂ V"] == pytest.approx(math.log2(V), abs=1e-3)
    assert sizes["<b>the network</b>"] == pytest.approx(math.log2(V), rel=0.05)  # untrained
    assert sizes["bigram"] < sizes["unigram"] < sizes["log₂ V"]
    assert 0 < sizes["lzma + training text"] < sizes["8 bits a byte"]


def test_the_small_run_comes_near_the_entropy_and_never_below(page):
    passed = small_run()
    assert all(each.gap.divergence > 0 for each in passed)
    assert passed[0].gap.divergence > 0.3
    assert passed[-1].gap.divergence < 0.01


def test_on_a_lag_language_the_gap_is_the_live_runs(page):
    page.stage.start(page.stage.settings.but(corpus="lag", lag=2))
    page.stage.run.step(12)
    page.turn_to("compression")
    figure = page.scene("gap")["figure"]
    assert len(figure["data"][0]["x"]) == 3  # updates 0, 10 and now
    assert min(figure["data"][1]["y"]) > figure["data"][0]["y"][0]


def test_all_models_are_judged_on_the_text_of_the_chart(page):
    rows = {row["name"]: texts(row) for row in page.turn_to("counting").scene("models")["rows"]}
    for baseline in page.stage.baselines:
        assert value(rows[baseline.name][0]) == pytest.approx(baseline.perplexity, rel=0.01)
    assert value(rows["the network"][0]) == pytest.approx(page.stage.run.snapshot().view.perplexity, rel=0.01)
    assert rows["bigram, not smoothed"][0] == "∞"


def test_the_two_networks_are_there_together_or_not_at_all(page, monkeypatch):
    seen, make = [], against_counting._run

    def looked_at(settings):  # as another script of the page may look while the second is made
        seen.append(len(against_counting._runs(page.stage)))
        return make(settings.but(max_tokens=60))

    monkeypatch.setattr(against_counting, "_run", looked_at)
    monkeypatch.setattr(against_counting, "_go_on", lambda here: None)
    against_counting._train(page.stage)
    assert seen == [0, 0]
    assert list(against_counting._runs(page.stage)) == list(against_counting.WORDS)


def test_the_two_networks_train_when_asked_for(page, monkeypatch):
    monkeypatch.setattr(against_counting, "EPOCHS", 1)
    monkeypatch.setattr(against_counting, "WORDS", {"400 words": 400, "800 words": 800})
    page.turn_to("counting").press("Train both networks")
    runs = list(page.stage.beside.values())
    assert all(run.join(30) for run in runs)
    page.run()
    assert [run.source.step for run in runs] == [run.source.trainer.updates_per_epoch for run in runs]
    table = page.scene("memorising_numbers")["rows"]
    assert [row["name"] for row in table] == ["400 words", "800 words"]
    assert value(texts(table[0])[3]) < value(texts(table[0])[2])  # a table of its own text beats a network that begins


def test_a_network_whose_numbers_are_lost_is_said_to_be(page):
    page.stage.watched.trainer.params.flat[:] = np.nan
    page.forget()
    for section in SECTIONS:
        page.turn_to(section)
    assert page.turn_to("number").notices
    page.stage.start(page.stage.settings.but(corpus="lag"))
    page.stage.watched.trainer.params.flat[:] = np.nan
    page.turn_to("compression")


def test_an_earlier_run_is_read_beside_the_live_one(page):
    page.stage.run.step(3)
    page.stage.start(page.stage.settings.but(seed=1))
    page.run()
    (earlier,) = (key for key, _ in page.bar()["beside"]["options"] if key.startswith("ghost"))
    names = [card["title"] for card in page.turn_to("length", beside=earlier).scene("growing_words")["cards"]]
    assert len(names) == 2
    assert page.turn_to("length", beside="none").scene("growing_words")["cards"][0]["title"] == names[0]


def test_every_section_opens_on_a_text_of_ones_own(page):
    page.stage.start(page.stage.settings.but(corpus="own"), "<b>abc</b> defgh\n" * 300)
    assert not page.stage.problem
    for section in SECTIONS:
        page.turn_to(section)


def test_the_two_networks_pause_when_the_page_is_closed(page, monkeypatch):
    monkeypatch.setattr(against_counting, "WORDS", {"400 words": 400, "800 words": 800})
    page.turn_to("counting").press("Train both networks")
    runs, seat = list(page.stage.beside.values()), Seat()
    seat.look_at(page.stage)
    seat.leave()
    assert [run.join(LIMIT) for run in runs] == [True, True]
    assert {run.snapshot().reason for run in runs} == {CLOSED}


def test_a_run_that_has_ended_is_let_go(page):
    page.stage.start(page.stage.settings.but(corpus="lag", lag=2))
    page.stage.run.step(2)
    for section in SECTIONS:
        page.turn_to(section)
    ended = weakref.ref(page.stage.watched.trainer)
    page.stage.start(page.stage.settings)
    for section in SECTIONS:
        page.turn_to(section)
    gc.collect()
    assert ended() is None


def test_an_earlier_run_is_never_taken_for_one_that_is_forgotten(page):
    """Wherever in memory the others come to lie."""
    here, offered = page.stage, []
    for _ in range(50):
        here.ghosts = []
        here.ghosts = [Ghost(here.settings, 0, (), here.run.params(), here.corpus.tokenizer)]
        offered += [key for key in choice.offered(here) if key.startswith(choice.GHOST)]
    assert len(set(offered)) == len(offered) == 50
    assert choice.choose(here, offered[0]).moves  # it is forgotten: the live run stands in
    assert not choice.choose(here, offered[-1]).moves
