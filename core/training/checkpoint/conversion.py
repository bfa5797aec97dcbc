"""Conversion of a run to a checkpoint and back. The arrays of a checkpoint are already checked; its text is checked here."""

import math
import platform
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from core.config.language import gettext as _, lazy_gettext
from core.text.corpus import Corpus, source_of
from core.training.checkpoint.checkpoint import CONTRADICTION, Checkpoint, identity, report_contradiction
from core.training.checkpoint.schema import LIVE, MOST_SEEN, OF_RUN, Arrays, arrays_of, pack_texts, rows_of, value_of
from core.training.curves import Curve, Epochs, Point, thin
from core.training.held_out import HeldOut
from core.training.history import RADIUS, Flag, History
from core.training.run.monitored_trainer import MonitoredTrainer
from core.training.snapshots import Moment, Moments, longest_sample
from core.training.tbptt import Trainer, Update

OVERFLOWED = lazy_gettext(
    "The numbers of this network have overflowed, so it cannot be saved. Do one update more: the run goes back to where it was "
    "sound."
)


def to_checkpoint(run: MonitoredTrainer, own_text: str = "") -> Checkpoint:
    """The checkpoint of a run, which is judged first; ``own_text`` is the reader's own text, if the run learns it.

    Call it between two updates only. Pending networks are not saved: judge them before (``evaluate_pending``).
    ``ValueError`` with a sentence if the network's numbers are not finite.
    """
    run.evaluate()
    now, history, moments = run.now(), run.history, run.history.moments.kept
    if not all(np.isfinite(part).all() for part in now.state.values()):
        raise ValueError(_(OVERFLOWED))
    rows = {
        "judged": thin(history.judged, MOST_SEEN - 1),
        "training": history.training.points,
        "epochs": history.epochs.points,
        "flags": history.flags,
        "moments": moments,
    }
    arrays = {
        **{f"params.{name}": weights for name, weights in now.params.named().items()},
        **{name: np.asarray(part) for name, part in now.state.items() if name != "params"},
        **{f"moments.{name}": np.stack([moment.state[name] for moment in moments]) for name in moments[0].state},
        **{name: np.array(value(now, history), dtype) for name, value, dtype, *_ in OF_RUN},
        **pack_texts("vocabulary", run.corpus.tokenizer.vocab),
        **pack_texts("text", [own_text] if source_of(run.settings).from_reader else []),
    }
    for table, of_table in rows.items():
        arrays |= arrays_of(table, of_table)
    return Checkpoint(run.settings, arrays, identity(run.corpus), platform.python_version())


def from_checkpoint(checkpoint: Checkpoint, corpus: Corpus) -> MonitoredTrainer:
    """The run, which continues bit for bit. ``ValueError`` with a sentence if ``corpus`` is not the text it learns."""
    _check_text(checkpoint, corpus)
    _check_places(checkpoint, len(corpus.train))
    arrays, trainer = checkpoint.arrays, Trainer(checkpoint.settings, corpus)
    flat = np.concatenate([arrays[f"params.{name}"].reshape(-1) for name in trainer.params.named()])
    trainer.restore(_state({**arrays, "params": flat}, trainer.state()))
    history, held_out = _history(checkpoint, trainer, longest_sample(corpus.tokenizer)), HeldOut(checkpoint.begun_with, corpus)
    run = MonitoredTrainer(trainer, corpus, held_out, history, float(arrays["seconds"]), _update(*arrays["last"].tolist()))
    run.resample()
    return run


def _check_text(checkpoint: Checkpoint, corpus: Corpus) -> None:
    vocabulary = pack_texts("vocabulary", corpus.tokenizer.vocab)
    same = all(np.array_equal(checkpoint.arrays[name], array) for name, array in vocabulary.items())
    if same and checkpoint.text_sha256 == identity(corpus):
        return
    if checkpoint.settings.corpus == "python_manual":
        raise ValueError(
            _(
                "This run learns the manual of Python {theirs}. Here is Python {ours}, whose manual is another text. "
                "Open the run where that Python is.",
                theirs=checkpoint.python[:20],
                ours=platform.python_version(),
            )
        )
    raise ValueError(_("This run learns another text than the one that its settings give here, so it cannot go on."))


def _check_places(checkpoint: Checkpoint, length: int) -> None:
    """``ValueError`` unless the position of every state in the text follows from its number of updates."""
    arrays, T = checkpoint.arrays, checkpoint.settings.num_steps
    if not all(np.all(arrays[f"{of}position"] == arrays[f"{of}step"] * T % length) for of in ("", "moments.")):
        raise ValueError(_(CONTRADICTION, part="position"))


def _state(arrays: Arrays, names: Iterable[str], row: tuple[int, ...] = (), beginning: str = "") -> dict[str, Any]:
    """A state that the trainer can restore: copies of the arrays, or of one row of each."""
    state = {name: np.array(arrays[f"{beginning}{name}"][row]) for name in names}
    return state | {name: int(state[name]) for name in ("step", "position")}


def _update(step: float, *values: float) -> Update | None:
    return None if math.isnan(step) else Update(int(step), *values)


def _history(checkpoint: Checkpoint, trainer: Trainer, longest: int) -> History:
    """The history of the run, without the newest judgement: a run makes that again when it is created."""
    arrays, training, epochs = checkpoint.arrays, Curve(), Epochs(trainer.updates_per_epoch)
    training.points, training.smooth = _points(arrays, "training", trainer), arrays["training.smooth"].tolist()
    epochs.points = _points(arrays, "epochs", trainer)
    for curve, name in ((training, "training"), (epochs, "epochs")):
        losses, number = arrays[f"{name}.filling"].tolist()
        curve.filling = losses, int(number)
    with report_contradiction("flags"):
        flags = [
            Flag(trainer.point(0.0, seconds, update), name, _moved(name, old), _moved(name, new))
            for update, seconds, (old, new), name in rows_of("flags", arrays)
        ]
    moves, moments = [flags[i] for i in arrays["moves"].tolist()], _moments(checkpoint, trainer, longest)
    return History(epochs, moments, training, _points(arrays, "judged", trainer)[:-1], flags, moves)


def _points(arrays: Arrays, name: str, trainer: Trainer) -> list[Point]:
    return [trainer.point(nats, seconds, update) for update, seconds, nats in rows_of(name, arrays)]


def _moved(name: str, number: float) -> Any:
    """The value of a flag, from its number. ``ValueError`` if it is not valid."""
    if name == RADIUS and 0 <= number < math.inf:
        return number
    if name not in LIVE:
        raise ValueError(_("{name} is no knob.", name=name))
    return value_of(name, number)


def _moments(checkpoint: Checkpoint, trainer: Trainer, longest: int) -> Moments:
    """The moments. A sample of more than ``longest`` characters cannot be from a network: it is dropped and generated again."""
    arrays, moments = checkpoint.arrays, Moments(trainer.params.flat.nbytes)
    names = tuple(trainer.state())
    with report_contradiction("moments"):
        rows = rows_of("moments", arrays)
    for i, (seconds, numbers, _name, before_move, sample) in enumerate(rows):
        state, last = _state(arrays, names, (i,), "moments."), _update(*numbers)
        point = trainer.point(last.loss if last else math.nan, seconds, state["step"])
        moment = Moment.of(trainer.params, state, point, checkpoint.knobs_of(i), last)
        written = sample if 0 < len(sample) <= longest else None
        moments.add(replace(moment, sample=written, before_move=bool(before_move)))
    return moments
