"""A small network for one short text, trained on the spot: something that has learnt, for pages to show before a run has."""

from core.config.settings import Settings
from core.models.params import Params
from core.text.corpus import Corpus, Stream
from core.text.tokenizer import Tokenizer, learn_vocabulary, split
from core.training.tbptt import Trainer


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
