"""The right answers of the hall's questions are right: computed here, where ``test_reasons.py`` and ``test_room.py`` do not.

"state", "machine", "hello", "mirror", "cut" and "vanishing" are computed in ``test_reasons.py``; numbers in ``test_room.py``;
"products", for all shapes, in ``tests/core/analysis/test_recurrent_step.py``.
"""

import math

import numpy as np
import pytest

from core.analysis.perplexity import Surprise
from core.models.rnn import backward
from core.text.languages import echo_floor_with_reset
from pages.content.questions import HALL_QUESTIONS
from pages.content.scenes import SCENES
from pages.figures.parts.numbers import THIN
from pages.perplexity.against_counting import train
from tests.pages.app_session import LIMIT
from tests.pages.test_reasons import numbers, of_machine, reason
from tests.pages.test_scene_navigation import opened


def test_little_of_the_gradient_reaches_the_first_state_but_some():
    _params, tokens, targets, trace = of_machine()
    weights = np.zeros(tokens.shape)
    weights[-1] = 1
    sizes = np.linalg.norm(backward(trace, targets, weights=weights).dh[1:, 0], axis=1)
    assert len(sizes) == 6  # "the six steps share it"
    assert 0 < sizes[0] / sizes[-1] < 1 / 12
    assert not np.allclose(sizes, sizes[0])


def test_an_untrained_network_has_a_perplexity_of_nearly_v_above_the_unigram_line(visit):
    session = opened(visit, "learning").stage
    first, V = math.exp(session.monitored.history.judged[0].nats), session.corpus.tokenizer.size
    assert first == pytest.approx(V, rel=0.1)
    assert first > 2 * next(line.perplexity for line in session.baselines if line.name == "unigram")


def test_a_probability_of_zero_makes_perplexity_infinite():
    assert Surprise(-np.log(np.array([0.5, 0.25, 1e-300]))).perplexity < math.inf
    assert Surprise(np.array([0.5, 0.25, math.inf])).perplexity == math.inf


def test_outside_is_more_probable_as_a_whole_and_by_less_per_token(visit):
    rows = {row["text"]: row for row in opened(visit, "continuations").wait().run().data("continuations")["drawing"]["rows"]}
    outside, longer = rows["outside"], rows["in San Francisco"]
    whole, token = (float(longer[by]) - float(outside[by]) for by in ("total", "token"))  # nats
    assert whole > token > 0


@pytest.mark.parametrize(("window", "learns"), [(4, False), (5, True), (8, True)])
def test_an_answer_four_steps_back_is_learnt_from_a_window_of_five(window, learns):
    assert HALL_QUESTIONS["reach"].right == "τ = 5"
    assert (echo_floor_with_reset(4, window) < 2) == learns


def test_the_network_comes_close_to_the_table_of_its_training_text(visit):
    session = opened(visit, "beating")
    train(session.stage)
    assert session.stage.experiments["1 000 words"].join(LIMIT)
    steps = reason(session)
    table, (*_weights_and_update, network, _table) = numbers(steps[0])[-1], numbers(steps[1].replace(THIN, ""))
    assert table < network < 1.1 * table


@pytest.mark.slow
def test_the_network_of_a_thousand_words_repeats_them(visit):
    session = opened(visit, "memorising")
    assert SCENES["memorising"].settings.max_tokens <= 1001
    session.train(2500)
    lines = {line.name: line.perplexity for line in session.stage.baselines}
    assert math.exp(session.stage.monitored.history.judged[-1].nats) < lines["bigram"] < lines["unigram"] / 10
