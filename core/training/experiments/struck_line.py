"""Training with one line of ``simple_rnnlm.py`` struck out: what each of six lines does, seen by what happens without it.

The file ``simple_rnnlm.py`` is run again with that line replaced, and nothing else. Both networks begin with the same weights and
read the same windows. Beside their training, the gradient without the line is computed at the weights and the carried state of
the right network: so much of its error is the line's, and not that of the weights that training without it has led to.
"""

import inspect
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from itertools import tee
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float

from core.models.loss import perplexity_of
from core.text.corpus import Corpus
from core.training import simple_rnnlm
from core.training.experiments.comparisons import SGD
from core.training.tbptt import Trainer

WEIGHTS = ("W_emb", "W_xh", "W_hh", "b_h", "W_hq", "b_q")  # in the order of the book's ``params``
# At this rate clipping is needed, so striking it out shows; the names are learnt in seconds.
STRUCK_SETTINGS = SGD.but(corpus="names_en", embedding_size=16, num_steps=5, batch_size=10, dtype="float64").but(
    learning_rate=2.0, clip_norm=0.25
)
UPDATES = 2000
MEAN_OVER = 50  # updates of a point of the curves
CHECKED = 20  # updates between two comparisons of the gradients


class Line(NamedTuple):
    """The code that is struck out, in one line of the file, and what is there instead."""

    code: str
    instead: str


STRUCK_LINES = {
    "carry": Line("if self.h is None or not self.stateful:", "if True:"),
    "future": Line("backward(dhs[:, t] + dh)", "backward(dhs[:, t])"),
    "slope": Line("dh_next * (1 - h_next**2)", "dh_next"),
    "rows": Line("np.sum(dt, axis=0)", "dt[0]"),
    "mean": Line("(dx / len(dx)).reshape", "dx.reshape"),
    "clip": Line("self.clip_grads()", "pass"),
}


@dataclass(frozen=True, eq=False)
class Struck:
    """``perplexities``: of both networks, the right one first, over ``MEAN_OVER`` updates each; inf from an overflow on.

    ``errors``: the relative error |g' - g| / |g| of the gradient without the line, the median over training, for all weights
    together (""), and by the name of the weight. Of the gradient as it is before clipping, unless clipping is the line.
    ``clipped``: the share of the right network's gradients that are longer than the clip norm. Of the gradients one in
    ``CHECKED`` is looked at.
    """

    name: str
    perplexities: Float[np.ndarray, "2 points"]
    errors: dict[str, float]
    clipped: float


def layers_without(name: str) -> ModuleType:
    """The file ``simple_rnnlm.py`` as a module of its own, without one line; "": as it is."""
    lines = inspect.getsource(simple_rnnlm).splitlines()
    if name:
        n, _code, instead = struck_code(name)
        lines[n - 1] = instead
    module = ModuleType(f"simple_rnnlm_without_{name}")
    exec(
        compile("\n".join(lines), module.__name__, "exec"), module.__dict__
    )  # this repository's own file: nobody's text is executed
    return module


def struck_code(name: str) -> tuple[int, str, str]:
    """The number of a line in the file, the line, and the line that is there instead; ``ValueError`` unless it is one line."""
    struck = STRUCK_LINES[name]
    found = [(n, line) for n, line in enumerate(inspect.getsource(simple_rnnlm).splitlines(), 1) if struck.code in line]
    if len(found) != 1:
        raise ValueError(f"{struck.code!r} is not in one line of the file.")
    n, line = found[0]
    return n, line, line.replace(struck.code, struck.instead)


def struck(name: str, corpus: Corpus, updates: int = UPDATES) -> Generator[float, None, Struck]:
    """Train with and without the line; yields the share that is done. ``updates``: a multiple of ``MEAN_OVER``."""
    first = Trainer(STRUCK_SETTINGS, corpus).params.named()
    weights, modules = [first[weight] for weight in WEIGHTS], [layers_without(""), layers_without(name)]
    rate, norm = STRUCK_SETTINGS.learning_rate, STRUCK_SETTINGS.clip_norm
    right, wrong = (_trainer(module, weights, corpus, rate, norm) for module in modules)
    probes = [_trainer(module, weights, corpus, 0.0, norm if name == "clip" else 0.0) for module in modules]
    right.places, places = tee(right.places)
    losses, gradients = np.full((2, updates), np.inf), []
    with np.errstate(all="ignore"):
        for update, place in zip(range(updates), places, strict=False):
            if update % CHECKED == 0:
                gradients.append([_gradient(probe, right.model, place) for probe in probes])
            losses[0, update] = next(right)
            if update == 0 or np.isfinite(losses[1, update - 1]):  # weights that have overflowed stay so
                loss = next(wrong)
                losses[1, update] = loss if np.isfinite(loss) else np.inf
            yield update / updates
        errors = np.median([_errors(*both) for both in gradients], axis=0).tolist()
    means = losses.reshape(2, -1, MEAN_OVER).mean(axis=2)
    lengths = np.array([_length(both[name == "clip"]) for both in gradients])
    clipped = float(np.mean(lengths > norm))
    return Struck(name, np.vectorize(perplexity_of)(means), dict(zip(("", *WEIGHTS), errors, strict=True)), clipped)


def _trainer(module: ModuleType, weights: Sequence[np.ndarray], corpus: Corpus, rate: float, max_grad: float) -> Any:
    text, (N, T) = corpus.train, (STRUCK_SETTINGS.batch_size, STRUCK_SETTINGS.num_steps)
    model = module.SimpleRnnlm(*(weight.copy() for weight in weights))
    return module.RnnlmTrainer(model, text.inputs, text.targets, N, T, rate, max_grad)


def _gradient(probe: Any, model: Any, place: np.ndarray) -> list[np.ndarray]:
    """The gradient that ``probe`` would update by, with the weights and the state of ``model``, in the window at ``place``."""
    for own, weight in zip(probe.model.params, model.params, strict=True):
        own[...] = weight
    probe.model.rnn_layer.set_state(model.rnn_layer.h)
    probe.places = iter([place])
    next(probe)
    return [grad.copy() for grad in probe.model.grads]


def _length(gradient: Sequence[np.ndarray]) -> float:
    return float(np.sqrt(sum(np.sum(part**2) for part in gradient)))


def _errors(right: Sequence[np.ndarray], without: Sequence[np.ndarray]) -> list[float]:
    """|g' - g| / |g| of all weights together, and of each."""
    wrong = [w - r for r, w in zip(right, without, strict=True)]
    parts = [np.linalg.norm(w) / np.linalg.norm(r) for r, w in zip(right, wrong, strict=True)]
    return [_length(wrong) / _length(right), *parts]
