"""The recurrent network: one step, all steps forward, all steps backward.

    a_t = x_t W_xh + h_(t-1) W_hh + b_h        pre-activation       (D2L equation 8.4.5)
    h_t = phi(a_t)                             state
    logits_t = h_t W_hq + b_q                  scores of the next token (8.4.6)

Backward is backpropagation through time (D2L 8.7.16 to 8.7.18; Deep Learning from Scratch 2, 5.3: Time RNN):

    dh_t = dlogits_t W_hq^T + da_(t+1) W_hh^T  from the loss at t, and from the future
    da_t = dh_t * phi'(a_t)

Arrays are time-major. What trains is what is drawn: there is no other implementation for display.
"""

from dataclasses import dataclass, field
from functools import cached_property
from operator import index

import numpy as np
from jaxtyping import Float, Integer

from core.models.activations import ACTIVATIONS, activation_named
from core.models.inputs import InputLayer
from core.models.params import INITIALISATIONS, Params, init_params
from core.models.products import Product, StepProduct, sum_of_outer_products
from core.models.windows import check_tokens, flat
from core.models.workspace import BackwardBuffers, Workspace

__all__ = [
    "ACTIVATIONS",
    "INITIALISATIONS",
    "Gradients",
    "Params",
    "Trace",
    "Workspace",
    "backward",
    "forward",
    "init_params",
    "step",
]


def step(
    params: Params, tokens: Integer[np.ndarray, " N"], h: Float[np.ndarray, "N H"], *, activation: str = "tanh"
) -> tuple[Float[np.ndarray, "N H"], Float[np.ndarray, "N V"]]:
    """One time step: the new state and the scores of the next token. Changes nothing it was given."""
    x_W = params.W_xh[tokens] if params.W_emb is None else params.W_emb[tokens] @ params.W_xh
    with np.errstate(all="ignore"):
        a = h @ params.W_hh
        a += x_W
        a += params.b_h
        activation_named(activation).value(a, a)
        return a, a @ params.W_hq + params.b_q


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

    @cached_property
    def a(self) -> Float[np.ndarray, "T N H"]:
        """Pre-activations: computed when first asked for, so ask while ``params`` are as they were in the forward pass."""
        a = np.empty_like(self.h[1:])
        recurrent = StepProduct(*self.h.shape[1:], a.dtype)
        with np.errstate(all="ignore"):
            InputLayer(self.params, self.tokens.size).forward(self.params, self.tokens.reshape(-1), flat(a))
            recurrent.load(self.params.W_hh)
            for h_before, a_t in zip(self.h, a, strict=False):
                recurrent.multiplier(h_before)(recurrent.W, recurrent.out)
                split = recurrent.split(a_t)
                np.add(split, recurrent.result, split)
        return a

    @property
    def slope(self) -> Float[np.ndarray, "T N H"]:
        """phi'(a), read from the states."""
        slope = np.empty_like(self.h[1:])
        with np.errstate(all="ignore"):
            activation_named(self.activation).slope(self.h[1:], slope)
        return slope


@dataclass(frozen=True, eq=False)
class Gradients:
    """Derivatives of L, the mean loss over all T*N tokens in nats. ``h[t-1]`` belongs to the state ``Trace.h[t]``.

    ``params`` has the type of the parameters. With a workspace, the arrays live in it until its next backward; the
    properties below must be asked for until then.
    """

    params: Params
    losses: Float[np.ndarray, "T N"]  # each token's own loss, in nats
    logits: Float[np.ndarray, "T N V"]
    h: Float[np.ndarray, "T N H"]  # all that reaches a state: from its own loss and from the future
    a: Float[np.ndarray, "T N H"]
    truncation: int
    _buffers: BackwardBuffers = field(repr=False)

    @cached_property
    def h_from_loss(self) -> Float[np.ndarray, "T N H"]:
        """The part of ``h`` that comes from the loss at the same step."""
        out = np.empty_like(self.h)
        with np.errstate(all="ignore"):
            Product(flat(self.logits), flat(out)).by(self._buffers.output.W_T)
        return out

    @cached_property
    def h_from_future(self) -> Float[np.ndarray, "T N H"]:
        """The part of ``h`` that comes from later losses through the next state; zero at the last step and at cuts."""
        out = np.zeros_like(self.h)
        for t in range(1, len(out)):
            if t % self.truncation:
                out[t - 1] = self._through_time(t)
        return out

    @cached_property
    def h0(self) -> Float[np.ndarray, "N H"]:
        """With respect to the state carried in."""
        return self._through_time(0)

    def _through_time(self, t: int) -> Float[np.ndarray, "N H"]:
        recurrent = self._buffers.recurrent
        with np.errstate(all="ignore"):
            recurrent.multiplier(self.a[t])(recurrent.W, recurrent.out)
        return recurrent.result.reshape(self.a[t].shape).copy()


def forward(
    params: Params,
    tokens: Integer[np.ndarray, "T N"],
    h0: Float[np.ndarray, "N H"] | None = None,
    *,
    activation: str = "tanh",
    workspace: Workspace | None = None,
) -> Trace:
    """Read a window of tokens (T, N) from state ``h0`` (zeros when None). Non-finite numbers pass through unharmed.

    ``ValueError`` for tokens that are not integers in [0, V), for shapes that do not fit, for an unknown activation.
    """
    value = activation_named(activation).value
    check_tokens(tokens, params.vocab_size)
    buffers = workspace or Workspace(params, *tokens.shape)
    buffers.check(params, tokens.shape)
    h = buffers.h
    if h0 is None:
        h[0] = 0
    elif h0.shape != h[0].shape:
        raise ValueError(f"The state carried in has shape {h0.shape}; this window needs {h[0].shape}.")
    else:
        h[0] = h0
    buffers.tokens[...] = tokens
    with np.errstate(all="ignore"):
        buffers.inputs.forward(params, buffers.tokens.reshape(-1), flat(h[1:]))
        recurrent = buffers.recurrent
        recurrent.load(params.W_hh)
        W, out, result, add = recurrent.W, recurrent.out, recurrent.result, np.add
        for multiply, split, h_now in buffers.steps:
            multiply(W, out)
            add(split, result, split)
            value(h_now, h_now)
        buffers.output.by(params.W_hq)
        np.add(buffers.logits, params.b_q, buffers.logits)
    return Trace(buffers.tokens, h, buffers.logits, activation, params)


def backward(
    params: Params,
    trace: Trace,
    targets: Integer[np.ndarray, "T N"],
    *,
    truncation: int | None = None,
    workspace: Workspace | None = None,
) -> Gradients:
    """Derivatives of the mean loss (nats per token) of ``targets`` (T, N). Changes neither ``params`` nor ``trace``.

    ``truncation``: the gradient is cut between blocks of this many steps, counted from the window's start; None, or any
    value from T on, is the whole window. It is then the derivative of the loss with each block's starting state held constant.
    ``ValueError`` for targets that are not integers in [0, V), for shapes that do not fit, for a truncation below one.
    """
    T, N, V = trace.logits.shape
    if (params.W_hq.shape, params.embedding_size) != ((trace.h.shape[2], V), trace.params.embedding_size):
        raise ValueError(f"The forward pass was of {trace.params!r}, not of {params!r}.")
    tau = T if truncation is None else min(index(truncation), T)
    if tau < 1:
        raise ValueError(f"A gradient goes back at least one step, not {truncation}.")
    if targets.shape != (T, N):
        raise ValueError(f"Targets of shape {targets.shape} do not fit a window of {(T, N)}.")
    check_tokens(targets, V)
    space = workspace or Workspace(params, T, N)
    space.check(params, (T, N))
    buffers = space.backward
    with np.errstate(all="ignore"):
        losses = _output_layer(params, trace, targets, buffers)
        _back_through_time(params, trace, tau, buffers)
        da, grads = flat(buffers.da), buffers.grads
        sum_of_outer_products(flat(trace.h[:-1]), da, grads.W_hh)
        space.inputs.backward(params, trace.tokens.reshape(-1), da, grads)
    return Gradients(grads, losses, buffers.softmax.rows.reshape(T, N, V), buffers.dh, buffers.da, tau, buffers)


def _output_layer(
    params: Params, trace: Trace, targets: Integer[np.ndarray, "T N"], buffers: BackwardBuffers
) -> Float[np.ndarray, "T N"]:
    """Losses; and with respect to the logits, W_hq, b_q, and to the states through the losses of their own step."""
    h, grads = flat(trace.h[1:]), buffers.grads
    losses, dlogits = buffers.softmax.gradient(flat(trace.logits), targets.reshape(-1))
    sum_of_outer_products(h, dlogits, grads.W_hq)
    buffers.ones.dot(dlogits, grads.b_q)
    buffers.output.load(params.W_hq)
    buffers.to_states.by(buffers.output.W_T)
    return losses.reshape(targets.shape)


def _back_through_time(params: Params, trace: Trace, tau: int, buffers: BackwardBuffers) -> None:
    """With respect to states and pre-activations, from the last step to the first."""
    activation_named(trace.activation).slope(trace.h[1:], buffers.da)
    recurrent = buffers.recurrent
    recurrent.load_transposed(params.W_hh)
    W, out, result, add, times = recurrent.W, recurrent.out, recurrent.result, np.add, np.multiply
    for t, dh_t, da_t, multiply, dh_before in buffers.steps:
        times(da_t, dh_t, da_t)
        if t % tau:
            multiply(W, out)
            add(dh_before, result, dh_before)
