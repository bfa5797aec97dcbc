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

from core.models.layers import activation_named, input_layer, input_layer_back, output_layer, output_layer_back, token_ids
from core.models.loss import loss_and_gradient
from core.models.params import Params, Weights


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
    kept = [array.ravel() for name, array in params.named().items() if name != "W_hh"]
    return Mlp.over(np.concatenate(kept), *params.sizes)


def forward(
    params: Mlp, tokens: Integer[np.ndarray, "T N"], *, activation: str = "tanh"
) -> tuple[Float[np.ndarray, "T N H"], Float[np.ndarray, "T N V"]]:
    """Read tokens (T, N), each for itself: h and logits. ``ValueError`` for ids outside [0, V) or an unknown activation."""
    phi, tokens = activation_named(activation).value, token_ids(tokens, params.vocab_size)
    with np.errstate(all="ignore"):
        h = phi(input_layer(params, tokens))
        return h, output_layer(params, h)


def backward(
    params: Mlp, tokens: Integer[np.ndarray, "T N"], targets: Integer[np.ndarray, "T N"], *, activation: str = "tanh"
) -> tuple[Float[np.ndarray, "T N"], Mlp]:
    """Each token's loss in nats, and the derivatives of their mean: those of the recurrent network (D2L 8.7.16) without what
    comes from the future. ``ValueError`` as in :func:`forward`, and for targets that do not fit."""
    h, logits = forward(params, tokens, activation=activation)
    grads, dlogits, dh, da = params.with_flat(np.empty_like(params.flat)), *map(np.empty_like, (logits, h, h))
    with np.errstate(all="ignore"):
        losses = loss_and_gradient(logits, targets, out=dlogits)
        output_layer_back(params, h, dlogits, grads, out=dh)
        np.multiply(dh, activation_named(activation).slope(h, da), da)
        input_layer_back(params, token_ids(tokens, params.vocab_size), da, grads)
    return losses, grads
