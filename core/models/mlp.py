"""The network without a hidden state, for comparison: a hidden layer over the present token alone.

    a = x W_xh + b_h                 pre-activation
    h = phi(a)                       hidden layer             (D2L equation 8.4.3)
    logits = h W_hq + b_q            scores of the next token (D2L equation 8.4.4)

It is the recurrent network with the one term h_(t-1) W_hh left out, so nothing goes from one token to the next: a bigram
model, however long it is trained. Arrays are time-major as in ``rnn``, although here all T*N tokens are alike.
"""

import math
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Integer

from core.models.activations import activation_named
from core.models.inputs import sum_by_token
from core.models.loss import cross_entropy, softmax
from core.models.params import Params, shapes_of
from core.models.windows import check_tokens, flat

__all__ = ["Mlp", "MlpGradients", "MlpReader", "MlpTrace", "backward", "forward", "without_state"]


@dataclass(frozen=True, eq=False, repr=False)
class Mlp:
    """Weights and biases, each a view of ``flat``, named as those of the recurrent network; ``W_emb`` is None when one-hot."""

    flat: Float[np.ndarray, " P"]
    W_xh: Float[np.ndarray, "D H"]
    b_h: Float[np.ndarray, " H"]
    W_hq: Float[np.ndarray, "H V"]
    b_q: Float[np.ndarray, " V"]
    W_emb: Float[np.ndarray, "V D"] | None = None

    @classmethod
    def over(cls, flat: Float[np.ndarray, " P"], vocab_size: int, hidden_size: int, embedding_size: int = 0) -> "Mlp":
        """Parameters of these sizes as views of ``flat``; ``ValueError`` unless it has exactly as many numbers."""
        shapes = shapes_of(vocab_size, hidden_size, embedding_size)
        del shapes["W_hh"]
        ends = np.cumsum([math.prod(shape) for shape in shapes.values()])
        if flat.shape != (ends[-1],):
            raise ValueError(f"A network of these sizes has {ends[-1]} numbers, not {flat.shape}.")
        parts = zip(shapes.items(), np.split(flat, ends[:-1]), strict=True)
        return cls(flat, **{name: part.reshape(shape) for (name, shape), part in parts})

    def with_flat(self, flat: Float[np.ndarray, " P"]) -> "Mlp":
        """Parameters of the same sizes as views of another vector."""
        embedding_size = 0 if self.W_emb is None else self.W_emb.shape[1]
        return type(self).over(flat, self.vocab_size, len(self.b_h), embedding_size)

    def named(self) -> dict[str, np.ndarray]:
        """Name -> view, in the order of ``flat``."""
        views = {name: getattr(self, name) for name in ("W_xh", "b_h", "W_hq", "b_q")}
        return views | ({} if self.W_emb is None else {"W_emb": self.W_emb})

    @property
    def vocab_size(self) -> int:
        return len(self.b_q)


def without_state(params: Params) -> Mlp:
    """A copy of a recurrent network's parameters that leaves out W_hh: two networks that differ in nothing else."""
    named = params.named()
    del named["W_hh"]
    flat = np.concatenate([array.ravel() for array in named.values()])
    return Mlp.over(flat, params.vocab_size, params.hidden_size, params.embedding_size)


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
    value = activation_named(activation).value
    check_tokens(tokens, params.vocab_size)
    with np.errstate(all="ignore"):
        h = params.W_xh[tokens] if params.W_emb is None else params.W_emb[tokens] @ params.W_xh
        h += params.b_h
        value(h, h)
        logits = flat(h) @ params.W_hq
        logits += params.b_q
        return MlpTrace(tokens, h, logits.reshape(*tokens.shape, -1), activation)


def backward(params: Mlp, trace: MlpTrace, targets: Integer[np.ndarray, "T N"]) -> MlpGradients:
    """Derivatives of the mean loss (nats per token) of ``targets`` (T, N). Changes neither ``params`` nor ``trace``.

    The rules of the recurrent network (D2L 8.7.16) without what comes from the future.
    """
    T, N, V = trace.logits.shape
    if targets.shape != (T, N):
        raise ValueError(f"Targets of shape {targets.shape} do not fit a window of {(T, N)}.")
    check_tokens(targets, V)
    grads = params.with_flat(np.empty_like(params.flat))
    da = np.empty_like(trace.h)
    with np.errstate(all="ignore"):
        losses = cross_entropy(trace.logits, targets)
        dlogits = softmax(trace.logits)
        dlogits.reshape(T * N, V)[np.arange(T * N), targets.reshape(-1)] -= 1
        dlogits *= 1 / (T * N)
        dh = (flat(dlogits) @ params.W_hq.T).reshape(trace.h.shape)
        activation_named(trace.activation).slope(trace.h, da)
        da *= dh
        np.dot(flat(trace.h).T, flat(dlogits), out=grads.W_hq)
        flat(dlogits).sum(axis=0, out=grads.b_q)
        flat(da).sum(axis=0, out=grads.b_h)
        _input_gradients(params, trace.tokens.reshape(-1), flat(da), grads)
    return MlpGradients(grads, losses, dlogits, dh, da)


def _input_gradients(params: Mlp, tokens: Integer[np.ndarray, " M"], da: Float[np.ndarray, "M H"], grads: Mlp) -> None:
    """With respect to W_xh and W_emb."""
    if params.W_emb is None:
        sum_by_token(tokens, da, grads.W_xh)
        return
    np.dot(params.W_emb[tokens].T, da, out=grads.W_xh)
    sum_by_token(tokens, da @ params.W_xh.T, grads.W_emb)


class MlpReader:
    """The network as a next-token model (``core.models.sampling``): it remembers nothing, so its state is empty."""

    def __init__(self, params: Mlp, activation: str = "tanh") -> None:
        self.params = params
        self.activation = activation

    @property
    def vocab_size(self) -> int:
        return self.params.vocab_size

    def start(self) -> None:
        return None

    def step(self, state: None, token: int) -> tuple[None, Float[np.ndarray, " V"]]:
        return None, forward(self.params, np.array([[token]]), activation=self.activation).logits[0, 0]

    def read(
        self, state: None, inputs: Integer[np.ndarray, " L"], targets: Integer[np.ndarray, " L"]
    ) -> tuple[None, Float[np.ndarray, " L"]]:
        trace = forward(self.params, inputs[:, None], activation=self.activation)
        return None, cross_entropy(trace.logits, targets[:, None])[:, 0]
