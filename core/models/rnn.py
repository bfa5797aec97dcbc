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
from core.models.loss import loss_and_gradient, target_ids
from core.models.params import Params, aligned

Rows, Square = Float[np.ndarray, "N H"], Float[np.ndarray, "H H"]


@dataclass(frozen=True, eq=False)
class Trace:
    """A forward pass. ``h[t]`` is the state after t tokens, ``h[0]`` the one carried in; ``logits[t]`` scores token t+1.

    ``params`` are those of the forward pass, not a copy. With a workspace, the arrays live in it until its next forward.
    """

    tokens: Integer[np.ndarray, "T N"]
    h: Float[np.ndarray, "T+1 N H"]
    logits: Float[np.ndarray, "T N V"]
    activation: str
    params: Params

    @property
    def slope(self) -> Float[np.ndarray, "T N H"]:
        """phi'(a), read from the states."""
        with np.errstate(all="ignore"):
            return activation_named(self.activation).slope(self.h[1:], np.empty_like(self.h[1:]))


@dataclass(frozen=True, eq=False)
class Gradients:
    """Derivatives of L, the mean loss over all T*N tokens in nats. ``h[t-1]`` belongs to the state ``Trace.h[t]``.

    ``params`` has the type of the parameters. With a workspace, the arrays live in it until its next backward.
    """

    params: Params
    losses: Float[np.ndarray, "T N"]  # each token's own loss, in nats
    logits: Float[np.ndarray, "T N V"]
    h: Float[np.ndarray, "T N H"]  # all that reaches a state: from its own loss and from the future
    a: Float[np.ndarray, "T N H"]
    truncation: int  # steps between two cuts; T: none


def step(
    params: Params, tokens: Integer[np.ndarray, " N"], h: Rows, *, activation: str = "tanh"
) -> tuple[Rows, Float[np.ndarray, "N V"]]:
    """One time step: the new state and the scores of the next token. Changes nothing it was given. Tokens lie in [0, V)."""
    h_now = np.empty_like(h)
    with np.errstate(all="ignore"):
        input_layer(params, tokens, h_now)
        next_state(h, params.W_hh, h_now, np.empty_like(h), activation_named(activation).value)
        return h_now, output_layer(params, h_now)


def forward(
    params: Params,
    tokens: Integer[np.ndarray, "T N"],
    h0: Rows | None = None,
    *,
    activation: str = "tanh",
    workspace: "Workspace | None" = None,
) -> Trace:
    """Read a window of tokens (T, N) from state ``h0`` (zeros when None). Non-finite numbers pass through unharmed.

    ``ValueError`` for tokens that are not integers in [0, V), for shapes that do not fit, for an unknown activation.
    """
    phi = activation_named(activation).value
    ids = token_ids(tokens, params.vocab_size)
    T, N = tokens.shape
    space = _fitting(workspace, params, (T, N))
    h, W_hh, product = space.h.at, params.W_hh, space.product
    if h0 is not None and h0.shape != h[0].shape:
        raise ValueError(f"The state carried in has shape {h0.shape}; this window needs {h[0].shape}.")
    h[0][...] = 0 if h0 is None else h0
    states = space.h.rows[N:]
    with np.errstate(all="ignore"):
        input_layer(params, ids, states)  # of all steps at once
        for t in range(1, T + 1):
            next_state(h[t - 1], W_hh, h[t], product, phi)
        output_layer(params, states, space.logits.rows)
    return Trace(ids.reshape(T, N), space.h.whole, space.logits.whole, activation, params)


def next_state(h_before: Rows, W_hh: Square, h: Rows, product: Rows, phi: Phi) -> None:
    """One step forward: ``h`` holds x W_xh + b_h and becomes phi(x W_xh + b_h + h_before W_hh); ``product`` is scratch."""
    h_before.dot(W_hh, product)
    np.add(h, product, h)
    phi(h, h)


def backward(
    params: Params,
    trace: Trace,
    targets: Integer[np.ndarray, "T N"],
    *,
    truncation: int | None = None,
    workspace: "Workspace | None" = None,
) -> Gradients:
    """Derivatives of the mean loss (nats per token) of ``targets`` (T, N). Changes neither ``params`` nor ``trace``.

    ``truncation``: the gradient is cut between blocks of this many steps, counted from the window's start; None, or any
    value from T on, is the whole window. It is then the derivative of the loss with each block's starting state held constant.
    ``ValueError`` for targets that are not integers in [0, V), for shapes that do not fit, for a truncation below one.
    """
    T, N = trace.tokens.shape
    tau = T if truncation is None else min(index(truncation), T)
    if tau < 1:
        raise ValueError(f"A gradient goes back at least one step, not {truncation}.")
    if params.sizes != trace.params.sizes:
        raise ValueError(f"The forward pass was of {trace.params!r}, not of {params!r}.")
    h, ids = flat(trace.h), target_ids(targets, trace.logits)
    space = _fitting(workspace, params, (T, N)).backward
    grads, dh, da, W_hh_T, product = space.grads, space.dh.at, space.da.at, space.W_hh_T, space.product
    with np.errstate(all="ignore"):
        losses = loss_and_gradient(flat(trace.logits), ids, space.dlogits.rows)
        output_layer_back(params, h[N:], space.dlogits.rows, grads, space.dh.rows)
        activation_named(trace.activation).slope(h[N:], space.da.rows)
        np.copyto(W_hh_T, params.W_hh.T)  # a product with a transposed view takes twice as long
        for t in reversed(range(T)):  # until here, dh[t] is from the loss alone, and da[t] holds the slope
            if t % tau == 0:  # cut: the gradient goes no further back
                step_back(dh[t], da[t], W_hh_T, da[t])
            else:
                step_back(dh[t], da[t], W_hh_T, da[t], product)
                np.add(dh[t - 1], product, dh[t - 1])
        h[:-N].T.dot(space.da.rows, grads.W_hh)
        input_layer_back(params, trace.tokens.reshape(-1), space.da.rows, grads)
    return Gradients(grads, losses.reshape(T, N), space.dlogits.whole, space.dh.whole, space.da.whole, tau)


def step_back(
    dh: Rows, slope: Float[np.ndarray, "... H"], W_hh_T: Square, da: Rows, before: Rows | None = None
) -> None:
    """One step backward: ``da`` = dh * phi'(a), and ``before`` = da W_hh^T, what the state before is given by the future.

    Without ``before`` the gradient goes no further back. ``before`` may be ``dh``.
    """
    np.multiply(dh, slope, da)
    if before is not None:
        da.dot(W_hh_T, before)


class OverTime:
    """An array (T, N, W), with the views of it that a pass needs: making them takes time too."""

    def __init__(self, T: int, N: int, W: int, dtype: np.dtype) -> None:
        self.whole = np.empty((T, N, W), dtype)
        self.rows = flat(self.whole)  # (T*N, W)
        self.at = list(self.whole)  # T of (N, W)


class Workspace:
    """Arrays that forward and backward fill again and again, so that training makes no large new ones.

    For windows of (T, N) tokens and networks of one size. Results do not depend on it, but live in it: the next call with the
    same workspace overwrites them.
    """

    def __init__(self, params: Params, T: int, N: int) -> None:
        V, H, _ = params.sizes
        self.params, self.shape = params, (T, N)
        self.h = OverTime(T + 1, N, H, params.dtype)
        self.logits = OverTime(T, N, V, params.dtype)
        self.product = np.empty((N, H), params.dtype)

    @cached_property
    def backward(self) -> "BackwardBuffers":
        """What only training needs."""
        return BackwardBuffers(self.params, *self.shape)


class BackwardBuffers:
    """The part of a workspace that backward fills."""

    def __init__(self, params: Params, T: int, N: int) -> None:
        V, H, _ = params.sizes
        self.grads = params.with_flat(np.empty_like(params.flat))
        self.dlogits = OverTime(T, N, V, params.dtype)
        self.dh = OverTime(T, N, H, params.dtype)
        self.da = OverTime(T, N, H, params.dtype)
        self.W_hh_T = aligned((H, H), params.dtype)
        self.product = np.empty((N, H), params.dtype)


def _fitting(workspace: Workspace | None, params: Params, shape: tuple[int, int]) -> Workspace:
    """The workspace, or one for this call only. ``ValueError`` where it was made for other sizes."""
    if workspace is None:
        return Workspace(params, *shape)
    made_for = workspace.params
    same = params is made_for or (params.sizes, params.dtype) == (made_for.sizes, made_for.dtype)
    if not same or shape != workspace.shape:
        raise ValueError(f"This workspace is for windows of {workspace.shape} and {made_for!r}, not for {shape} and {params!r}.")
    return workspace
