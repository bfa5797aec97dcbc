"""Small networks and what they make of a text: what the drawings of one network are made from."""

import numpy as np

from core.analysis.unrolled import Unrolled, unroll
from core.models.initialisation import init_params
from core.models.params import Params
from core.text.tokenizer import Tokenizer

TOKENIZER = Tokenizer(tuple("abcdefghijklmnopqrstuvwxyz .,-"))


def unrolled_network(
    T: int, H: int = 128, D: int = 0, activation: str = "tanh", gain: float = 1.2, seed: int = 0
) -> tuple[Params, Unrolled]:
    """A network at its start, and its forward pass over a random text of ``TOKENIZER``."""
    rng = np.random.default_rng(seed)
    params = init_params(TOKENIZER.size, H, embedding_size=D, gain=gain, rng=rng)
    ids = rng.integers(0, TOKENIZER.size, T + 1)
    return params, unroll(params, ids[:-1], ids[1:], activation=activation)
