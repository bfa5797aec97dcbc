"""Which input moves which output: every token replaced by others in turn, and the network run again."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Integer

from core.models.loss import softmax
from core.models.params import Params
from core.models.rnn import forward

AT_ONCE = 2_000_000  # logits computed at a time when inputs are replaced
STAND_INS = 8  # tokens that an input is replaced by, at most


@dataclass(frozen=True, eq=False)
class Dependence:
    """What moved when each input token in turn was replaced by R others, one after another, and the network run again.

    ``moved[t, k]``: how far the prediction after token t went when token k was replaced, as total variation distance (half the
    sum of absolute changes of all probabilities, from 0 for the same to 1), the mean over the R replacements. ``same[t, k]``:
    state and logits are bit for bit what they were, with each of them. ``replaced_by[:, k]`` are the tokens that stood in for
    token k.
    """

    moved: Float[np.ndarray, "T T"]
    same: Bool[np.ndarray, "T T"]
    replaced_by: Integer[np.ndarray, "R T"]


def dependence(
    params: Params, tokens: Integer[np.ndarray, " T"], *, activation: str = "tanh", stand_ins: int = STAND_INS
) -> Dependence:
    """Replace every token in turn by each of the ``stand_ins`` first others of the vocabulary (its most frequent).

    One row of a batch per replaced token; the unchanged text is run in the same rows, so that equal means equal arithmetic.
    """
    T, V = len(tokens), params.vocab_size
    first = np.arange(max(min(stand_ins, V - 1), 1))[:, None]
    replaced_by = np.minimum(first + (first >= tokens), V - 1).astype(tokens.dtype)
    wide, rows = params.copy(np.float64), max(AT_ONCE // (T * V), 1)
    parts = [
        _what_moved(wide, tokens, range(k, min(k + rows, T)), replaced_by[:, k : k + rows], activation) for k in range(0, T, rows)
    ]
    moved, same = (np.concatenate(columns, axis=1) for columns in zip(*parts, strict=True))
    return Dependence(moved, same, replaced_by)


def _what_moved(
    params: Params,
    tokens: Integer[np.ndarray, " T"],
    places: Sequence[int],
    replaced_by: Integer[np.ndarray, "R K"],
    activation: str,
) -> tuple[Float[np.ndarray, "T K"], Bool[np.ndarray, "T K"]]:
    """Mean distance of the predictions with each of these K places replaced from those without, and where all are equal bit for
    bit."""
    before = np.repeat(tokens[:, None], len(places), axis=1)
    old, moved, same = forward(params, before, activation=activation), 0.0, True
    for tokens_instead in replaced_by:
        after = before.copy()
        after[places, np.arange(len(places))] = tokens_instead
        new = forward(params, after, activation=activation)
        with np.errstate(all="ignore"):
            moved = moved + np.abs(softmax(new.logits) - softmax(old.logits)).sum(axis=-1) / 2
        same = same & (new.h[1:] == old.h[1:]).all(axis=-1) & (new.logits == old.logits).all(axis=-1)
    return moved / len(replaced_by), same


def affordable_stand_ins(T: int, H: int, V: int, most: int) -> int:
    """How many replacements :func:`dependence` can try with ``most`` multiplications; 0 where not even one."""
    runs = most // (T * T * H * (H + V))  # one of them is the unchanged text
    return max(min(STAND_INS, max(V - 1, 1), runs - 1), 0)
