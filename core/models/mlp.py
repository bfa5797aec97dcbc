"""The network without a hidden state, for comparison: a hidden layer over the present token alone.

    a = x W_xh + b_h                 pre-activation
    h = phi(a)                       hidden layer             (D2L equation 8.4.3)
    logits = h W_hq + b_q            scores of the next token (D2L equation 8.4.4)

It is the recurrent network with the one term h_(t-1) W_hh left out, so nothing goes from one token to the next: a bigram
model, however long it is trained. Arrays are time-major as in ``rnn``, although here all T*N tokens are alike.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Integer

from core.models.activations import activation_named
from core.models.layers import flat, input_layer, input_layer_back, output_layer, output_layer_back, token_ids
from core.models.loss import loss_and_gradient, target_ids
from core.models.params import Params, Weights

__all__ = ["Mlp", "MlpGradients", "MlpTrace", "backward", "forward", "without_state"]


@dataclass(frozen=True, eq=False, repr=False)
class Mlp(Weights):
    """Weights and biases, named as those of the recurrent network."""

    flat: Float[np.ndarray, " P"]
    W_xh: Float[np.ndarray, "D H"]
    b_h: Float[np.ndarray, " H"]
    W_hq: Float[np.ndarray, "H V"]
    b_q: Float[np.ndarray, " V"]
    W_emb: Float[np.ndarray, "V D"] | None = None


def without_state(params: Params) -> Mlp:
    """A copy of a recurrent network's parameters that leaves out W_hh: two networks that differ in nothing else."""
    named = params.named()
    del named["W_hh"]
    return Mlp.over(np.concatenate([array.ravel() for array in named.values()]), *params.sizes)


@dataclass(frozen=True, eq=False)
class MlpTrace:
    """A forward pass. ``h[t]`` belongs to the same token as ``logits[t]``: there is no state before the first."""

    tokens: Integer[np.ndarray, "T N"]
    h: Float[np.ndarray, "T N H"]
    logits: Float[np.ndarray, "T N V"]
    activation: str


@dataclass(frozen=True, eq=False)
class MlpGradients:
    """Derivatives of L, the mean loss over all T*N tokens in nats."""

    params: Mlp
    losses: Float[np.ndarray, "T N"]  # each token's own loss, in nats
    logits: Float[np.ndarray, "T N V"]
    h: Float[np.ndarray, "T N H"]
    a: Float[np.ndarray, "T N H"]


def forward(params: Mlp, tokens: Integer[np.ndarray, "T N"], *, activation: str = "tanh") -> MlpTrace:
    """Read tokens (T, N), each for itself. ``ValueError`` for ids outside [0, V) or an unknown activation."""
    phi = activation_named(activation).value
    ids = token_ids(tokens, params.vocab_size)
    h = np.empty((len(ids), params.hidden_size), params.dtype)
    with np.errstate(all="ignore"):
        input_layer(params, ids, h)
        phi(h, h)
        logits = output_layer(params, h)
    T, N = tokens.shape
    return MlpTrace(ids.reshape(T, N), h.reshape(T, N, -1), logits.reshape(T, N, -1), activation)


def backward(params: Mlp, trace: MlpTrace, targets: Integer[np.ndarray, "T N"]) -> MlpGradients:
    """Derivatives of the mean loss (nats per token) of ``targets`` (T, N). Changes neither ``params`` nor ``trace``.

    The rules of the recurrent network (D2L 8.7.16) without what comes from the future.
    """
    ids, h, logits = target_ids(targets, trace.logits), flat(trace.h), flat(trace.logits)
    grads = params.with_flat(np.empty_like(params.flat))
    dlogits, dh, da = np.empty_like(logits), np.empty_like(h), np.empty_like(h)
    with np.errstate(all="ignore"):
        losses = loss_and_gradient(logits, ids, dlogits)
        output_layer_back(params, h, dlogits, grads, dh)
        activation_named(trace.activation).slope(h, da)
        np.multiply(dh, da, da)
        input_layer_back(params, trace.tokens.reshape(-1), da, grads)
    T, N = targets.shape
    return MlpGradients(grads, *(x.reshape(T, N, *x.shape[1:]) for x in (losses, dlogits, dh, da)))
