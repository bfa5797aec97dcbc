"""Conversion of a run to a checkpoint and back. A checkpoint is already checked; its text is checked here."""

import math
import platform
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from jaxtyping import Float

from core.config.language import gettext as _, lazy_gettext
from core.config.settings import KNOBS
from core.text.corpus import Corpus, source_of
from core.training.checkpoint.checkpoint import KEPT, TEXT, Checkpoint, contradiction, require
from core.training.curves import Curve, Epochs, Point, thin
from core.training.held_out import HeldOut
from core.training.history import RADIUS, Flag, History
from core.training.memory import MOST_MOMENTS
from core.training.run.monitored_trainer import MonitoredTrainer
from core.training.snapshots import Moment, Moments, longest_sample
from core.training.tbptt import Trainer, Update

OVERFLOWED = lazy_gettext(
    "The numbers of this network have overflowed, so it cannot be saved. Do one update more: the run goes back to where it was "
    "sound."
)
LIVE = tuple(name for name, knob in KNOBS.items() if knob.kind == "live")
MOST_POINTS = 2**14  # of a curve
MOST_FLAGS = 2**13  # a move every two seconds for four hours; each is a mark in a chart that is sent five times a second
MOST_DRAGGED = 2**16  # values of dragged knobs: ten a second for two hours
MOST_SAMPLE = 4000  # characters
MOST_UPDATES = 10**12  # 300 years at 100 a second; from 10**14 on, two updates can coincide on a logarithmic axis
COUNTS = ("step", "position")  # the parts of a trainer's state that are no arrays; the position follows from the step


def to_checkpoint(run: MonitoredTrainer, own_text: str = "") -> Checkpoint:
    """The checkpoint of a run, which is judged first; ``own_text`` is the reader's own text, if the run learns it.

    Call it between two updates only.
    ``ValueError`` with a sentence if the network's numbers are not finite.
    """
    run.evaluate()
    now, moments = run.now(), run.history.moments.kept
    if not all(np.isfinite(part).all() for part in now.state.values()):
        raise ValueError(_(OVERFLOWED))
    flags = run.history.flags
    for held, most in ((len(flags), MOST_FLAGS), (sum(len(flag.values) for flag in flags), MOST_DRAGGED)):
        if held > most:
            raise ValueError(_("A file holds at most {n} moves of knobs; this run has more.", n=most))
    text = {TEXT: np.frombuffer(own_text.encode("utf-8", "surrogatepass"), np.uint8)}
    arrays = {
        **{f"params.{name}": weights for name, weights in now.params.named().items()},
        **{name: part for name, part in now.state.items() if name not in ("params", *COUNTS)},
        **{f"moments.{name}": np.stack([moment.state[name] for moment in moments]) for name in now.state if name not in COUNTS},
        **(text if source_of(run.settings).from_reader else {}),
    }
    document = {
        "settings": {name: getattr(run.settings, name) for name in KEPT},
        "text_sha256": run.corpus.identity,
        "python": platform.python_version(),
        **_of_moment(now),
        **_of_history(run.history),
    }
    return Checkpoint(document, arrays)


def _of_moment(moment: Moment) -> dict[str, Any]:
    return {"step": moment.update, "seconds": moment.point.seconds, "last": moment.last and list(moment.last)}


def _of_history(history: History) -> dict[str, Any]:
    moves = set(map(id, history.moves))
    return {
        "judged": _rows(thin(history.judged, MOST_POINTS - 1)),
        "training": _rows(history.training.points),
        "smooth": list(history.training.smooth),
        "training_filling": list(history.training.filling),
        "epochs": _rows(history.epochs.points),
        "epochs_filling": list(history.epochs.filling),
        "flags": [
            [flag.point.update, flag.point.seconds, flag.name, flag.old, flag.new, list(map(list, flag.values))]
            for flag in history.flags
        ],
        "moves": [i for i, flag in enumerate(history.flags) if id(flag) in moves],  # those that can be undone
        "moments": [
            {
                **_of_moment(moment),
                "knobs": {name: getattr(moment.settings, name) for name in LIVE},
                "before_move": moment.before_move,
                "sample": moment.sample if moment.sample and len(moment.sample) <= MOST_SAMPLE else "",
            }
            for moment in history.moments.kept
        ],
    }


def _rows(points: list[Point]) -> list[list[float]]:
    return [[point.update, point.seconds, point.nats] for point in points]


def from_checkpoint(checkpoint: Checkpoint, corpus: Corpus) -> MonitoredTrainer:
    """The run, which continues bit for bit. ``ValueError`` with a sentence if ``corpus`` is not the text it learns, or the file
    contradicts itself."""
    _check_text(checkpoint, corpus)
    document, trainer = checkpoint.document, Trainer(checkpoint.settings, corpus)
    with contradiction("state"):
        (step,), (seconds,) = _steps(document["step"], MOST_UPDATES), _numbers(document["seconds"], 1).tolist()
        arrays = {name: checkpoint.arrays[name] for name in trainer.state() if name not in ("params", *COUNTS)}
        weights = [checkpoint.arrays[f"params.{name}"].reshape(-1) for name in trainer.params.named()]
        trainer.restore(_state(arrays | {"params": np.concatenate(weights)}, step, trainer, len(corpus.train)))
        last = _update(document["last"])
    history = replace(_history(document, trainer), moments=_moments(checkpoint, trainer, corpus))
    run = MonitoredTrainer(trainer, corpus, HeldOut(checkpoint.begun_with, corpus), history, seconds, last)
    run.resample()
    return run


def _check_text(checkpoint: Checkpoint, corpus: Corpus) -> None:
    if checkpoint.document.get("text_sha256") == corpus.identity:
        return
    if checkpoint.settings.corpus == "python_manual":
        raise ValueError(
            _(
                "This run learns the manual of Python {theirs}. Here is Python {ours}, whose manual is another text. "
                "Open the run where that Python is.",
                theirs=str(checkpoint.document.get("python"))[:20],
                ours=platform.python_version(),
            )
        )
    raise ValueError(_("This run learns another text than the one that its settings give here, so it cannot go on."))


def _history(document: Mapping[str, Any], trainer: Trainer) -> History:
    """The history of the run without its moments and the newest judgement: a run makes that again when it is created."""
    training, epochs = Curve(), Epochs(trainer.updates_per_epoch)
    judged, training.points, epochs.points = (_points(document, curve, trainer) for curve in ("judged", "training", "epochs"))
    with contradiction("judged"):
        require(judged[0].update == 0 and judged[-1].update == document["step"])
    with contradiction("curves"):
        training.smooth = _numbers(document["smooth"], len(training.points)).tolist()
        for curve, filling in ((training, "training_filling"), (epochs, "epochs_filling")):
            total, number = _numbers(document[filling], 2)
            curve.filling = float(total), int(number)
    with contradiction("flags"):
        require(len(document["flags"]) <= MOST_FLAGS)
        require(sum(len(values) for *_rest, values in document["flags"]) <= MOST_DRAGGED)
        flags = [_flag(trainer, *flag) for flag in document["flags"]]
        moves = [flags[i] for i in _steps(document["moves"], len(flags) - 1, strictly=True)]
    return History(epochs, Moments(trainer.params.flat.nbytes), training, judged[:-1], flags, moves)


def _points(document: Mapping[str, Any], curve: str, trainer: Trainer) -> list[Point]:
    with contradiction(curve):
        rows = np.array(document[curve], np.float64).reshape(-1, 3)
        require(len(rows) <= MOST_POINTS)
        steps, seconds = _steps(rows[:, 0], document["step"]), _numbers(rows[:, 1], len(rows)).tolist()
        nats = rows[:, 2]  # a judgement is infinite or nan where a network has overflowed
        require(not (nats < 0).any() and (curve == "judged" or np.isfinite(nats).all()))
        return [trainer.point(*point) for point in zip(nats.tolist(), seconds, steps, strict=True)]


def _flag(trainer: Trainer, update: int, seconds: float, name: str, old: Any, new: Any, values: list[list[Any]]) -> Flag:
    """The flag with these values. ``ValueError`` if one is not valid."""
    dragged = dict(values)
    for value in (old, new, *dragged.values()):
        if name == RADIUS:
            _numbers(value, 1)
        else:
            require(name in LIVE)
            KNOBS[name].check(value)
    updates, taken = _steps(list(dragged), MOST_UPDATES, strictly=True), list(dragged.values())
    require(not dragged or (updates[0], taken[-1]) == (update, new))
    point = trainer.point(0.0, *_numbers(seconds, 1).tolist(), *_steps(update, MOST_UPDATES))
    return Flag(point, name, old, new, tuple(zip(updates, taken, strict=True)))


def _moments(checkpoint: Checkpoint, trainer: Trainer, corpus: Corpus) -> Moments:
    """The moments. A sample longer than any of this network is dropped and generated again."""
    document, moments, longest = checkpoint.document, Moments(trainer.params.flat.nbytes), longest_sample(corpus.tokenizer)
    stacked = {name: checkpoint.arrays[f"moments.{name}"] for name in trainer.state() if name not in COUNTS}
    with contradiction("moments"):
        rows = document["moments"]
        require(0 < len(rows) == len(stacked["params"]) <= MOST_MOMENTS)
        steps = _steps([row["step"] for row in rows], document["step"], strictly=True)
        require(steps[0] == 0)
        for i, (step, row) in enumerate(zip(steps, rows, strict=True)):
            settings, last, sample = checkpoint.settings.moved(**row["knobs"]), _update(row["last"]), str(row["sample"])
            state = _state({name: array[i].copy() for name, array in stacked.items()}, step, trainer, len(corpus.train))
            seconds = float(_numbers(row["seconds"], 1)[0])
            point = trainer.point(last.loss if last else math.nan, seconds, step)
            kept = sample if 0 < len(sample) <= min(longest, MOST_SAMPLE) else None
            moment = Moment.of(trainer.params, state, point, settings, last)
            moments.add(replace(moment, sample=kept, before_move=bool(row["before_move"])))
    return moments


def _state(arrays: dict[str, np.ndarray], step: int, trainer: Trainer, length: int) -> dict[str, Any]:
    """A state that the trainer can restore; ``length`` is that of the training text. ``ValueError`` if the optimiser has counted
    other updates."""
    require(arrays.get("optimizer.t", [step]) == [step])
    return arrays | {"step": step, "position": step * trainer.settings.num_steps % length}


def _update(values: Any) -> Update | None:
    if values is None:
        return None
    step, *rest = _numbers(values, len(Update._fields)).tolist()
    return Update(int(step), *rest)


def _numbers(values: Any, length: int) -> Float[np.ndarray, " length"]:
    """Finite numbers that are not negative. ``ValueError`` or ``TypeError`` if they are others."""
    found = np.array(values, np.float64).reshape(length)
    require(((found >= 0) & (found < math.inf)).all())
    return found


def _steps(values: Any, most: int, *, strictly: bool = False) -> list[int]:
    """Ascending whole numbers up to ``most``. ``ValueError`` or ``TypeError`` if they are others."""
    found = np.array(values, np.float64).reshape(-1)
    require(((found >= 0) & (found <= most) & (found == np.floor(found))).all())
    require((np.diff(found) >= strictly).all())
    return found.astype(np.int64).tolist()
