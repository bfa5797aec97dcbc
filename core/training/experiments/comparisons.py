"""Networks that pages train beside the run: one without a state; small ones of one short text; two that read a text in order and
shuffled, which says what the order is worth to a carried state; and some of which each has another truncation length.

Where theory speaks: to learn lag-k a gradient has to reach back k steps, for echo-k k + 1. With the state carried that is no
theorem, for the state may hold what no gradient asked it to hold; with blocks of their own and the state reset it is one.

How much of that a state remembers by itself is seen where W_hh stays the rotation it began as. Lag-4, windows of 32, five
seeds: 1.23 to 1.25 with a truncation of 1, as against 1.22 where W_hh learns, the best possible. A fixed identity learns nothing.
With blocks of their own, lengths of 2 and 3 fall as low at first and climb again, to 1.98 at worst: a gradient cut too short
moves W_xh and b_h the wrong way. Where those stay as well, all lengths come to 1.23.

On the Python manual by characters (H = 128, windows of 32, rate 0.006, 3 million tokens; held-out perplexity, three seeds)
lengths of 1, 2, 3, 5, 8, 13, 20 and 32 come to 4.90, 4.51, 4.37, 4.35, 4.27, 4.26, 4.24 and 4.24. Seeds differ by up to 0.13:
from 8 on there is nothing to choose. ``python -m benchmarks.sweep --only text`` measures it again.
"""

from collections.abc import Sequence
from dataclasses import replace

from core.config.settings import Settings
from core.models.params import Params
from core.text.corpus import Corpus, Stream, source_of
from core.text.languages import echo_floor, lag_floor
from core.text.streams import Purpose, generator
from core.text.token_stream import shuffled, whole_windows
from core.text.tokenizer import Tokenizer, learn_vocabulary, split
from core.training.curves import Point
from core.training.held_out import HeldOut
from core.training.run.runnable import Runnable
from core.training.tbptt import Trainer, Update

GAP = 1.2  # ratio of successive judged updates
SGD = Settings(hidden_size=32, optimizer="sgd", cosine_until=0)
# Windows of 5, and every answer lies 6 back: only a state that was handed on can know it.
LAG = SGD.but(
    corpus="lag", lag=6, num_steps=5, init="orthogonal", gain=0.9, input_scale=None, output_scale=0.01, learning_rate=0.1
)
ORDER_UNITS = 64  # of networks compared on another text, at most
WINDOW = 32  # T of all, where only the cut differs
UNITS = 128  # of networks whose truncations are compared on another text, at most
COIN = 2.0  # the perplexity of a fair coin
ON_TEXT = (1, 2, 3, 5, 8, 13, 20, 32)
# W_hh begins as the identity. One step short, what the state holds by itself is lost again: after 600 000 tokens of lag-4 with
# blocks of their own 2.1 and more (12 of 12 runs; 10 had been below 1.5 on the way).
RECIPE = SGD.but(batch_size=32, init="identity", input_scale=0.5, output_scale=None, learning_rate=1.0)
# W_hh begins as a rotation, which keeps what came long ago: a reservoir that the output learns to read.
RESERVOIR = RECIPE.but(init="orthogonal", input_scale=None, learning_rate=0.1)
WORK = 2.5e10  # multiplications of the output layer and the input layer for a network without a state: about two seconds
FEWEST, MOST = 20, 800  # updates of it


def trainer_without_state(settings: Settings, corpus: Corpus) -> Trainer:
    """A trainer of the network without a hidden state (D2L equations 8.4.3 and 8.4.4): W_hh is 0, and is not trained.

    All else is as in the recurrent network with these settings: first weights, windows, and updates.
    """
    return Trainer(settings.but(gain=0.0, carry_state=False, truncation=1), corpus, frozen=("W_hh",))


def updates_worth(settings: Settings, vocab_size: int) -> int:
    """Updates of the network without a state that ``WORK`` pays for: the same on every machine."""
    tokens, H, D = settings.batch_size * settings.num_steps, settings.hidden_size, settings.embedding_size
    return int(min(max(WORK / (3 * tokens * H * (vocab_size + D)), FEWEST), MOST))


def small_network(text: str, settings: Settings, updates: int, *, before: str = "") -> tuple[Params, Tokenizer]:
    """A network after ``updates`` readings of the whole text, and what it reads with; the same at every call.

    ``before`` is a text of the same symbols that is read first each time, so that the beginning follows something too.
    """
    vocab, _ = learn_vocabulary(split(text, settings.unit), settings.vocab_cap)
    tokenizer = Tokenizer(vocab, settings.unit)
    ids = tokenizer.encode(before + text)
    corpus = Corpus("a short text", tokenizer, Stream(ids[:-1], ids[1:]), None)
    trainer = Trainer(settings.but(num_steps=len(ids) - 1, batch_size=1, carry_state=False), corpus)
    for _ in range(updates):
        next(trainer)
    return trainer.params.frozen_copy(), tokenizer


class OrderComparison(Runnable):
    """Iterate it: one item is one update of every trainer. ``judged[name]`` is what held-out text says of each, one point after
    another; it grows at its end, so another thread may copy it at any time.
    """

    def __init__(self, trainers: dict[str, Trainer], held_out: HeldOut, floor: float | None = None) -> None:
        """``floor``: the best possible perplexity, where it is known."""
        self.trainers = trainers
        self.trainer = next(iter(trainers.values()))  # the first, for all that is the same for each
        self.held_out = held_out
        self.floor = floor
        self.judged: dict[str, list[Point]] = {name: [] for name in trainers}
        self._due = 0
        self._judge()

    def __next__(self) -> dict[str, Update]:
        """One update each; raises what a trainer raises (``Diverged``)."""
        updates = {name: next(trainer) for name, trainer in self.trainers.items()}
        if self.step >= self._due:
            self._judge()
        return updates

    def release_buffers(self) -> None:
        for trainer in self.trainers.values():
            trainer.release_buffers()

    @property
    def vocab_size(self) -> int:
        """V, the same for all."""
        return self.trainer.params.vocab_size

    def _judge(self) -> None:
        for name, trainer in self.trainers.items():
            nats = self.held_out.judge(trainer.params, trainer.settings)
            self.judged[name].append(Point(trainer.step, trainer.tokens, 0.0, nats))
        self._due = max(self.step + 1, round(GAP * self.step))


def order_settings(settings: Settings) -> Settings:
    """These settings for the comparison of orders: a small network with short windows and its state handed on."""
    return settings.but(
        hidden_size=min(settings.hidden_size, ORDER_UNITS),
        num_steps=LAG.num_steps,
        truncation=None,
        carry_state=True,
        clip_norm=1.0,
    )


def order_comparison(settings: Settings, corpus: Corpus) -> OrderComparison:
    """Fresh trainers "in order" and "shuffled", judged on text in order. ``ValueError`` for a text too short for one window."""
    N, T = settings.batch_size, settings.num_steps
    whole = whole_windows(corpus.train, N, T)
    mixed = shuffled(whole, T, generator(settings.seed, Purpose.DATA))
    in_order, other = replace(corpus, train=whole), replace(corpus, train=mixed)
    trainers = {"in order": Trainer(settings, in_order), "shuffled": Trainer(settings, other)}
    return OrderComparison(trainers, HeldOut(settings, in_order), floor=corpus.floor)


def needed(task: str, k: int) -> int:
    """The least truncation whose gradient reaches the answer."""
    return k + 1 if task == "echo" else k


def lengths(task: str, k: int) -> tuple[int, ...]:
    """The truncations to compare: around the needed one, or those that people speak of."""
    if task not in ("lag", "echo"):
        return ON_TEXT
    least = needed(task, k)
    return tuple(sorted({*range(max(least - 3, 1), least + 3), 2 * least}))


def base(settings: Settings, task: str, k: int, *, carried: bool, rotation: bool) -> Settings:
    """What all networks of a sweep have in common; for a text, a network of ``settings``. ``rotation``: W_hh begins as one."""
    if task not in ("lag", "echo"):
        return on_text(settings)
    return (RESERVOIR if rotation else RECIPE).but(corpus=task, lag=k, carry_state=carried)


def sweep_settings(base: Settings, taus: Sequence[int], seeds: int, *, blocks: bool) -> list[Settings]:
    """The settings of all members, the seeds of a truncation one after another. ``blocks``: an update for each block of τ steps,
    as trainers do; otherwise windows of T = 32 for all."""
    return [base.but(num_steps=tau if blocks else WINDOW, truncation=tau, seed=seed) for tau in taus for seed in range(seeds)]


def on_text(settings: Settings) -> Settings:
    """A sweep on the text of these settings, with a network of theirs that is not too large, and its state carried. Nothing that
    counts updates: with blocks of their own, shorter cuts make more of them."""
    return settings.but(hidden_size=min(settings.hidden_size, UNITS), carry_state=True, cosine_until=0, weight_decay=0.0)


def expected(task: str, k: int, taus: Sequence[int], *, blocks: bool, carried: bool) -> list[float]:
    """What theory says for each truncation, where it says something: a perplexity that none can pass where the state is reset and
    windows are blocks; otherwise what is reached if nothing is learnt that no gradient asked for."""
    if task not in ("lag", "echo"):
        return []
    best, bound = (echo_floor if task == "echo" else lag_floor)(), source_of(Settings(corpus=task)).floor_with_reset
    learnt = [best if carried else bound(k, tau if blocks else WINDOW) for tau in taus]
    return [value if tau >= needed(task, k) else COIN for tau, value in zip(taus, learnt, strict=True)]
