"""Networks that pages train beside the run: one without a hidden state, and small ones of one short text."""

from core.config.settings import Settings
from core.models.params import Params
from core.text.corpus import Corpus, Stream
from core.text.tokenizer import Tokenizer, learn_vocabulary, split
from core.training.tbptt import Trainer

WORK = 2.5e10  # multiplications of the output layer and the input layer that a comparison is worth: about two seconds
FEWEST, MOST = 20, 800  # updates


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
