"""The activations, and the input and output layers, forward and backward: from tokens to logits of the next token.

    x_t W_xh + b_h      input layer: x_t is one-hot, or an embedding, the token's row of W_emb
    h_t W_hq + b_q      output layer: logits

A one-hot vector times W_xh is a row of W_xh, so nothing is multiplied: the forward pass looks rows up, the backward pass sums
the gradient's rows by token (Deep Learning from Scratch 2, 4.1: the embedding layer). Inside, arrays are matrices with one row
for each of the M tokens of a window or a step. Callers silence NumPy's warnings about numbers that are not finite.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Integer

from core.models.params import Logits, Params, States, Tokens

GROUP = 16  # symbols whose rows are summed in one product; 12 and 24 are hardly slower


class Activation(NamedTuple):
    """``value(a, out=None)``: phi of the pre-activation. ``slope(h, out)``: phi' as a function of the state. Both return ``out``
    where it is given."""

    value: Callable[..., np.ndarray]
    slope: Callable[[np.ndarray, np.ndarray], np.ndarray]


def _sigmoid(a: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    return np.add(np.tanh(a * 0.5) * 0.5, 0.5, out=out)  # unlike 1 / (1 + exp(-a)), never overflows


ACTIVATIONS = {
    "tanh": Activation(np.tanh, lambda h, out: np.subtract(1, np.multiply(h, h, out), out)),
    "relu": Activation(
        lambda a, out=None: np.maximum(a, 0, out=out),
        lambda h, out: np.greater(h, 0, out, casting="unsafe"),  # phi'(0) = 0
    ),
    "sigmoid": Activation(_sigmoid, lambda h, out: np.multiply(np.subtract(1, h, out), h, out)),
}


def activation_named(name: str) -> Activation:
    """The activation of that name; ``ValueError`` if there is none."""
    if name not in ACTIVATIONS:
        raise ValueError(f"The activation is one of {', '.join(ACTIVATIONS)}; {name!r} is not.")
    return ACTIVATIONS[name]


def token_ids(tokens: np.ndarray, V: int) -> Tokens:
    """The tokens of a window as indices. ``ValueError`` unless they are (T, N) integers in [0, V), at least one."""
    if tokens.ndim != 2 or tokens.size == 0 or tokens.dtype.kind not in "iu":
        raise ValueError(f"A window is a (T, N) array of token ids, not {tokens.shape} of {tokens.dtype}.")
    ids = tokens.astype(np.intp)
    if np.maximum.reduce(ids.view(np.uintp), axis=None) >= V:  # read as unsigned, a negative id is a huge one
        raise ValueError(f"Token ids lie in [0, {V}); these reach from {tokens.min()} to {tokens.max()}.")
    return ids


def flat(x: Float[np.ndarray, "... W"]) -> Float[np.ndarray, "M W"]:
    """A view of an array with all steps and rows in one matrix."""
    return x.reshape(-1, x.shape[-1])


def input_layer(
    params: Params, tokens: Integer[np.ndarray, "..."], out: Float[np.ndarray, "... H"] | None = None
) -> Float[np.ndarray, "... H"]:
    """x W_xh + b_h, in ``out`` if given. Tokens must have been checked: ids out of range are clipped.

    Computed once per symbol of the vocabulary if there are at least as many tokens as symbols.
    """
    W_xh, W_emb, b_h = params.W_xh, params.W_emb, params.b_h
    out = np.empty((*tokens.shape, params.hidden_size), params.dtype) if out is None else out
    if params.vocab_size <= tokens.size:
        by_symbol = (W_xh if W_emb is None else W_emb @ W_xh) + b_h
        return by_symbol.take(tokens, axis=0, out=out, mode="clip")
    if W_emb is None:
        W_xh.take(tokens, axis=0, out=out, mode="clip")
    else:
        np.dot(W_emb.take(tokens.reshape(-1), axis=0, mode="clip"), W_xh, out=flat(out))
    return np.add(out, b_h, out=out)


def input_layer_back(params: Params, tokens: Tokens, da: States, grads: Params) -> None:
    """Write the derivatives with respect to W_xh, b_h and W_emb into ``grads``, given those with respect to a."""
    tokens, da = tokens.reshape(-1), flat(da)
    np.dot(ones(len(da), da.dtype), da, out=grads.b_h)
    if params.W_emb is None:
        sum_by_token(tokens, da, out=grads.W_xh)
    elif params.vocab_size <= len(tokens):
        by_symbol = sum_by_token(tokens, da, out=np.empty((params.vocab_size, params.hidden_size), da.dtype))
        np.dot(params.W_emb.T, by_symbol, out=grads.W_xh)
        np.dot(by_symbol, params.W_xh.T, out=grads.W_emb)
    else:
        np.dot(params.W_emb.take(tokens, axis=0).T, da, out=grads.W_xh)
        sum_by_token(tokens, da @ params.W_xh.T, out=grads.W_emb)


def output_layer(
    params: Params, h: Float[np.ndarray, "... H"], out: Float[np.ndarray, "... V"] | None = None
) -> Float[np.ndarray, "... V"]:
    """The logits h W_hq + b_q, in ``out`` if given."""
    out = np.empty((*h.shape[:-1], params.vocab_size), params.dtype) if out is None else out
    np.dot(flat(h), params.W_hq, out=flat(out))
    return np.add(out, params.b_q, out=out)


def output_layer_back(params: Params, h: States, dlogits: Logits, grads: Params, out: States) -> None:
    """Write the derivatives with respect to W_hq and b_q into ``grads``, and with respect to h into ``out``."""
    h, dlogits = flat(h), flat(dlogits)
    np.dot(h.T, dlogits, out=grads.W_hq)
    np.dot(ones(len(dlogits), dlogits.dtype), dlogits, out=grads.b_q)
    np.dot(dlogits, params.W_hq.T, out=flat(out))


def sum_by_token(
    tokens: Integer[np.ndarray, " M"], rows: Float[np.ndarray, "M W"], out: Float[np.ndarray, "V W"]
) -> Float[np.ndarray, "V W"]:
    """``out[v]`` = sum of the rows whose token is v: x^T rows, with x the one-hot vectors of the tokens.

    With many symbols, one product per group of symbols and the rows of its tokens; for this, rows are sorted by token first.
    ``np.add.at`` would do the same 10 to 40 times slower.
    """
    V = len(out)
    if V <= 2 * GROUP or (V <= 8 * GROUP and len(tokens) <= 2 * GROUP):
        return np.dot(_one_hot(V, rows.dtype).take(tokens, axis=0).T, rows, out=out)
    order = tokens.argsort()
    tokens, rows = tokens.take(order), rows.take(order, axis=0)
    x = _one_hot(GROUP, rows.dtype).take(tokens % GROUP, axis=0)
    ends = tokens.searchsorted(np.arange(GROUP, V + GROUP, GROUP)).tolist()
    out.fill(0)
    for symbol, start, end in zip(range(0, V, GROUP), [0, *ends], ends, strict=False):
        if start < end:
            sums = out[symbol : symbol + GROUP]
            np.dot(x[start:end, : len(sums)].T, rows[start:end], out=sums)
    return out


@lru_cache(maxsize=8)
def _one_hot(V: int, dtype: np.dtype) -> Float[np.ndarray, "V V"]:
    """The one-hot vectors of a small vocabulary."""
    return np.eye(V, dtype=dtype)


@lru_cache(maxsize=32)
def ones(length: int, dtype: np.dtype) -> Float[np.ndarray, " {length}"]:
    """A vector of ones, cached: a product with it sums rows three times as fast as ``sum``."""
    return np.ones(length, dtype)
