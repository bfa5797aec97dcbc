"""Two equal networks, one reading a text in order and one its windows shuffled: what the order is worth to a state handed on."""

from dataclasses import replace

from core.config.settings import Settings
from core.text.corpus import Corpus
from core.text.order import shuffled, whole_windows
from core.text.streams import Purpose, generator
from core.training.experiments.race import Race
from core.training.held_out import HeldOut
from core.training.tbptt import Trainer

# Windows of 5, and every answer lies 6 back: only a state that was handed on can know it.
LAG = Settings(
    corpus="lag",
    lag=6,
    hidden_size=32,
    num_steps=5,
    init="orthogonal",
    gain=0.9,
    input_scale=None,
    output_scale=0.01,
    optimizer="sgd",
    learning_rate=0.1,
    cosine_until=0,
)
UNITS = 64  # of networks raced on another text, at most


def raced(settings: Settings) -> Settings:
    """These settings for a race: a small network with short windows and its state handed on."""
    return settings.but(
        hidden_size=min(settings.hidden_size, UNITS), num_steps=LAG.num_steps, truncation=None, carry_state=True, clip_norm=1.0
    )


def order_race(settings: Settings, corpus: Corpus) -> Race:
    """Fresh trainers "in order" and "shuffled", judged on text in order. ``ValueError`` for a text too short for one window."""
    N, T = settings.batch_size, settings.num_steps
    whole = whole_windows(corpus.train, N, T)
    mixed = shuffled(whole, T, generator(settings.seed, Purpose.DATA))
    in_order, other = replace(corpus, train=whole), replace(corpus, train=mixed)
    trainers = {"in order": Trainer(settings, in_order), "shuffled": Trainer(settings, other)}
    return Race(trainers, HeldOut(settings, in_order), floor=corpus.floor)
