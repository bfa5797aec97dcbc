"""Networks that pages train beside the run: one without a state; small networks of one short text; two that read a text in order
and shuffled, to show how much a carried state gains from the order; and several with different truncation lengths.

Theory: to learn lag-k, a gradient has to reach back k steps; to learn echo-k, k + 1. This is a theorem if every update reads one
block of τ steps and the state is reset. If the state is carried it is not: the state may hold inputs beyond the gradient's reach.

A frozen W_hh shows how much a state remembers without learning. W_hh a frozen rotation, lag-4, windows of 32, five seeds:
perplexity 1.23 to 1.25 with a truncation of 1; 1.22, the best possible, if W_hh is trained. With a frozen identity nothing is
learnt. With one update per block, lengths of 2 and 3 fall as low at first and rise again, to 1.98 at worst: a gradient that is
cut too short moves W_xh and b_h in the wrong direction. With W_xh and b_h frozen as well, all lengths reach 1.23.

On the Python manual by characters (H = 128, windows of 32, rate 0.006, 3 million tokens; held-out perplexity, three seeds)
lengths of 1, 2, 3, 5, 8, 13, 20 and 32 reach 4.90, 4.51, 4.37, 4.35, 4.27, 4.26, 4.24 and 4.24. Seeds differ by up to 0.13:
lengths from 8 on cannot be distinguished.
"""

from collections.abc import Sequence
from dataclasses import replace

from core.config.settings import Settings
from core.models.params import Params
from core.text.corpus import Corpus, Stream, source_of
from core.text.languages import echo_floor, lag_floor
from core.text.randomness import Purpose, generator
from core.text.token_stream import shuffled, whole_windows
from core.text.tokenizer import Tokenizer, learn_vocabulary, split
from core.training.curves import Point
from core.training.held_out import HeldOut
from core.training.run.runnable import Runnable
from core.training.tbptt import Trainer, Update

GAP = 1.2  # ratio of successive judged updates
SGD = Settings(hidden_size=32, optimizer="sgd", cosine_until=0)
# Windows of 5, and every answer is 6 steps back: only a carried state can hold it.
LAG_SETTINGS = SGD.but(
    corpus="lag", lag=6, num_steps=5, init="orthogonal", gain=0.9, input_scale=None, output_scale=0.01, learning_rate=0.1
)
ORDER_UNITS = 64  # hidden units of networks compared on another text, at most
WINDOW = 32  # T of all networks, if only the truncation differs
UNITS = 128  # hidden units of networks whose truncations are compared on another text, at most
COIN_PERPLEXITY = 2.0  # the perplexity of a fair coin
ON_TEXT = (1, 2, 3, 5, 8, 13, 20, 32)
# W_hh begins as the identity. With a truncation of k - 1, inputs that the state holds at first are lost again: perplexity 2.1 or
# more after 600 000 tokens of lag-4 with one update per block (12 of 12 runs; 10 were below 1.5 in between).
TASK_RECIPE = SGD.but(batch_size=32, init="identity", input_scale=0.5, output_scale=None, learning_rate=1.0)
# W_hh begins as a rotation, which preserves old inputs: a reservoir that the output layer learns to read.
RESERVOIR = TASK_RECIPE.but(init="orthogonal", input_scale=None, learning_rate=0.1)
WORK = 2.5e10  # multiplications of the output layer and the input layer for a network without a state: about two seconds
FEWEST, MOST = 20, 800  # updates of that network


def trainer_without_state(settings: Settings, corpus: Corpus) -> Trainer:
    """A trainer of the network without a hidden state (D2L equations 8.4.3 and 8.4.4): W_hh is 0, and is not trained.

    All else is as in the recurrent network with these settings: first weights, windows, and updates.
    """
    return Trainer(settings.but(gain=0.0, carry_state=False, truncation=1), corpus, frozen=("W_hh",))


def updates_worth(settings: Settings, vocab_size: int) -> int:
    """The number of updates of the network without a state that cost ``WORK``: equal on every machine."""
    tokens, H, D = settings.batch_size * settings.num_steps, settings.hidden_size, settings.embedding_size
    return int(min(max(WORK / (3 * tokens * H * (vocab_size + D)), FEWEST), MOST))


def small_network(text: str, settings: Settings, updates: int, *, before: str = "") -> tuple[Params, Tokenizer]:
    """A network after ``updates`` passes over the whole text, and its tokenizer; equal at every call.

    ``before`` is a text of the same symbols that every pass reads first, so the beginning of the text has a context too.
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
    """An iterator: one item is one update of every trainer. ``judged[name]`` are the held-out losses of a trainer; points are
    only appended, so another thread may copy the list at any time.
    """

    def __init__(self, trainers: dict[str, Trainer], held_out: HeldOut, floor: float | None = None) -> None:
        """``floor``: the best possible perplexity, if it is known."""
        self.trainers = trainers
        self.trainer = next(iter(trainers.values()))  # the first, for the values that all share
        self.held_out = held_out
        self.floor = floor
        self.judged: dict[str, list[Point]] = {name: [] for name in trainers}
        self._due = 0
        self._judge()

    def __next__(self) -> dict[str, Update]:
        """Do one update of every trainer. Raises ``Diverged`` as a trainer does."""
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
    """These settings for the comparison of orders: a small network with short windows and a carried state."""
    return settings.but(
        hidden_size=min(settings.hidden_size, ORDER_UNITS),
        num_steps=LAG_SETTINGS.num_steps,
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
    """The smallest truncation whose gradient reaches the answer."""
    return k + 1 if task == "echo" else k


def lengths(task: str, k: int) -> tuple[int, ...]:
    """The truncations to compare: around the needed one, or ``ON_TEXT`` for a text."""
    if task not in ("lag", "echo"):
        return ON_TEXT
    least = needed(task, k)
    return tuple(sorted({*range(max(least - 3, 1), least + 3), 2 * least}))


def base(settings: Settings, task: str, k: int, *, carried: bool, rotation: bool) -> Settings:
    """The settings that all networks of a sweep share; for a text, ``on_text(settings)``. ``rotation``: W_hh begins as one."""
    if task not in ("lag", "echo"):
        return on_text(settings)
    return (RESERVOIR if rotation else TASK_RECIPE).but(corpus=task, lag=k, carry_state=carried)


def sweep_settings(base: Settings, taus: Sequence[int], seeds: int, *, blocks: bool) -> list[Settings]:
    """The settings of all members, ordered by truncation, then by seed. ``blocks``: one update for each block of τ steps, as
    trainers do; otherwise windows of T = 32 for all."""
    return [base.but(num_steps=tau if blocks else WINDOW, truncation=tau, seed=seed) for tau in taus for seed in range(seeds)]


def on_text(settings: Settings) -> Settings:
    """The settings of a sweep on their text: at most ``UNITS`` hidden units, the state carried. No schedule and no weight decay:
    they depend on the number of updates, and with one update per block, shorter truncations do more of them."""
    return settings.but(hidden_size=min(settings.hidden_size, UNITS), carry_state=True, cosine_until=0, weight_decay=0.0)


def expected(task: str, k: int, taus: Sequence[int], *, blocks: bool, carried: bool) -> list[float]:
    """The theoretical perplexity for each truncation; [] for a text. It is a lower bound if the state is reset and windows are
    blocks; otherwise the value that is reached if the state holds no inputs beyond the gradient's reach."""
    if task not in ("lag", "echo"):
        return []
    best, bound = (echo_floor if task == "echo" else lag_floor)(), source_of(Settings(corpus=task)).floor_with_reset
    learnt = [best if carried else bound(k, tau if blocks else WINDOW) for tau in taus]
    return [value if tau >= needed(task, k) else COIN_PERPLEXITY for tau, value in zip(taus, learnt, strict=True)]
