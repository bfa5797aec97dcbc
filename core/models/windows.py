"""Windows of tokens (T, N): what may stand in one, and how its steps and rows are read as one list."""

import numpy as np
from jaxtyping import Float

UNSIGNED = {np.dtype(kind).itemsize: np.dtype(kind) for kind in (np.uint8, np.uint16, np.uint32, np.uint64)}


def check_tokens(tokens: np.ndarray, V: int) -> None:
    """``ValueError`` unless tokens are a non-empty window of integers in [0, V)."""
    if tokens.ndim != 2 or tokens.size == 0 or tokens.dtype.kind not in "iu":
        raise ValueError(f"A window is a (T, N) array of token ids, not {tokens.shape} of {tokens.dtype}.")
    if not tokens.dtype.isnative:
        tokens = tokens.astype(tokens.dtype.newbyteorder("="))
    # Read as unsigned, a negative id is a huge one: one look for both ends.
    if np.maximum.reduce(tokens.view(UNSIGNED[tokens.itemsize]), axis=None) >= V:
        raise ValueError(f"Token ids lie in [0, {V}); these reach from {tokens.min()} to {tokens.max()}.")


def flat(x: Float[np.ndarray, "T N W"]) -> Float[np.ndarray, "T*N W"]:
    """All steps and rows as one matrix, without copying."""
    return x.reshape(-1, x.shape[-1])
