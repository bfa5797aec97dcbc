"""The recurrent network: one step, all steps forward, all steps backward.

    a_t = x_t W_xh + h_(t-1) W_hh + b_h        pre-activation       (D2L equation 8.4.5)
    h_t = phi(a_t)                             state
    logits_t = h_t W_hq + b_q                  scores of the next token (8.4.6)

Backward is backpropagation through time (D2L 8.7.16 to 8.7.18; Deep Learning from Scratch 2, 5.3: Time RNN):

    dh_t = dlogits_t W_hq^T + da_(t+1) W_hh^T  from the loss at t, and from the future
    da_t = dh_t * phi'(a_t)
    dW_hh = sum over t of h_(t-1)^T da_t       and so for the other weights

Arrays are time-major. Numbers that are not finite pass through without a warning.
"""

from dataclasses import dataclass
from functools import cached_property
from operator import index

import numpy as np
from jaxtyping import Float, Integer

from core.models.layers import activation_named, flat, input_layer, input_layer_back, output_layer, output_layer_back, token_ids
from core.models.loss import loss_and_gradient
from core.models.params import Logits, Params, States, Tokens

Rows = Float[np.ndarray, "N H"]


class Workspace:
    """The large arrays of a window of up to T steps and N rows: allocated at first use, and overwritten by the next window.

    Allocating new arrays for every window takes up to a third of the training time.
    """

    def __init__(self, params: Params, T: int, N: int) -> None:
        self._params, self._dtype = params, params.dtype
        self._states, self._scores = (T, N, params.hidden_size), (T, N, params.vocab_size)

    h = cached_property(lambda self: np.empty((self._states[0] + 1, *self._states[1:]), self._dtype))
    logits = cached_property(lambda self: np.empty(self._scores, self._dtype))
    dlogits = cached_property(lambda self: np.empty(self._scores, self._dtype))
    dh = cached_property(lambda self: np.empty(self._states, self._dtype))
    slope = cached_property(lambda self: np.empty(self._states, self._dtype))
    da = cached_property(lambda self: np.empty(self._states, self._dtype))
    grads = cached_property(lambda self: self._params.with_flat(np.empty_like(self._params.flat)))
    W_hh_T = cached_property(lambda self: np.empty(self._params.W_hh.shape, self._dtype))


@dataclass(frozen=True, eq=False)
class Trace:
    """A forward pass. ``h[t]`` is the state after t tokens, ``h[0]`` the initial one.

    ``logits[t]`` are the scores of the token after ``tokens[t]``. ``params`` are those of the forward pass, not a copy.
    """

    tokens: Tokens
    h: Float[np.ndarray, "T+1 N H"]
    logits: Logits
    activation: str
    params: Params

    @property
    def slope(self) -> States:
        """phi'(a), computed from the states."""
        with np.errstate(all="ignore"):
            return activation_named(self.activation).slope(self.h[1:], np.empty_like(self.h[1:]))


@dataclass(frozen=True, eq=False)
class Gradients:
    """Derivatives of L, the mean loss over all T*N tokens in nats. ``h[t-1]`` belongs to the state ``trace.h[t]``."""

    trace: Trace
    truncation: int  # steps between two cuts; T: none
    params: Params
    losses: Float[np.ndarray, "T N"]  # each token's own loss, in nats
    logits: Logits
    h: States  # with respect to each state: from its own loss and from later losses
    a: States


def step(
    params: Params, tokens: Integer[np.ndarray, " N"], h: Rows, *, activation: str = "tanh"
) -> tuple[Rows, Float[np.ndarray, "N V"]]:
    """One time step: the new state and the scores of the next token. Tokens lie in [0, V)."""
    phi = activation_named(activation).value
    with np.errstate(all="ignore"):
        h = phi(input_layer(params, tokens) + h @ params.W_hh)
        return h, output_layer(params, h)


def forward(
    params: Params, tokens: Tokens, h0: Rows | None = None, *, activation: str = "tanh", workspace: Workspace | None = None
) -> Trace:
    """Read a window of tokens (T, N) from state ``h0`` (zeros when None).

    The trace's arrays are those of ``workspace``, or new ones. ``ValueError`` for tokens that are not integers in [0, V), for
    shapes that do not fit, for an unknown activation.
    """
    phi, tokens, (T, N) = activation_named(activation).value, token_ids(tokens, params.vocab_size), tokens.shape
    if h0 is not None and h0.shape != (N, params.hidden_size):
        raise ValueError(f"The state carried in has shape {h0.shape}; this window needs {(N, params.hidden_size)}.")
    workspace = workspace or Workspace(params, T, N)
    states, logits, W_hh = workspace.h[: T + 1], workspace.logits[:T], params.W_hh
    h = list(states)  # views of the steps: indexing a list is faster than indexing an array
    with np.errstate(all="ignore"):
        h[0][...] = 0 if h0 is None else h0
        input_layer(params, tokens, out=states[1:])  # x_t W_xh + b_h of all steps at once
        for t in range(1, T + 1):
            phi(h[t] + h[t - 1].dot(W_hh), out=h[t])
        output_layer(params, states[1:], out=logits)
    return Trace(tokens, states, logits, activation, params)


def backward(trace: Trace, targets: Tokens, *, truncation: int | None = None, workspace: Workspace | None = None) -> Gradients:
    """Derivatives of the mean loss (nats per token) of ``targets`` (T, N). Changes neither ``trace`` nor its ``params``.

    ``truncation``: the gradient is cut between blocks of this many steps, counted from the window's start; None, or any
    value from T on, is the whole window. It is then the derivative of the loss with each block's starting state held constant.
    The gradients' arrays are those of ``workspace``, or new ones. ``ValueError`` for targets that are not integers in [0, V),
    for shapes that do not fit, for a truncation below one.
    """
    params, states, (T, N) = trace.params, trace.h, trace.tokens.shape
    tau = T if truncation is None else min(index(truncation), T)
    if tau < 1:
        raise ValueError(f"A gradient goes back at least one step, not {truncation}.")
    workspace = workspace or Workspace(params, T, N)
    dlogits, dstates, slopes, das = (array[:T] for array in (workspace.dlogits, workspace.dh, workspace.slope, workspace.da))
    grads, W_hh_T = workspace.grads, workspace.W_hh_T
    dh, slope, da = list(dstates), list(slopes), list(das)
    with np.errstate(all="ignore"):
        losses = loss_and_gradient(trace.logits, targets, out=dlogits)
        output_layer_back(params, states[1:], dlogits, grads, out=dstates)  # the derivative from each state's own loss
        activation_named(trace.activation).slope(states[1:], slopes)
        W_hh_T[...] = params.W_hh.T  # a product with a transposed view takes twice as long
        for t in reversed(range(T)):
            np.multiply(dh[t], slope[t], out=da[t])
            if t % tau:  # else the gradient is cut here
                dh[t - 1] += da[t].dot(W_hh_T)
        np.dot(flat(states[:-1]).T, flat(das), out=grads.W_hh)
        input_layer_back(params, trace.tokens, das, grads)
    return Gradients(trace, tau, grads, losses, dlogits, dstates, das)
