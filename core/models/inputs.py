"""From tokens to what they add to the pre-activation, and back: x_t W_xh + b_h, with x_t one-hot or an embedding.

A one-hot vector times W_xh is a row of W_xh, so nothing is multiplied: rows are looked up going forward and summed by token
going backward (Deep Learning from Scratch 2, 4.1: the embedding layer). When a window has more tokens than the vocabulary
has symbols, an embedding is multiplied once per symbol instead of once per token; the sums are the same.
"""

import math
from functools import lru_cache

import numpy as np
from jaxtyping import Float, Integer

from core.models.params import Params

MATCHES_UP_TO = 1_000_000  # multiplications: below, one small matrix product beats sorting
CALL = 24_000  # multiplications that take as long as calling a product does
WIDEST = 6  # bits: groups of at most 64 symbols


class InputLayer:
    """Buffers for M tokens at a time, and the two directions."""

    def __init__(self, params: Params, M: int) -> None:
        V, H, dtype = params.vocab_size, params.hidden_size, params.dtype
        self.per_symbol = V <= M
        self._ones = np.ones(M, dtype)
        self._table = np.empty((V, H), dtype) if self.per_symbol else None
        width = params.embedding_size
        self._vectors = np.empty((M, width), dtype) if width and not self.per_symbol else None

    def forward(self, params: Params, tokens: Integer[np.ndarray, " M"], out: Float[np.ndarray, "M H"]) -> None:
        """Write x W_xh + b_h of each token into ``out``. Tokens must have been checked: ids out of range are clipped."""
        if self.per_symbol:
            weights = params.W_xh
            if params.W_emb is not None:
                weights = params.W_emb.dot(params.W_xh, self._table)
            np.add(weights, params.b_h, out=self._table)
            self._table.take(tokens, axis=0, out=out, mode="clip")
            return
        if params.W_emb is None:
            params.W_xh.take(tokens, axis=0, out=out, mode="clip")
        else:
            params.W_emb.take(tokens, axis=0, out=self._vectors, mode="clip")
            self._vectors.dot(params.W_xh, out)
        np.add(out, params.b_h, out=out)

    def backward(self, params: Params, tokens: Integer[np.ndarray, " M"], da: Float[np.ndarray, "M H"], grads: Params) -> None:
        """Write the derivatives with respect to W_xh, b_h and W_emb into ``grads``."""
        self._ones.dot(da, grads.b_h)
        if params.W_emb is None:
            sum_by_token(tokens, da, grads.W_xh)
        elif self.per_symbol:
            per_symbol = self._table
            sum_by_token(tokens, da, per_symbol)
            params.W_emb.T.dot(per_symbol, grads.W_xh)
            per_symbol.dot(params.W_xh.T, grads.W_emb)
        else:
            params.W_emb.take(tokens, axis=0, out=self._vectors, mode="clip")
            self._vectors.T.dot(da, grads.W_xh)
            da.dot(params.W_xh.T, self._vectors)
            sum_by_token(tokens, self._vectors, grads.W_emb)


def sum_by_token(tokens: Integer[np.ndarray, " M"], rows: Float[np.ndarray, "M W"], out: Float[np.ndarray, "V W"]) -> None:
    """``out[v]`` = sum of the rows whose token is v. ``np.add.at`` would do the same 10 to 40 times slower."""
    V, M = len(out), len(tokens)
    if min(V, M) * rows.size <= MATCHES_UP_TO:
        _sum_matches(tokens, rows, out)
    else:
        bits = max(0, round(math.log2(CALL * V / rows.size) / 2))
        _sum_sorted(tokens, rows, out, min(bits, WIDEST))


def _sum_matches(tokens: Integer[np.ndarray, " M"], rows: Float[np.ndarray, "M W"], out: Float[np.ndarray, "V W"]) -> None:
    """As a product with the matrix that says which token is which symbol, or which other token if those are fewer."""
    V, M = len(out), len(tokens)
    if V <= M:
        _identity(V, rows.dtype).take(tokens, axis=0, mode="clip").T.dot(rows, out)
    else:
        matches = (tokens[:, None] == tokens).astype(rows.dtype)
        out.fill(0)
        out[tokens] = matches.dot(rows)  # equal tokens have equal sums


def _sum_sorted(
    tokens: Integer[np.ndarray, " M"], rows: Float[np.ndarray, "M W"], out: Float[np.ndarray, "V W"], bits: int
) -> None:
    """Rows sorted by group of 2^bits symbols; the sums of a group are one product of its rows with their one-hot vectors."""
    width = 1 << bits
    group = tokens >> bits
    last = (len(out) - 1) >> bits
    order = group.astype(np.int16 if last < 2**15 else np.int32).argsort(kind="stable")  # 16 bits are sorted by radix
    one_hot = _identity(width, rows.dtype).take((tokens & (width - 1)).take(order), axis=0)
    rows = rows.take(order, axis=0)
    out.fill(0)
    end = 0
    for start_symbol, many in zip(range(0, len(out), width), np.bincount(group, minlength=last + 1).tolist(), strict=True):
        if many:
            start, end = end, end + many
            sums = out[start_symbol : start_symbol + width]
            one_hot[start:end, : len(sums)].T.dot(rows[start:end], sums)


@lru_cache(maxsize=8)
def _identity(V: int, dtype: np.dtype) -> Float[np.ndarray, "V V"]:
    """Its rows are the one-hot vectors. Small: only made where V * M * W is."""
    return np.eye(V, dtype=dtype)
