"""The proof: what is measured lands on the bound, and who looks decides only which network is in its turn."""

import pytest

from core.lessons import lesson
from core.text.corpus import load_corpus
from core.training.live_run import LiveRun
from core.training.proof import Proof

RECIPE = lesson("The price of forgetting").settings
SHORT = RECIPE.but(max_tokens=20_000)
LIMIT = 60.0


def proof(lengths=(2, 4, 8), tokens=10_000, recipe=SHORT):
    return Proof(load_corpus(recipe), recipe, lengths, tokens=tokens)


def values(p):
    return {length: (m.tokens, m.nats) for length, m in p.measured.items()}


def test_held_out_perplexity_lands_on_the_bound_and_not_below_it():
    p = proof((4, 8), 150_000, RECIPE)
    for _ in p:
        pass
    assert p.finished
    assert [m.finished for m in p.measured.values()] == [True, True]
    assert [round(m.bound, 4) for m in p.measured.values()] == [2.0, 1.4142]
    for m in p.measured.values():
        assert -0.002 < m.perplexity / m.bound - 1 < 0.025


def test_every_length_is_trained_on_its_own_share_and_once():
    p = proof()
    steps = sum(1 for _ in p)
    assert steps == p.step == p.updates
    assert set(p.measured) == {2, 4, 8}
    assert all(m.finished and 0 <= m.tokens - 10_000 < RECIPE.batch_size * m.num_steps for m in p.measured.values())
    with pytest.raises(StopIteration):
        next(p)


def test_turning_to_another_length_and_back_changes_no_result():
    straight, turned = proof(), proof()
    for _ in straight:
        pass
    for i, length in enumerate((8, 2, 4, 8, 2, 2)):
        turned.choose(length)
        for _ in range(7 + i):
            next(turned)
    for _ in turned:
        pass
    assert values(turned) == values(straight)
    assert turned.step == straight.step


def test_a_choice_is_seen_at_once_and_an_unknown_one_changes_nothing():
    p = proof()
    p.choose(8)
    assert p.length == 8
    next(p)
    assert p.trainer.settings.truncation == p.trainer.settings.num_steps == 8
    assert set(p.measured) == {2, 8}
    with pytest.raises(ValueError):
        p.choose(5)
    assert p.length == 8


def test_a_finished_length_that_is_chosen_again_stays_finished():
    p = proof()
    for _ in p:
        pass
    before = values(p)
    p.choose(2)
    with pytest.raises(StopIteration):
        next(p)
    assert values(p) == before


def test_a_live_run_drives_it_to_its_end_and_pauses():
    p = proof()
    run = LiveRun(p)
    p.choose(4)
    run.play(until=p.updates)
    assert run.join(LIMIT)
    assert p.finished
    assert run.snapshot().state == "paused"
    assert run.error is None
