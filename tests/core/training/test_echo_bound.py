import pytest

from core.text.corpus import load_corpus
from core.training.experiments.echo_bound import EchoBoundExperiment
from pages.content.lessons import lesson
from tests.core.training.runs import advance

RECIPE = lesson("The price of forgetting").settings
TO_THE_END = 10**6  # updates


def proof(lengths=(2, 4, 8), tokens=10_000, max_tokens=20_000):
    recipe = RECIPE.but(max_tokens=max_tokens)
    return EchoBoundExperiment(load_corpus(recipe), recipe, lengths, tokens=tokens)


def values(p):
    return {length: (m.tokens, m.nats) for length, m in p.measured.items()}


def test_held_out_perplexity_reaches_the_bound_and_is_not_below_it():
    p = advance(proof((4, 8), 150_000, RECIPE.max_tokens), TO_THE_END)
    assert p.finished
    assert [m.finished for m in p.measured.values()] == [True, True]
    assert [round(m.bound, 4) for m in p.measured.values()] == [2.0, 1.4142]
    for m in p.measured.values():
        assert -0.002 < m.perplexity / m.bound - 1 < 0.025


def test_every_length_has_its_own_tokens_and_is_not_trained_again():
    p = advance(proof(), TO_THE_END)
    assert p.step == p.updates
    assert set(p.measured) == {2, 4, 8}
    for m in p.measured.values():
        assert m.finished
        assert 0 <= m.tokens - 10_000 < RECIPE.batch_size * m.num_steps
    before = values(p)
    p.choose(2)
    with pytest.raises(StopIteration):
        next(p)
    assert values(p) == before


def test_the_order_of_lengths_changes_no_result():
    straight, turned = advance(proof(), TO_THE_END), proof()
    for i, length in enumerate((8, 2, 4, 8, 2, 2)):
        turned.choose(length)
        advance(turned, 7 + i)
    assert values(advance(turned, TO_THE_END)) == values(straight)
    assert turned.step == straight.step


def test_a_chosen_length_is_trained_next_and_an_unknown_one_changes_nothing():
    p = proof()
    p.choose(8)
    assert p.length == 8
    next(p)
    assert p.trainer.settings.truncation == p.trainer.settings.num_steps == 8
    assert set(p.measured) == {2, 8}
    with pytest.raises(ValueError):
        p.choose(5)
    assert p.length == 8
