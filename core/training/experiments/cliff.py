"""The cliff: the loss of a network of one unit as a surface over b_h and W_hh, and gradient descent on it, clipped and not.

The network reads T equal tokens whose weight is zero, from a state of zeros: h_t = tanh(h_(t-1) W_hh + b_h). Only the last step
has a loss: token 1 follows in ``SHARE`` of all sequences, token 0 in the others. The loss is therefore lowest where the
probability of token 1 is ``SHARE``, at a state between both ends of tanh; there it is the entropy of the targets.

Up to W_hh = 1 the last state changes gradually with b_h. Above, it is near one of two states, for b_h below and above 0: between
them the loss has a wall, and its gradient there grows like W_hh to the power of T. Source: Pascanu, Mikolov and Bengio 2013,
section 2.3 and figure 6 (a sigmoid, T = 50, and a squared error with the target 0.7).
"""

from collections.abc import Generator
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float

from core.models.params import Params
from core.models.rnn import backward, forward
from core.training.optimizers import SGD, clip_by_global_norm

SHARE = 0.7  # of the sequences go on with token 1
W_HQ = 2.0  # of token 1; of token 0 its negative. At h = 1 the probability of token 1 is 0.982.
DESCENT_RATE, UPDATES = 0.1, 50  # of gradient descent
BIASES, WEIGHT_ENDS = (-0.6, 1.0), (0.4, 2.0)  # ends of the map
LOWEST = -(SHARE * np.log(SHARE) + (1 - SHARE) * np.log(1 - SHARE))  # nats: the entropy of the targets
NEAR = 0.02  # nats above it at most: in the valley
JUDGED_AFTER = (50, 500)  # updates after which the starts are judged
SECTION_WEIGHTS = (WEIGHT_ENDS[0], 1.0, WEIGHT_ENDS[1])  # W_hh of the sections through the map: from edge to edge
BEST_STATE = float(np.log(SHARE / (1 - SHARE)) / (2 * W_HQ))  # at this last state token 1 has probability SHARE
SIDE = 41  # starts along each side of the map
EVERY = 10  # updates of all starts between two turns of other computations


@dataclass(frozen=True, eq=False)
class Surface:
    """The loss in nats for every W_hh (rows) and b_h (columns)."""

    biases: Float[np.ndarray, " B"]
    weights: Float[np.ndarray, " W"]
    losses: Float[np.ndarray, "W B"]


@dataclass(frozen=True, eq=False)
class Descent:
    """Gradient descent over U updates. Row u of the U + 1 points is after u updates: b_h and W_hh, the loss, its gradient norm.

    Norms are those before clipping; ``clip_norm`` is 0 without clipping.
    """

    places: Float[np.ndarray, "points 2"]
    losses: Float[np.ndarray, " points"]
    norms: Float[np.ndarray, " points"]
    clip_norm: float

    @property
    def lengths(self) -> Float[np.ndarray, " U"]:
        """How far each update moves b_h and W_hh."""
        return np.linalg.norm(np.diff(self.places, axis=0), axis=1)

    @property
    def steepest(self) -> int:
        """The index of the update with the longest gradient."""
        return int(np.argmax(self.norms[:-1]))

    @property
    def left(self) -> int | None:
        """The index of the first point outside the map; None if the path stays on it."""
        outside = ~np.array([on_map(*place) for place in self.places])
        return int(np.argmax(outside)) if outside.any() else None

    @property
    def arrived(self) -> bool:
        """Whether it ends in the valley."""
        return bool(self.losses[-1] <= LOWEST + NEAR)


def on_map(bias: float, weight: float) -> bool:
    """Whether this point lies on the map."""
    return bool(BIASES[0] <= bias <= BIASES[1] and WEIGHT_ENDS[0] <= weight <= WEIGHT_ENDS[1])


def network(bias: float, weight: float) -> Params:
    """The network of one unit and two tokens, float64."""
    params = Params.zeros(2, 1, dtype=np.float64)
    params.b_h[...], params.W_hh[...] = bias, weight
    params.W_hq[...] = [[-W_HQ, W_HQ]]
    return params


def loss_and_gradient(bias: float, weight: float, T: int) -> tuple[float, Float[np.ndarray, " 2"]]:
    """The loss in nats, and its derivatives with respect to b_h and W_hh, by the backward pass of training.

    One sequence goes on with token 0, one with token 1; the losses of their last steps are weighted.
    """
    tokens = np.zeros((T, 2), np.int64)
    targets, weights = np.tile([0, 1], (T, 1)), np.zeros((T, 2))
    weights[-1] = 1 - SHARE, SHARE
    g = backward(forward(network(bias, weight), tokens), targets, weights=weights)
    return float((weights * g.losses).sum()), np.array([g.dparams.b_h[0], g.dparams.W_hh[0, 0]])


def descend(bias: float, weight: float, T: int, clip_norm: float = 0.0, updates: int = UPDATES) -> Descent:
    """Gradient descent from this point, with all other parameters held constant; 0: no clipping."""
    place, optimizer = np.array([bias, weight]), SGD(2, np.float64)
    places, losses, norms = [], [], []
    for _update in range(updates + 1):
        loss, gradient = loss_and_gradient(*place, T)
        places.append(place.copy())
        losses.append(loss)
        norms.append(clip_by_global_norm(gradient, clip_norm))
        optimizer.step(place, gradient, DESCENT_RATE)
    return Descent(np.array(places), np.array(losses), np.array(norms), clip_norm)


Points = Float[np.ndarray, " P"]


def states_of_many(biases: Points, weights: Points, T: int) -> list[Points]:
    """The T + 1 states of P networks at once.

    A network of core.models shares its W_hh with all rows of a batch; here each point has its own.
    """
    states = [np.zeros_like(biases)]
    for _t in range(T):
        states.append(np.tanh(weights * states[-1] + biases))
    return states


def of_many(biases: Points, weights: Points, T: int) -> tuple[Points, Points, Points]:
    """:func:`loss_and_gradient` of P networks at once: losses, derivatives by b_h, and by W_hh."""
    states = states_of_many(biases, weights, T)
    score = 2 * W_HQ * states[-1]  # of token 1 above that of token 0
    losses = np.logaddexp(0, score) - SHARE * score
    with np.errstate(over="ignore"):
        dh = 2 * W_HQ * (1 / (1 + np.exp(-score)) - SHARE)
    dbiases, dweights = np.zeros_like(biases), np.zeros_like(biases)
    for t in range(T, 0, -1):
        da = dh * (1 - states[t] ** 2)
        dbiases += da
        dweights += da * states[t - 1]
        dh = da * weights
    return losses, dbiases, dweights


def grid(columns: int, rows: int) -> tuple[Float[np.ndarray, " B"], Float[np.ndarray, " W"]]:
    """The b_h of the columns and the W_hh of the rows of a grid over the whole map."""
    return np.linspace(*BIASES, columns), np.linspace(*WEIGHT_ENDS, rows)


def loss_surface(T: int, columns: int = 81, rows: int = 65) -> Surface:
    """The loss on a grid over the map."""
    biases, weights = grid(columns, rows)
    losses = of_many(*(axis.ravel() for axis in np.meshgrid(biases, weights)), T)[0]
    return Surface(biases, weights, losses.reshape(rows, columns))


def starts_that_arrive(T: int, clip_norm: float, side: int = SIDE) -> Generator[float, None, dict[int, Bool[np.ndarray, "S S"]]]:
    """Which starts of a grid over the map (rows: W_hh, columns: b_h) are in the valley after each of ``JUDGED_AFTER`` updates.

    A generator for the scheduler: it yields its progress.
    """
    biases, weights = (axis.ravel() for axis in np.meshgrid(*grid(side, side)))
    found = {}
    for done in range(max(JUDGED_AFTER) + 1):
        losses, dbiases, dweights = of_many(biases, weights, T)
        if done in JUDGED_AFTER:
            found[done] = (losses <= LOWEST + NEAR).reshape(side, side)
        norms = np.hypot(dbiases, dweights)
        rates = DESCENT_RATE * np.minimum(1, clip_norm / np.maximum(norms, clip_norm)) if clip_norm else DESCENT_RATE
        biases, weights = biases - rates * dbiases, weights - rates * dweights
        if done % EVERY == 0:
            yield done / max(JUDGED_AFTER)
    return found
