"""The reasons of the scenes: every number in them is that of the page, computed here in another way."""

import math
import re
from collections import deque
from itertools import islice, pairwise

import numpy as np
import pytest

from core.analysis import vanishing
from core.models.rnn import backward, forward
from core.text.corpus import cleaned_text
from core.text.languages import echo_floor_with_reset, lag_floor
from core.text.tokenizer import split
from core.training.tbptt import Trainer
from pages.app.panels.text_model_picker import QUOTATION, example_network
from pages.content.notation import FIRST_SOURCE
from pages.content.scenes import SCENES
from pages.figures.parts.numbers import THIN
from pages.figures.parts.scenes import closing_slide_data
from pages.gradient_flow.what_if import SEEDS
from pages.perplexity.against_counting import train, train_on
from pages.reasons.numbers import NUMBERS
from tests.pages.app_session import LIMIT
from tests.pages.test_scene_navigation import opened

NUMBER = re.compile(r"−?\d[\d.]*")


def reason(session) -> list[str]:
    return ["".join(text for text, _is_number in step) for step in session.run().scene_bar()["why"]]


def numbers(step: str) -> list[float]:
    return [float(found.rstrip(".").replace("−", "-")) for found in NUMBER.findall(step)]


def of_machine() -> tuple:
    """The small network of "machine", its text, and the forward pass in float64."""
    network = example_network("machine")
    ids = np.array([network.tokenizer.vocab.index(letter) for letter in "machine"])[:, None]
    params = network.params.copy(np.float64)
    return params, ids[:-1], ids[1:], forward(params, ids[:-1], activation=network.settings.activation)


def test_every_scene_has_a_reason_in_three_steps_with_a_number_in_each():
    assert NUMBERS.keys() == SCENES.keys()
    for scene in SCENES.values():
        assert len(scene.why) >= 3
        assert all("{" in step for step in scene.why)


def test_the_letter_replaced_is_read_by_the_same_network(visit):
    params, tokens, targets, trace = of_machine()
    steps = reason(opened(visit, "machine"))
    (letter,) = re.findall("“(.)” in place", steps[0])
    other = tokens.copy()
    other[0] = example_network("machine").tokenizer.vocab.index(letter)
    changed = forward(params, other)
    first, *rest, last = np.linalg.norm(trace.h[1:, 0] - changed.h[1:, 0], axis=1)
    assert numbers(steps[0]) == [pytest.approx(first, rel=0.005)]
    drawn = opened(visit, "machine").data("replacement")["distances"]
    assert [float(distance) for distance in drawn] == pytest.approx([first, *rest, last], rel=0.005)
    assert numbers(steps[1])[1:] == [pytest.approx(last, rel=0.005), pytest.approx(first, rel=0.005)]

    def probability(logits: np.ndarray) -> float:
        return float(np.exp(logits[-1, 0] - np.logaddexp.reduce(logits[-1, 0]))[targets[-1, 0]])

    expected = [pytest.approx(probability(one.logits), rel=0.005) for one in (changed, trace)]
    assert numbers(steps[2])[1:] == expected
    network, closes = example_network(QUOTATION), []
    vocab = network.tokenizer.vocab
    for opened_by in '"(':
        read = forward(network.params, np.array([[vocab.index(symbol)] for symbol in f"{opened_by}no"]))
        closes.append(float(np.exp(read.logits[-1, 0] - np.logaddexp.reduce(read.logits[-1, 0]))[vocab.index('"')]))
    assert numbers(steps[3]) == pytest.approx(closes, rel=0.005)
    assert closes[0] > 10 * closes[1]


def test_what_is_left_of_the_gradient_is_that_of_the_last_loss_alone(visit):
    _params, tokens, targets, trace = of_machine()
    only = np.zeros(tokens.shape)
    only[-1] = 1
    dh = backward(trace, targets, weights=only).dh[:0:-1, 0]
    sizes = np.linalg.norm(dh, axis=1)
    steps = reason(opened(visit, "mirror"))
    slope, weights, one, whole, two = numbers(steps[1])
    assert 100 * slope * weights == pytest.approx(one, rel=0.03)
    assert slope == pytest.approx(np.linalg.norm(dh[0] * trace.slope[-1, 0]) / sizes[0], abs=0.005)
    *rest, times, factor, end, _whole = numbers(steps[2].replace(",", " "))
    assert [whole, one, two, *rest] == pytest.approx(100 * sizes / sizes[0], abs=0.5)
    assert end == rest[-1]
    assert 100 * factor**times == pytest.approx(end, rel=0.05)


def test_the_cut_turns_the_gradient_by_the_angle_that_is_said(visit):
    _params, _tokens, targets, trace = of_machine()
    whole, cut = (backward(trace, targets, truncation=tau).dparams.W_hh.ravel() for tau in (None, 2))
    angle = math.degrees(math.acos(whole @ cut / np.linalg.norm(whole) / np.linalg.norm(cut)))
    session = opened(visit, "cut")
    steps = reason(session)
    kept, terms, lost, degrees, length = numbers(steps[2])
    assert lost == pytest.approx(100 * np.linalg.norm(whole - cut) / np.linalg.norm(whole), abs=0.5)
    assert (kept, terms) == (9, 21)
    assert degrees == pytest.approx(angle, abs=0.5)
    assert length == pytest.approx(100 * np.linalg.norm(cut) / np.linalg.norm(whole), abs=0.5)
    shown = session.data("kept_in_bar")
    assert shown["begins"] == shown["chosen"]
    assert 100 * shown["curve"][shown["begins"]] == pytest.approx(lost, abs=0.5)
    assert shown["curve"][-1] == 0


def test_a_radius_vanishes_or_explodes_for_every_seed_and_the_factor_is_measured(visit):
    for radius, explodes in ((0.5, False), (1.05, False), (2.0, True)):
        rates = [
            vanishing.measure(
                vanishing.at_radius(vanishing.fresh_network(seed), radius), vanishing.fresh_text(seed=seed), activation="tanh"
            ).rate
            for seed in range(8)
        ]
        assert len(rates) >= SEEDS == 6  # "all six seeds"
        assert all((rate > 1) == explodes and rate < radius for rate in rates)
        session = opened(visit, "vanishing")
        session.choices["radius"] = radius
        assert numbers(reason(session)[2])[:2] == [pytest.approx(rates[0], rel=0.005), radius]
    session.choices["phi"] = "relu"
    assert reason(session) == []


def test_the_same_word_has_another_state_before_it(visit):
    steps = reason(opened(visit, "hello"))
    first, second, alone = numbers(steps[0])[0], *numbers(steps[2])[::-1]
    network = example_network("you say goodbye and i say hello .")
    vocab = network.tokenizer.vocab
    text = ["you", "say", "goodbye", "and", "i", "say"]
    for words, expected in ((text, second), (text[:2], first), (text[-1:], alone)):
        logits = forward(network.params, np.array([[vocab.index(word)] for word in words])).logits[-1, 0].astype(np.float64)
        p = np.exp(logits - np.logaddexp.reduce(logits))
        assert 100 * p[vocab.index("hello")] == pytest.approx(expected, abs=0.5)


def test_a_swap_moves_only_the_prediction_with_a_state(visit):
    session = opened(visit, "state").wait()
    assert reason(session) == []
    session.choices["pair"] = (15, 16)
    without, same, with_state = map(numbers, reason(session))
    assert without == same[:1] == same[1:]
    (token,) = re.findall("p\\(“(.)”\\)", reason(session)[0])
    for side in session.data("two_networks")["sides"]:  # the probabilities that are said are in the rows of both networks
        assert token in [row[0] for row in side["predictions"][:3]]
    assert abs(with_state[1] - with_state[0]) > 5


def test_a_continuation_is_as_probable_as_the_product_of_its_factors(visit):
    session = visit("perplexity", **SCENES["continuations"].query | {"update": "3"}).wait()
    vocab, params = session.stage.corpus.tokenizer.vocab, session.stage.params()

    def surprise(end: str) -> float:
        ids = np.array([vocab.index(symbol) for symbol in f"It is raining {end}"])
        logits = forward(params, ids[:-1, None]).logits[:, 0].astype(np.float64)
        log_p = logits - np.logaddexp.reduce(logits, axis=1, keepdims=True)
        return float(-log_p[np.arange(len(ids) - 1), ids[1:]][-len(end) - 1 :].sum())

    short, odd, long = map(surprise, ("outside", "banana tree", "in San Francisco"))
    first, second, third = map(numbers, reason(session))
    assert first[:2] == pytest.approx([8, short], rel=0.005)
    assert second[:3] == pytest.approx([odd, odd - short, short], abs=0.1)
    assert third == pytest.approx([long, short, 8, short / 8, long, 17, long / 17], rel=0.005)


def test_the_parts_of_a_cell_add_up(visit):
    session = opened(visit, "products").wait().run()
    steps = reason(session)
    (a,), (_a, b, total), (_again, one) = map(numbers, [steps[0], steps[1].replace("− ", "−").replace("+ ", ""), steps[2]])
    assert a + b == pytest.approx(total, abs=0.005)
    assert total == one


def test_the_run_that_overflows_is_the_one_of_the_scene(visit):
    session = opened(visit, "too_fast")
    steps = reason(session)
    radius, before, earlier, last, at = numbers(steps[0].replace(THIN, ""))
    norms = session.data("gradient_norms")["figure"]["data"][0]["y"]  # what the scene scrolls to
    assert norms[int(earlier) - 1 : int(at)] == pytest.approx([before, last], rel=0.02)
    assert len(norms) == numbers(session.scene_bar()["notice"])[0] - 1
    *_norms, failed = numbers(steps[1])
    assert f"{failed:.0f} updates" in session.scene_bar()["notice"]  # it stays there when the run is clipped and trains on
    trainer = Trainer(SCENES["too_fast"].settings, session.stage.corpus)
    deque(islice(trainer, int(at) - 1), maxlen=0)
    assert max(abs(np.linalg.eigvals(trainer.params.W_hh))) == pytest.approx(radius, rel=0.005)
    read = forward(trainer.params, session.stage.corpus.held_out.inputs[:32, None], activation="relu")
    lengths = np.linalg.norm(read.h[1:, 0], axis=1)
    assert lengths[-1] > 10 * lengths[0]  # the cause that is given: the state grows from step to step
    session.stage.run.play(until=60)
    session.wait()
    assert session.stage.snapshot().state == "diverged"
    assert f"update {failed:.0f} " in session.stage.snapshot().reason.lower()


def test_the_picture_of_a_reason_shows_its_numbers(visit):
    machine = opened(visit, "machine")
    (letter,) = re.findall("“(.)” in place", reason(machine)[0])
    assert machine.data("replacement")["other"] == letter  # what the scene scrolls to
    quoted = machine.data("replacement_in_quotation")
    assert (quoted["tokens"], quoted["other"]) == (['"', "n", "o"], "(")
    assert [float(p) for p in quoted["probabilities"][-1]] == pytest.approx(numbers(reason(machine)[3]), abs=0.005)
    lag = opened(visit, "lag")
    drawn, bits = lag.data("bit_rows"), lag.stage.corpus.train.inputs
    changed = bits[4:104] != bits[:100]
    assert [not bit["repeats"] for bit in drawn["bits"]] == changed.tolist()
    sure, n, _lag, _cheap, missed, _dear, expected, *_rest, floor = numbers(drawn["says"])
    assert (sure, n, missed, expected) == (100 - changed.sum(), 100, changed.sum(), 5)
    assert floor == numbers(reason(lag)[2])[1] == pytest.approx(lag_floor(), abs=0.005)
    windows = opened(visit, "reach").run().data("windows_reset")
    tosses, window = numbers(reason(opened(visit, "reach").run())[2])[1:3]
    known = [column["known"] for column in windows["columns"]]
    assert known[: int(window)] == [False] * int(tosses) + [True]
    known = [column["known"] for column in opened(visit, "price").data("echo_task")["columns"][:8]]
    assert known == [False] * 4 + [True] * 4


def test_where_nothing_is_written_no_text_is_promised(visit):
    assert "writing" not in dict(opened(visit, "price").components())
    assert "writing" in dict(opened(visit, "too_fast").components())


def test_the_network_beside_the_table_has_the_same_weights_for_every_n(visit):
    session = opened(visit, "counting").wait()
    assert numbers(reason(session)[3].replace(THIN, ""))[0] == session.stage.params().flat.size


def test_numbers_of_languages_are_their_best_values(visit):
    assert numbers(reason(opened(visit, "lag"))[2])[1] == 1.22
    *_terms, bound = numbers(reason(opened(visit, "price"))[2])
    assert bound == pytest.approx(echo_floor_with_reset(4, 8), abs=0.005)
    session = opened(visit, "reach").run()
    assert numbers(reason(session)[2])[-1] == pytest.approx(echo_floor_with_reset(4, 8), abs=0.005)


def test_reasons_about_trained_networks_come_with_their_training(visit):
    for key in ("learning", "memorising"):
        session = opened(visit, key)
        assert reason(session) == []
        session.train(150)
        assert len(reason(session)) == 3
    session = opened(visit, "beating")
    assert reason(session) == []
    train(session.stage)
    run, shown = session.stage.experiments["1 000 words"], []
    for go_on in (lambda _session: None, train_on):
        go_on(session.stage)
        assert run.join(LIMIT)
        table, at, network = (
            numbers(reason(session)[1].replace(THIN, ""))[-1],
            *numbers(reason(session)[1].replace(THIN, ""))[1:3],
        )
        shown.append((at, network > table))
    assert shown == [(1900, True), (3800, False)]  # the table is ahead after 100 passes, and behind after 200


def test_beside_its_own_text_stand_the_words_that_it_knows_among_those_that_follow(visit):
    session = opened(visit, "memorising")
    corpus, settings = session.stage.corpus, session.stage.settings
    longer = list(split(cleaned_text(settings.but(max_tokens=2 * settings.max_tokens)), "word"))
    following = longer[len(corpus.train) + 1 :]
    judged = sum({*pair} <= {*corpus.tokenizer.vocab} for pair in pairwise(following))  # the first of a passage is only read
    says = session.data("run_view")["readout"]["as_if"].replace(THIN, "")
    assert numbers(says) == [judged, len(following)]
    assert 0 < judged < len(following)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_what_was_learnt_by_heart_is_no_knowledge_of_the_text_that_follows(visit, seed):
    """ "On the text that follows, its perplexity is far higher": when the scene is done, and after all passes of the book."""
    session = visit("training", **SCENES["memorising"].query | {"seed": str(seed)})
    stage = session.stage
    bigram = next(line.perplexity for line in stage.baselines if line.name == "bigram")
    updates = stage.monitored.trainer.updates_per_epoch
    while stage.snapshot().view.perplexity >= bigram:
        session.train(10 * updates)
    for _passes in range(2):
        by_heart = stage.snapshot().view.perplexity
        shown = session.data("run_view")
        unseen = float(shown["readout"]["kinds"].replace(THIN, ""))
        assert unseen > 3 * by_heart
        guessed, words = numbers(shown["beside"][1]["name"])
        assert words == len(stage.corpus.train.targets)
        assert guessed > words / 2  # "most words there"
        session.train(50 * updates)


def test_the_closing_slide_repeats_the_numbers_that_were_seen(visit):
    session = opened(visit, "price")
    *_terms, bound = numbers(reason(session)[2])
    *_others, last = SCENES
    seen = session.stage.scenes.numbers
    slide = closing_slide_data(SCENES, last, "https://rnn.example.org/", seen=seen, notation=FIRST_SOURCE, opened=1)
    lines = dict(zip(SCENES, ("".join(text for text, _is_number in line) for line in slide["lines"]), strict=True))
    assert numbers(lines["price"])[-1] == bound
    assert lines["cut"] == SCENES["cut"].name  # it was not open


def test_the_lines_of_the_closing_slide_have_numbers_of_their_reasons():
    def named(*sentences: str) -> set[str]:
        return {name for sentence in sentences for name in re.findall("{(.*?)}", sentence)}

    assert all(named(scene.recap) and named(scene.recap) <= named(*scene.why) for scene in SCENES.values())


@pytest.mark.parametrize("text", ["短文本。" * 300, "ab" * 600], ids=["without the scene's letters", "of two letters"])
def test_on_any_text_of_the_readers_own_no_reason_breaks_the_page(stage, text):
    """A scene stays open when another text is trained on."""
    stage.start_own_text(text)
    stage.run.step(3)
    assert not stage.problem
    for key, numbers in NUMBERS.items():
        stage.scenes.open(key)
        assert numbers(stage) is None or all(isinstance(words, str) for words in numbers(stage).values()), key
