"""A checkpoint becomes a run that goes on: the arrays are what they have to be, the text is still to be compared."""

import math
import platform
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from jaxtyping import Float

from core.models.loss import perplexity_of
from core.text.corpus import Corpus
from core.training.checkpoint.checkpoint import AT_ODDS, Checkpoint, identity, or_at_odds
from core.training.checkpoint.encoding import pack_texts, texts_of, value_of
from core.training.checkpoint.schema import LIVE
from core.training.curves import Curve, Epochs, Point
from core.training.held_out import HeldOut
from core.training.history import RADIUS, Flag, History
from core.training.run.monitored_trainer import Watched
from core.training.snapshots import Moment, Moments
from core.training.tbptt import Trainer, Update

Arrays = Mapping[str, np.ndarray]


def resumed(checkpoint: Checkpoint, corpus: Corpus) -> Watched:
    """The run, ready to go on bit for bit. ``ValueError`` with a sentence where ``corpus`` is not the text it learns."""
    _check_text(checkpoint, corpus)
    _check_places(checkpoint, len(corpus.train))
    arrays, trainer = checkpoint.arrays, Trainer(checkpoint.settings, corpus)
    flat = np.concatenate([arrays[f"params.{name}"].reshape(-1) for name in trainer.params.named()])
    trainer.restore(_state({**arrays, "params": flat}, trainer.state()))
    history, held_out = _history(checkpoint, trainer), HeldOut(checkpoint.begun_with, corpus)
    run = Watched(trainer, corpus, held_out, history, float(arrays["seconds"]), _update(trainer, arrays["last"]))
    run.refresh()
    return run


def _check_text(checkpoint: Checkpoint, corpus: Corpus) -> None:
    vocabulary = pack_texts("vocabulary", corpus.tokenizer.vocab)
    same = all(np.array_equal(checkpoint.arrays[name], array) for name, array in vocabulary.items())
    if same and checkpoint.text_sha256 == identity(corpus):
        return
    if checkpoint.settings.corpus == "python_manual":
        raise ValueError(
            f"This run learns the manual of Python {checkpoint.python[:20]}. Here is Python {platform.python_version()}, whose "
            "manual is another text. Open the run where that Python is."
        )
    raise ValueError("This run learns another text than the one that its settings give here, so it cannot go on.")


def _check_places(checkpoint: Checkpoint, length: int) -> None:
    """``ValueError`` unless every state is as far in the text as its updates have read."""
    arrays, T = checkpoint.arrays, checkpoint.settings.num_steps
    if not all(np.all(arrays[f"{of}position"] == arrays[f"{of}step"] * T % length) for of in ("", "moments.")):
        raise ValueError(AT_ODDS.format("position"))


def _state(arrays: Arrays, names: Iterable[str], row: tuple[int, ...] = (), beginning: str = "") -> dict[str, Any]:
    """What the trainer can restore, copied: all of the arrays, or one row of each."""
    state = {name: np.array(arrays[f"{beginning}{name}"][row]) for name in names}
    return state | {name: int(state[name]) for name in ("step", "position")}


def _point(trainer: Trainer, update: float, seconds: float, nats: float) -> Point:
    T, N = trainer.settings.num_steps, trainer.settings.batch_size
    return Point(int(update), int(update) * N * T, seconds, nats, int(update) / trainer.updates_per_epoch)


def _update(trainer: Trainer, numbers: Float[np.ndarray, " last"]) -> Update | None:
    step, loss, before, after, rate = numbers.tolist()
    if math.isnan(step):
        return None
    at = _point(trainer, step, 0.0, loss)
    return Update(at.update, at.epoch, at.tokens, loss, perplexity_of(loss), before, after, rate)


def _history(checkpoint: Checkpoint, trainer: Trainer) -> History:
    """What was seen. Without the newest judgement, which a run that begins makes anew."""
    arrays, training, epochs = checkpoint.arrays, Curve(), Epochs(trainer.updates_per_epoch)
    training.points, training.smooth = _points(arrays, "training", trainer), arrays["training.smooth"].tolist()
    epochs.points = _points(arrays, "epochs", trainer)
    for curve, name in ((training, "training"), (epochs, "epochs")):
        losses, number = arrays[f"{name}.filling"].tolist()
        curve.filling = losses, int(number)
    with or_at_odds("flags"):
        flags = _flags(arrays, trainer)
    moves = [flags[i] for i in arrays["moves"].tolist()]
    return History(epochs, _moments(checkpoint, trainer), training, _points(arrays, "judged", trainer)[:-1], flags, moves)


def _points(arrays: Arrays, name: str, trainer: Trainer) -> list[Point]:
    columns = (arrays[f"{name}.{column}"].tolist() for column in ("updates", "seconds", "nats"))
    return [_point(trainer, *row) for row in zip(*columns, strict=True)]


def _flags(arrays: Arrays, trainer: Trainer) -> list[Flag]:
    names, values = texts_of("flags.names", arrays), arrays["flags.values"].tolist()
    columns = arrays["flags.updates"].tolist(), arrays["flags.seconds"].tolist(), names, values
    return [_flag(_point(trainer, at, seconds, 0.0), name, *both) for at, seconds, name, both in zip(*columns, strict=True)]


def _flag(point: Point, name: str, old: float, new: float) -> Flag:
    return Flag(point, name, _moved(name, old), _moved(name, new))


def _moved(name: str, number: float) -> Any:
    """A value that a flag tells of."""
    if name == RADIUS and 0 <= number < math.inf:
        return number
    if name not in LIVE:
        raise ValueError(f"{name} is no knob.")
    return value_of(name, number)


def _moments(checkpoint: Checkpoint, trainer: Trainer) -> Moments:
    moments = Moments(trainer.params.flat.nbytes)
    with or_at_odds("moments"):
        samples = texts_of("moments.samples", checkpoint.arrays)
    for i, sample in enumerate(samples):
        moments.add(_moment(checkpoint, trainer, i, sample))
    return moments


def _moment(checkpoint: Checkpoint, trainer: Trainer, i: int, sample: str) -> Moment:
    arrays = checkpoint.arrays
    state, last = _state(arrays, trainer.state(), (i,), "moments."), _update(trainer, arrays["moments.last"][i])
    point = _point(trainer, state["step"], float(arrays["moments.seconds"][i]), last.loss if last else math.nan)
    moment = Moment.of(trainer.params, state, point, checkpoint.knobs_of(i), last)
    return replace(moment, sample=sample or None, before_move=bool(arrays["moments.before_move"][i]))
