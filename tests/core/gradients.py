"""Reference derivatives: central differences along random directions, and HIPS autograd.

Both are independent of the code under test: the network is implemented again here, from the equations.
"""

from collections.abc import Callable
from dataclasses import dataclass

import autograd
import autograd.numpy as anp
import numpy as np

from core.models.initialisation import init_params
from core.models.rnn import Gradients, Params, Trace, backward, forward

PHI = {"tanh": anp.tanh, "relu": lambda a: anp.maximum(a, 0.0), "sigmoid": lambda a: 1 / (1 + anp.exp(-a))}


@dataclass(frozen=True)
class Problem:
    """A network and one window in float64."""

    params: Params
    tokens: np.ndarray
    targets: np.ndarray
    h0: np.ndarray | None
    activation: str

    @property
    def trace(self) -> Trace:
        return forward(self.params, self.tokens, self.h0, activation=self.activation)

    def gradients(self, truncation: int | None = None) -> Gradients:
        return backward(self.trace, self.targets, truncation=truncation)


def problem(
    activation: str = "tanh", V: int = 7, H: int = 6, D: int = 0, T: int = 6, N: int = 3, carried: bool = True, seed: int = 0
) -> Problem:
    rng = np.random.default_rng(seed)
    params = init_params(V, H, embedding_size=D, gain=1.3, rng=rng, dtype=np.float64)
    params.flat[:] += 0.2 * rng.standard_normal(params.flat.size)  # nonzero biases, too
    tokens, targets = rng.integers(0, V, (2, T, N))
    return Problem(params, tokens, targets, rng.standard_normal((N, H)) if carried else None, activation)


def losses(p: Problem, params: dict, h0, nudges: dict, truncation: int | None = None) -> list:
    """The losses of every step, one for each sequence, in operations of autograd. With ``truncation``, each block starts from
    its recorded state.

    ``nudges`` are added to states, pre-activations and logits as they are computed: the derivative with respect to a nudge is
    the derivative with respect to the value to which it is added.
    """
    recorded, h, found = p.trace.h, h0, []
    for t, (tokens, targets) in enumerate(zip(p.tokens, p.targets, strict=True)):
        if truncation and t and t % truncation == 0:
            h = recorded[t]
        x = np.eye(p.params.vocab_size)[tokens]
        if "W_emb" in params:
            x = anp.dot(x, params["W_emb"])
        a = anp.dot(x, params["W_xh"]) + anp.dot(h, params["W_hh"]) + params["b_h"] + nudges["a"][t]
        h = PHI[p.activation](a) + nudges["h"][t]
        logits = anp.dot(h, params["W_hq"]) + params["b_q"] + nudges["logits"][t]
        top = anp.max(logits, axis=1, keepdims=True)
        log_sum = top[:, 0] + anp.log(anp.sum(anp.exp(logits - top), axis=1))
        found.append(log_sum - logits[anp.arange(len(targets)), targets])
    return found


def no_nudges(p: Problem) -> dict[str, np.ndarray]:
    (T, N), H, V = p.tokens.shape, p.params.hidden_size, p.params.vocab_size
    return {"a": np.zeros((T, N, H)), "h": np.zeros((T, N, H)), "logits": np.zeros((T, N, V))}


def autograd_gradients(p: Problem, truncation: int | None = None, weights: np.ndarray | None = None) -> dict[str, np.ndarray]:
    """Name -> derivative by HIPS autograd, for every parameter, h0, and the states, pre-activations and logits: of the mean of
    the losses, or of their sum with ``weights`` (T, N)."""
    weights = np.full(p.tokens.shape, 1 / p.tokens.size) if weights is None else weights
    h0 = np.zeros_like(p.trace.h[0]) if p.h0 is None else p.h0

    def loss(everything):
        params, h0, nudges = everything
        return sum(anp.sum(w * of_step) for w, of_step in zip(weights, losses(p, params, h0, nudges, truncation), strict=True))

    dparams, d_h0, nudges = autograd.grad(loss)((p.params.named(), h0, no_nudges(p)))
    return {**dparams, "h0": d_h0, **nudges}


def our_gradients(p: Problem, truncation: int | None = None, weights: np.ndarray | None = None) -> dict[str, np.ndarray]:
    """Name -> the same derivative by the code under test."""
    g = backward(p.trace, p.targets, truncation=truncation, weights=weights)
    return {**g.dparams.named(), "h0": g.dh0, "a": g.da[1:], "h": g.dh[1:], "logits": g.dlogits}


def worst_along_directions(
    f: Callable[[np.ndarray], float], x: np.ndarray, gradient: np.ndarray, directions: int = 5, eps: float = 1e-4, seed: int = 1
) -> float:
    """Largest relative difference between gradient . d and the central difference of f along random unit vectors d.

    The central difference has five points: its error is of order eps^4, so eps can be large enough for small rounding errors.
    """
    rng, worst = np.random.default_rng(seed), 0.0
    for _ in range(directions):
        d = rng.standard_normal(x.shape)
        d /= np.linalg.norm(d)
        near, far = (f(x + step * d) - f(x - step * d) for step in (eps, 2 * eps))
        numeric = (8 * near - far) / (12 * eps)
        analytic = float((gradient * d).sum())
        worst = max(worst, abs(numeric - analytic) / max(abs(numeric), abs(analytic)))
    return worst


def relative(a: np.ndarray, b: np.ndarray) -> float:
    """|a - b| / |b|."""
    return float(np.linalg.norm(a - b) / np.linalg.norm(b))
