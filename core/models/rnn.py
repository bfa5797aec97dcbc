"""The recurrent network: one step, all steps forward, all steps backward.

    a_t = x_t W_xh + h_(t-1) W_hh + b_h        pre-activation       (D2L equation 8.4.5)
    h_t = phi(a_t)                             state
    logits_t = h_t W_hq + b_q                  scores of the next token (8.4.6)

Backward is backpropagation through time (D2L 8.7.16 to 8.7.18; Deep Learning from Scratch 2, 5.3: Time RNN):

    dh_t = dlogits_t W_hq^T + da_(t+1) W_hh^T  from the loss at t, and from the future
    da_t = dh_t * phi'(a_t)
    dW_hh = sum over t of h_(t-1)^T da_t       and so for the other weights

Arrays are time-major. Those of states have T+1 rows, row t after t tokens; row 0 is the state carried in. The token read at
step t is ``tokens[t-1]``, and ``logits[t-1]`` belong to ``h[t]``. Numbers that are not finite pass through without a warning.
"""

from dataclasses import dataclass
from operator import index

import numpy as np
from jaxtyping import Float, Integer

from core.models.fast import Workspace
from core.models.layers import activation_named, flat, input_layer, input_layer_back, output_layer, output_layer_back, token_ids
from core.models.loss import loss_and_gradient
from core.models.params import Logits, Params, Rows, States, Tokens


@dataclass(frozen=True, eq=False)
class Trace:
    """A forward pass. ``h[t]`` is the state after t tokens, ``h[0]`` the one carried in.

    ``logits[t-1]``, computed from ``h[t]``, are the scores of the token after ``tokens[t-1]``. ``params`` are those of the
    forward pass, not a copy.
    """

    tokens: Tokens
    h: Float[np.ndarray, "T+1 N H"]
    logits: Logits
    activation: str
    params: Params

    @property
    def slope(self) -> States:
        """phi'(a), computed from the states; row 0 is unused."""
        with np.errstate(all="ignore"):
            return activation_named(self.activation).slope(self.h, np.empty_like(self.h))


@dataclass(frozen=True, eq=False)
class Gradients:
    """Derivatives of L, a sum of the losses with weights: by default their mean over all T*N tokens, in nats.

    ``dh`` and ``da`` have the rows of ``trace.h``. Their row 0 is zero, as the gradient stops at the window's start; ``dh0`` is
    what would go on to the state carried in.
    """

    trace: Trace
    truncation: int  # steps between two cuts; T: none
    losses: Float[np.ndarray, "T N"]  # each token's own loss, in nats
    dparams: Params
    dlogits: Logits
    dh: States  # from each state's own loss and from later losses
    da: States

    @property
    def dh0(self) -> Rows:
        """dL/dh of the state carried in."""
        with np.errstate(all="ignore"):
            return self.da[1] @ self.trace.params.W_hh.T


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
    V, H = params.vocab_size, params.hidden_size
    if h0 is not None and h0.shape != (N, H):
        raise ValueError(f"The state carried in has shape {h0.shape}; this window needs {(N, H)}.")
    workspace = workspace or Workspace()
    h, logits = workspace.array("h", (T + 1, N, H), params.dtype), workspace.array("logits", (T, N, V), params.dtype)
    with np.errstate(all="ignore"):
        h[0] = 0 if h0 is None else h0
        input_layer(params, tokens, out=h[1:])  # x_t W_xh + b_h of all steps at once, where the states will be
        for t in range(1, T + 1):
            phi(h[t] + h[t - 1] @ params.W_hh, out=h[t])
        output_layer(params, h[1:], out=logits)
    return Trace(tokens, h, logits, activation, params)


def backward(
    trace: Trace,
    targets: Tokens,
    *,
    truncation: int | None = None,
    weights: Float[np.ndarray, "T N"] | None = None,
    workspace: Workspace | None = None,
) -> Gradients:
    """Derivatives of the mean loss (nats per token) of ``targets`` (T, N). Changes neither ``trace`` nor its ``params``.

    ``weights``: the derivatives are those of the sum of weights * losses, e.g. of the last loss alone. ``truncation``: the
    gradient is cut between blocks of this many steps, counted from the window's start; None, or any value from T on, is the
    whole window. It is then the derivative of the loss with each block's starting state held constant. The gradients' arrays are
    those of ``workspace``, or new ones. ``ValueError`` for targets that are not integers in [0, V), for shapes that do not fit,
    for a truncation below one.
    """
    params, h, T = trace.params, trace.h, len(trace.tokens)
    tau = T if truncation is None else min(index(truncation), T)
    if tau < 1:
        raise ValueError(f"A gradient goes back at least one step, not {truncation}.")
    if weights is not None and weights.shape != targets.shape:
        raise ValueError(f"Weights of shape {weights.shape} do not fit targets of shape {targets.shape}.")
    workspace = workspace or Workspace()
    dh, da, slope = (workspace.array(name, h.shape, h.dtype) for name in ("dh", "da", "slope"))
    dlogits, dparams = workspace.array("dlogits", trace.logits.shape, h.dtype), workspace.like(params)
    with np.errstate(all="ignore"):
        losses = loss_and_gradient(trace.logits, targets, weights, out=dlogits)
        dh[0] = da[0] = 0
        output_layer_back(params, h[1:], dlogits, dparams, out=dh[1:])  # from each state's own loss
        activation_named(trace.activation).slope(h, slope)
        W_hh_T = workspace.transposed(params.W_hh)
        for t in range(T, 0, -1):
            da[t] = dh[t] * slope[t]
            if (t - 1) % tau:  # else the gradient is cut here
                dh[t - 1] += da[t] @ W_hh_T
        np.dot(flat(h[:-1]).T, flat(da[1:]), out=dparams.W_hh)
        input_layer_back(params, trace.tokens, da[1:], dparams)
    return Gradients(trace, tau, losses, dparams, dlogits, dh, da)
