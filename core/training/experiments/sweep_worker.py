"""A slice: some tenths of a second of training, in whichever process is free.

Between slices a network is what its trainer needs to go on bit for bit, so neither what it learns nor where its curve has points
depends on how the time was cut.
"""

import hashlib
import os
import signal
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

from core.config.language import lazy_gettext, message_of
from core.config.settings import TEXT_FIELDS, Settings
from core.text.corpus import Corpus, load_corpus, source_of
from core.training.curves import Point
from core.training.held_out import MAX_TOKENS, HeldOut, Judgement, next_step
from core.training.tbptt import Diverged, Trainer

LENGTH = 0.3  # seconds: cancelling takes no longer
NICENESS = 10  # pages have priority
LOOKS = 1.0  # seconds between two checks whether the parent process is alive
JUDGEMENTS = 12  # of a network at least, where its updates are known before
TEXTS = 12  # that a process remembers
NO_MEMORY = lazy_gettext("There is no memory left for this network.")
Ended = Literal["", "finished", "diverged", "failed"]


class Budget(NamedTuple):
    """What a network may spend: so many tokens, or so many seconds of computing. One of the two."""

    tokens: int = 0
    seconds: float = 0.0

    def share(self, tokens: int, seconds: float) -> float:
        """How much of it is spent, from 0 to 1."""
        return min(tokens / self.tokens if self.tokens else seconds / self.seconds, 1.0)

    def next_judgement(self, settings: Settings, step: int, cost: float) -> int:
        """The update of the next judgement after one at ``step``, each as dear as ``cost`` updates: as of any run; of a budget of
        tokens there are ``JUDGEMENTS`` at least."""
        updates = self.tokens // (settings.batch_size * settings.num_steps)
        due = next_step(step, cost)
        return min(due, step + max(updates // JUDGEMENTS, 1)) if self.tokens else due


class Member(NamedTuple):
    """A network that is trained in slices, as it is after the last one.

    ``points``: its held-out losses, the first of the untrained network. ``state``: what its trainer goes on from; None before the
    first slice, and when it has ``ended``, of which ``message`` is a sentence where it needs one. ``seconds`` of computing.
    ``frozen``: the weights that are not trained. ``judgement`` is the newest.
    """

    settings: Settings
    points: tuple[Point, ...] = ()
    state: Mapping[str, Any] | None = None
    step: int = 0
    tokens: int = 0
    seconds: float = 0.0
    due: int = 0  # the update after which it is judged next
    ended: Ended = ""
    message: str = ""
    frozen: tuple[str, ...] = ()
    judgement: Judgement | None = None

    @property
    def reached(self) -> Point | None:
        """The newest judgement."""
        return self.points[-1] if self.points else None


class Text(NamedTuple):
    """The reader's own text: its name, and the text itself where it is handed over."""

    name: str = ""
    words: str = ""

    @classmethod
    def of(cls, words: str) -> "Text":
        """A text under a name that no other has; none is called nothing."""
        return cls(hashlib.sha256(words.encode("utf-8", "surrogatepass")).hexdigest() if words else "", words)


_texts: OrderedDict[tuple[Any, ...], Corpus] = OrderedDict()  # of this process, the newest last


def train_slice(member: Member, budget: Budget, text: Text, judged: int = MAX_TOKENS) -> Member | None:
    """The network after another slice, with only the new ``points``; None where this process does not have the reader's text yet.

    ``judged``: number of held-out tokens. Where training fails, it has ``ended``, and ``message`` is the error message.
    """
    try:
        corpus = _corpus(member.settings, text)
        return corpus and _train(member, budget, corpus, judged)
    except (ValueError, MemoryError) as error:
        return member._replace(points=(), state=None, ended="failed", message=message_of(error) or NO_MEMORY)


def init_worker(parent: int) -> None:
    """Initialise a worker process: low priority, and exit with the parent process."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, lambda *_: None if os.getppid() == parent else os._exit(0))
        signal.setitimer(signal.ITIMER_REAL, LOOKS, LOOKS)


def _corpus(settings: Settings, text: Text) -> Corpus | None:
    """The text of these settings, loaded once; None where it is the reader's and was not handed over yet."""
    source = source_of(settings)
    fields = [getattr(settings, name) for name in TEXT_FIELDS if name != "seed" or not source.cleaned]
    key = (*fields, text.name if source.from_reader else "")
    if key not in _texts:
        if source.from_reader and text.name and not text.words:
            return None
        _texts[key] = load_corpus(settings, text.words)
    _texts.move_to_end(key)
    while len(_texts) > TEXTS:
        _texts.popitem(last=False)
    return _texts[key]


def _train(member: Member, budget: Budget, corpus: Corpus, judged: int) -> Member:
    """Updates until the slice is over or the budget spent, and judgements as often as of any run."""
    trainer, held_out = Trainer(member.settings, corpus, member.frozen), HeldOut(member.settings, corpus, judged)
    if member.state:
        trainer.restore(member.state)
    points, judgement, due, ended, message = [], member.judgement, member.due, "", ""

    def judge() -> Judgement:
        judgement = held_out.judgement(trainer.params, trainer.settings)
        done = trainer.step / trainer.updates_per_epoch
        points.append(Point(trainer.step, trainer.tokens, seconds(), judgement.nats, done))
        return judgement

    until, seconds = time.monotonic() + LENGTH, _seconds_from(member.seconds)
    if not member.state:
        judgement = judge()
    try:
        while True:
            next(trainer)
            ended = "finished" if budget.share(trainer.tokens, seconds()) >= 1 else ""
            if ended or trainer.step >= due:
                judgement = judge()
                due = budget.next_judgement(member.settings, trainer.step, held_out.cost)
            if ended or time.monotonic() >= until:
                break
    except Diverged as error:
        ended, message = "diverged", message_of(error)
    return member._replace(
        points=tuple(points),
        state=None if ended else trainer.state(),
        step=trainer.step,
        tokens=trainer.tokens,
        seconds=seconds(),
        due=due,
        ended=ended,
        message=message,
        judgement=judgement,
    )


def _seconds_from(before: float) -> Callable[[], float]:
    """A clock of this thread's computing: how busy the machine is otherwise does not count."""
    began = time.thread_time() - before
    return lambda: time.thread_time() - began
