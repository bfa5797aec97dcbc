"""The activations, and the input and output layers, forward and backward: from tokens to logits of the next token.

    x_t W_xh + b_h      input layer: x_t is one-hot, or an embedding, the token's row of W_emb
    h_t W_hq + b_q      output layer: logits

A one-hot vector times W_xh is a row of W_xh, so nothing is multiplied: the forward pass looks rows up, the backward pass sums
the gradient's rows by token (Deep Learning from Scratch 2, 4.1: the embedding layer). Callers silence NumPy's warnings about
numbers that are not finite.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Integer

from core.models.fast import column_sums, rows_of, sum_by_token
from core.models.params import Logits, Params, Steps, Tokens


class Activation(NamedTuple):
    """``value(a, out=None)``: phi of the pre-activation. ``slope(h, out)``: phi' as a function of the state. Both return ``out``
    where it is given."""

    value: Callable[..., np.ndarray]
    slope: Callable[[np.ndarray, np.ndarray], np.ndarray]


def _tanh_slope(h: np.ndarray, out: np.ndarray) -> np.ndarray:
    return np.subtract(1, np.square(h, out=out), out=out)


def _relu(a: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    return np.maximum(a, 0, out=out)


def _relu_slope(h: np.ndarray, out: np.ndarray) -> np.ndarray:
    return np.greater(h, 0, out=out, casting="unsafe")  # phi'(0) = 0


def _sigmoid(a: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    return np.add(np.tanh(a / 2) / 2, 0.5, out=out)  # 1 / (1 + exp(-a)), without its overflow


def _sigmoid_slope(h: np.ndarray, out: np.ndarray) -> np.ndarray:
    return np.multiply(h, 1 - h, out=out)


ACTIVATIONS = {
    "tanh": Activation(np.tanh, _tanh_slope),
    "relu": Activation(_relu, _relu_slope),
    "sigmoid": Activation(_sigmoid, _sigmoid_slope),
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
    if ids.min() < 0 or ids.max() >= V:
        raise ValueError(f"Token ids lie in [0, {V}); these reach from {tokens.min()} to {tokens.max()}.")
    return ids


def flat(x: Float[np.ndarray, "... W"]) -> Float[np.ndarray, "M W"]:
    """A view of an array with all steps and rows in one matrix."""
    return x.reshape(-1, x.shape[-1])


def input_layer(
    params: Params, tokens: Integer[np.ndarray, "..."], out: Float[np.ndarray, "... H"] | None = None
) -> Float[np.ndarray, "... H"]:
    """x W_xh + b_h, in ``out`` if given. Tokens must have been checked: ids out of range are clipped."""
    out = np.empty((*tokens.shape, params.hidden_size), params.dtype) if out is None else out
    if params.W_emb is None:
        rows_of(params.W_xh, tokens, out)
    else:
        np.dot(rows_of(params.W_emb, tokens.reshape(-1)), params.W_xh, out=flat(out))
    return np.add(out, params.b_h, out=out)


def input_layer_back(params: Params, tokens: Tokens, da: Steps, dparams: Params) -> None:
    """Write the derivatives with respect to W_xh, b_h and W_emb into ``dparams``, given those with respect to a."""
    tokens, da = tokens.reshape(-1), flat(da)
    column_sums(da, out=dparams.b_h)
    if params.W_emb is None:
        sum_by_token(tokens, da, out=dparams.W_xh)
    else:
        np.dot(rows_of(params.W_emb, tokens).T, da, out=dparams.W_xh)
        sum_by_token(tokens, da @ params.W_xh.T, out=dparams.W_emb)


def output_layer(
    params: Params, h: Float[np.ndarray, "... H"], out: Float[np.ndarray, "... V"] | None = None
) -> Float[np.ndarray, "... V"]:
    """The logits h W_hq + b_q, in ``out`` if given."""
    out = np.empty((*h.shape[:-1], params.vocab_size), params.dtype) if out is None else out
    np.dot(flat(h), params.W_hq, out=flat(out))
    return np.add(out, params.b_q, out=out)


def output_layer_back(params: Params, h: Steps, dlogits: Logits, dparams: Params, out: Steps) -> None:
    """Write the derivatives with respect to W_hq and b_q into ``dparams``, and with respect to h into ``out``."""
    h, dlogits = flat(h), flat(dlogits)
    np.dot(h.T, dlogits, out=dparams.W_hq)
    column_sums(dlogits, out=dparams.b_q)
    np.dot(dlogits, params.W_hq.T, out=flat(out))
