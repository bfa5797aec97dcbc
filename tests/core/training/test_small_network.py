import numpy as np
import pytest

from core.config.settings import Settings
from core.models.sampling import RnnReader, score
from core.training.small_network import small_network

RECIPE = Settings(hidden_size=12, init="xavier", gain=0.9, input_scale=None, output_scale=0.1, learning_rate=0.01)


@pytest.mark.parametrize(("text", "unit", "before"), [("machine", "char", ""), ("you say hello .", "word", ". ")])
def test_it_learns_its_text(text, unit, before):
    def loss(updates):
        params, tokenizer = small_network(text, RECIPE.but(unit=unit), updates, before=before)
        return score(RnnReader(params), tokenizer.encode(before + text)).mean()

    assert loss(40) < loss(5) < loss(0)


def test_it_is_the_same_at_every_call_and_cannot_be_changed():
    (first, alone), (second, _) = (small_network("machine", RECIPE, 5) for _ in range(2))
    assert np.array_equal(first.flat, second.flat)
    with pytest.raises(ValueError):
        first.W_hh[0, 0] = 1
    assert small_network("machine", RECIPE, 0, before="e")[1] == alone  # what is read before adds no symbol
