"""The recurrent network: one step, all steps forward, all steps backward.

    a_t = x_t W_xh + h_(t-1) W_hh + b_h        pre-activation       (D2L equation 8.4.5)
    h_t = phi(a_t)                             state
    logits_t = h_t W_hq + b_q                  scores of the next token (8.4.6)

Backward is backpropagation through time (D2L 8.7.16 to 8.7.18; Deep Learning from Scratch 2, 5.3: Time RNN):

    dh_t = dlogits_t W_hq^T + da_(t+1) W_hh^T  from the loss at t, and from the future
    da_t = dh_t * phi'(a_t)
    dW_hh = sum over t of h_(t-1)^T da_t       and so for the other weights

Arrays are time-major. What trains is what is drawn: text is written and gradients are looked at with :func:`next_state` and
:func:`step_back`, the steps that training takes.
"""

from dataclasses import dataclass
from functools import cached_property
from operator import index

import numpy as np
from jaxtyping import Float, Integer

from core.models.activations import Phi, activation_named
from core.models.layers import flat, input_layer, input_layer_back, output_layer, output_layer_back, token_ids
from core.models.loss import loss_and_gradient
from core.models.params import Params, aligned

Rows, Square = Float[np.ndarray, "N H"], Float[np.ndarray, "H H"]


@dataclass(frozen=True, eq=False)
class Trace:
    """A forward pass. ``h[t]`` is the state after t tokens, ``h[0]`` the one carried in; ``logits[t]`` scores token t+1.

    ``params`` are those of the forward pass, not a copy.
    """

    tokens: Integer[np.ndarray, "T N"]
    h: Float[np.ndarray, "T+1 N H"]
    logits: Float[np.ndarray, "T N V"]
    activation: str
    params: Params

    @classmethod
    def unfilled(cls, params: Params, T: int, N: int, activation: str) -> "Trace":
        V, H, _ = params.sizes
        h, logits = np.empty((T + 1, N, H), params.dtype), np.empty((T, N, V), params.dtype)
        return cls(np.empty((T, N), np.intp), h, logits, activation, params)

    def fits(self, params: Params, shape: tuple[int, ...], activation: str) -> bool:
        """Whether it can be filled again with such a pass."""
        return self.params is params and self.tokens.shape == shape and self.activation == activation

    @property
    def slope(self) -> Float[np.ndarray, "T N H"]:
        """phi'(a), read from the states."""
        with np.errstate(all="ignore"):
            return activation_named(self.activation).slope(self.h[1:], np.empty_like(self.h[1:]))

    @cached_property
    def steps(self) -> tuple[list[Rows], Rows]:
        """The T+1 states, and room for a product: kept, because to make them takes time too."""
        return list(self.h), np.empty_like(self.h[0])


@dataclass(frozen=True, eq=False)
class Gradients:
    """Derivatives of L, the mean loss over all T*N tokens in nats. ``h[t-1]`` belongs to the state ``trace.h[t]``."""

    trace: Trace
    truncation: int  # steps between two cuts; T: none
    params: Params
    losses: Float[np.ndarray, "T N"]  # each token's own loss, in nats
    logits: Float[np.ndarray, "T N V"]
    h: Float[np.ndarray, "T N H"]  # all that reaches a state: from its own loss and from the future
    a: Float[np.ndarray, "T N H"]

    @classmethod
    def unfilled(cls, trace: Trace, truncation: int) -> "Gradients":
        params, states = trace.params, trace.h[1:]
        arrays = map(np.empty_like, (trace.logits[..., 0], trace.logits, states, states))
        return cls(trace, truncation, params.with_flat(np.empty_like(params.flat)), *arrays)

    @cached_property
    def steps(self) -> tuple[list[Rows], list[Rows], Rows, Square]:
        """``h`` and ``a`` of every step, room for a product, and room for W_hh^T."""
        return list(self.h), list(self.a), np.empty_like(self.h[0]), aligned(self.params.W_hh.shape, self.params.dtype)


def step(
    params: Params, tokens: Integer[np.ndarray, " N"], h: Rows, *, activation: str = "tanh"
) -> tuple[Rows, Float[np.ndarray, "N V"]]:
    """One time step: the new state and the scores of the next token. Changes nothing it was given. Tokens lie in [0, V)."""
    h_now = np.empty_like(h)
    with np.errstate(all="ignore"):
        input_layer(params, tokens, h_now)
        next_state(h, params.W_hh, h_now, np.empty_like(h), activation_named(activation).value)
        return h_now, output_layer(params, h_now, np.empty((len(h), params.vocab_size), params.dtype))


def forward(
    params: Params,
    tokens: Integer[np.ndarray, "T N"],
    h0: Rows | None = None,
    *,
    activation: str = "tanh",
    reuse: Trace | None = None,
) -> Trace:
    """Read a window of tokens (T, N) from state ``h0`` (zeros when None). Non-finite numbers pass through unharmed.

    ``reuse``: an earlier trace that nobody needs any more. It is filled again where it fits, so training makes no new arrays.
    ``ValueError`` for tokens that are not integers in [0, V), for shapes that do not fit, for an unknown activation.
    """
    phi, tokens, (T, N) = activation_named(activation).value, token_ids(tokens, params.vocab_size), tokens.shape
    if h0 is not None and h0.shape != (N, params.hidden_size):
        raise ValueError(f"The state carried in has shape {h0.shape}; this window needs {(N, params.hidden_size)}.")
    trace = reuse if reuse is not None and reuse.fits(params, (T, N), activation) else Trace.unfilled(params, T, N, activation)
    (h, product), states, W_hh = trace.steps, trace.h[1:], params.W_hh
    trace.tokens[...] = tokens
    h[0][...] = 0 if h0 is None else h0
    with np.errstate(all="ignore"):
        input_layer(params, tokens, states)  # of all steps at once
        for t in range(1, T + 1):
            next_state(h[t - 1], W_hh, h[t], product, phi)
        output_layer(params, states, trace.logits)
    return trace


def next_state(h_before: Rows, W_hh: Square, h: Rows, product: Rows, phi: Phi) -> None:
    """One step forward: ``h`` holds x W_xh + b_h and becomes phi(x W_xh + b_h + h_before W_hh); ``product`` is scratch."""
    h_before.dot(W_hh, product)
    np.add(h, product, h)
    phi(h, h)


def backward(
    trace: Trace, targets: Integer[np.ndarray, "T N"], *, truncation: int | None = None, reuse: Gradients | None = None
) -> Gradients:
    """Derivatives of the mean loss (nats per token) of ``targets`` (T, N). Changes neither ``trace`` nor its ``params``.

    ``truncation``: the gradient is cut between blocks of this many steps, counted from the window's start; None, or any
    value from T on, is the whole window. It is then the derivative of the loss with each block's starting state held constant.
    ``reuse``: earlier gradients that nobody needs any more. They are filled again where they are of this trace, too.
    ``ValueError`` for targets that are not integers in [0, V), for shapes that do not fit, for a truncation below one.
    """
    params, h, T = trace.params, trace.h, len(trace.tokens)
    tau = T if truncation is None else min(index(truncation), T)
    if tau < 1:
        raise ValueError(f"A gradient goes back at least one step, not {truncation}.")
    fits = reuse is not None and reuse.trace is trace and reuse.truncation == tau
    found = reuse if fits else Gradients.unfilled(trace, tau)
    (dh, da, product, W_hh_T), grads = found.steps, found.params
    with np.errstate(all="ignore"):
        found.losses[...] = loss_and_gradient(trace.logits, targets, found.logits)
        output_layer_back(params, h[1:], found.logits, grads, found.h)
        activation_named(trace.activation).slope(h[1:], found.a)
        np.copyto(W_hh_T, params.W_hh.T)  # a product with a transposed view takes twice as long
        for t in reversed(range(T)):  # until here, dh[t] is from the loss alone, and da[t] holds the slope
            if t % tau == 0:  # cut: the gradient goes no further back
                step_back(dh[t], da[t], W_hh_T, da[t])
            else:
                step_back(dh[t], da[t], W_hh_T, da[t], product)
                np.add(dh[t - 1], product, dh[t - 1])
        flat(h[:-1]).T.dot(flat(found.a), grads.W_hh)
        input_layer_back(params, trace.tokens, found.a, grads)
    return found


def step_back(dh: Rows, slope: Float[np.ndarray, "... H"], W_hh_T: Square, da: Rows, before: Rows | None = None) -> None:
    """One step backward: ``da`` = dh * phi'(a), and ``before`` = da W_hh^T, what the state before is given by the future.

    Without ``before`` the gradient goes no further back. ``before`` may be ``dh``.
    """
    np.multiply(dh, slope, da)
    if before is not None:
        da.dot(W_hh_T, before)
