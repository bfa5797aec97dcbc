"""The run of a lesson, and what its text for the reader says of the run's perplexity."""

from itertools import islice

from core.content.lessons import lesson
from core.models.loss import perplexity_of
from core.models.ngram import baselines, fit, tokens_of
from core.text.corpus import floor_of, load_corpus
from core.training.held_out import HeldOut
from core.training.tbptt import Trainer


class LessonRun:
    """``lines``: the perplexities of the counting models by their names; ``floor``: the best possible perplexity."""

    def __init__(self, name: str) -> None:
        self.settings = lesson(name).settings
        corpus = load_corpus(self.settings)
        self.trainer, self.held_out = Trainer(self.settings, corpus), HeldOut(self.settings, corpus)
        self.floor = floor_of(corpus, self.settings)
        self.losses = []
        self.lines = {}
        if corpus.is_text:
            counted = fit(tokens_of(corpus.train), corpus.tokenizer.size)
            judged = self.held_out.counted_losses(counted, self.settings.carry_state)
            self.lines = {line.name: line.perplexity for line in baselines(counted, judged)}

    def after(self, update: int) -> float:
        """The perplexity of the held-out text after this update."""
        self.losses += [done.loss for done in islice(self.trainer, update - self.trainer.step)]
        return perplexity_of(self.held_out.judge(self.trainer.params, self.settings))

    def training_perplexity(self, updates: int) -> float:
        """That of the last training windows."""
        return perplexity_of(sum(self.losses[-updates:]) / updates)
