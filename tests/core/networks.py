"""Small networks, windows and token streams for tests."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from core.analysis.unrolled import Unrolled, unroll
from core.models.initialisation import init_params
from core.models.params import Params
from core.text.token_stream import Stream, next_token_pairs
from core.text.tokenizer import Tokenizer

TOKENIZER = Tokenizer(tuple("abcdefghijklmnopqrstuvwxyz .,-"))


def network(V: int = 9, H: int = 7, D: int = 0, seed: int = 0, dtype: type = np.float64, **options: Any) -> Params:
    """A freshly initialised network; ``options`` are those of :func:`init_params`."""
    return init_params(V, H, embedding_size=D, rng=np.random.default_rng(seed), dtype=dtype, **options)


def window(T: int = 7, V: int = 9, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Random tokens and their targets, the next tokens."""
    ids = np.random.default_rng(seed).integers(0, V, T + 1)
    return ids[:-1], ids[1:]


def unrolled_network(T: int, H: int = 128, D: int = 0, activation: str = "tanh") -> tuple[Params, Unrolled]:
    """A freshly initialised float32 network, and its forward pass over a random text of ``TOKENIZER``."""
    params = network(TOKENIZER.size, H, D, dtype=np.float32, gain=1.2)
    return params, unroll(params, *window(T, TOKENIZER.size), activation=activation)


def stream(ids: Sequence[int] | np.ndarray) -> Stream:
    """The pairs of neighbouring tokens in a text."""
    return next_token_pairs(np.asarray(ids, np.int32))


def places(length: int) -> Stream:
    """A stream whose inputs are their own positions and whose targets are the next positions."""
    return stream(np.arange(length + 1))
