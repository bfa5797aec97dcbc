"""A slice: some tenths of a second of training, in any free process.

Between slices a network is stored as the state from which its trainer continues bit for bit, so neither its weights nor the
points of its curve depend on the length of the slices.
"""

import hashlib
import os
import signal
import time
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from core.config.language import lazy_gettext, message_of
from core.config.settings import TEXT_FIELDS, Settings
from core.text.corpus import Corpus, load_corpus, source_of
from core.training.curves import Point
from core.training.held_out import MAX_JUDGED_TOKENS, HeldOut, Judgement
from core.training.memory import check_memory
from core.training.tbptt import Diverged, Trainer

LENGTH = 0.3  # seconds: cancelling takes no longer
NICENESS = 10  # pages have priority
LOOKS = 1.0  # seconds between two checks whether the parent process is alive
JUDGEMENTS = 12  # of a network at least, if its number of updates is known in advance
TEXTS = 12  # that a process caches
NO_MEMORY = lazy_gettext("There is no memory left for this network.")
Ended = Literal["", "finished", "diverged", "failed"]


class Budget(NamedTuple):
    """The training budget of a network: either a number of tokens or of seconds of computing."""

    tokens: int = 0
    seconds: float = 0.0

    def share(self, tokens: int, seconds: float) -> float:
        """The share of the budget that is spent, from 0 to 1."""
        return min(tokens / self.tokens if self.tokens else seconds / self.seconds, 1.0)

    def next_judgement(self, settings: Settings, step: int, due: int) -> int:
        """The update of the next judgement after one at ``step``, if it is ``due`` in any other run: at least ``JUDGEMENTS`` are
        made for a budget of tokens."""
        updates = self.tokens // (settings.batch_size * settings.num_steps)
        return min(due, step + max(updates // JUDGEMENTS, 1)) if self.tokens else due


class Member(NamedTuple):
    """A network that is trained in slices, after its last slice.

    ``points``: its held-out losses, the first one of the untrained network. ``state``: the state of its trainer; None before the
    first slice and once training has ``ended``. ``message``: the error message if it failed or diverged. ``seconds``: computing
    time. ``frozen``: the weights that are not trained. ``judgement``: the newest one.
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
    """The reader's own text: its name, and the text itself if it is sent to a process."""

    name: str = ""
    words: str = ""

    @classmethod
    def of(cls, words: str) -> "Text":
        """The text with its SHA-256 as name; an empty text has an empty name."""
        return cls(hashlib.sha256(words.encode("utf-8", "surrogatepass")).hexdigest() if words else "", words)


_texts: OrderedDict[tuple[Any, ...], Corpus] = OrderedDict()  # of this process, the last used one at the end


def train_slice(member: Member, budget: Budget, text: Text, judged: int = MAX_JUDGED_TOKENS) -> Member | None:
    """The network after another slice, with only the new ``points``; None where this process does not have the reader's text yet.

    ``judged``: number of held-out tokens. If training fails, ``ended`` is "failed", and ``message`` is the error message.
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
    """The corpus of these settings, cached; None if it is the reader's own text and this process does not have it yet."""
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
    """Do updates until the slice is over or the budget is spent, and judge as often as in any run."""
    check_memory(member.settings, corpus.tokenizer.size)
    trainer, held_out = Trainer(member.settings, corpus, member.frozen), HeldOut(member.settings, corpus, judged)
    if member.state:
        trainer.restore(member.state)
    points, judgement, due, ended, message = [], member.judgement, member.due, "", ""
    until, began = time.monotonic() + LENGTH, time.thread_time() - member.seconds

    def seconds() -> float:
        return time.thread_time() - began  # CPU time: other load on the machine does not count

    def judge() -> Judgement:
        judgement = held_out.judgement(trainer.params, trainer.settings)
        points.append(trainer.point(judgement.nats, seconds()))
        return judgement

    if not member.state:
        judgement = judge()
    try:
        while True:
            next(trainer)
            ended = "finished" if budget.share(trainer.tokens, seconds()) >= 1 else ""
            if ended or trainer.step >= due:
                judgement = judge()
                due = budget.next_judgement(member.settings, trainer.step, held_out.next_update(trainer.step))
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
