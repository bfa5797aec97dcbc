"""What there is to see of a run after some update, and what its network writes then."""

import math
from dataclasses import dataclass, field

from core.config.settings import Settings
from core.models.loss import perplexity_of
from core.models.params import Params
from core.models.sampling import RnnReader, generate
from core.text.corpus import Corpus
from core.text.streams import Purpose, generator
from core.training.curves import Point
from core.training.judgement import Judgement
from core.training.optimizers import rate_at
from core.training.tbptt import Update

LENGTH = {"char": 192, "word": 40}  # tokens of a sample


@dataclass(frozen=True)
class View:
    """What there is to see after some update. Perplexities in tokens to choose among, norms of the whole gradient."""

    settings: Settings
    point: Point  # where training stands; its nats are the last update's loss
    judged: Point  # the newest judgement on held-out text (or, without any, on the training text)
    judgement: Judgement = field(compare=False)  # the same with its standard error
    grad_norm: float  # before clipping; nan before the first update
    clipped_norm: float
    sample: str
    sample_update: int

    @property
    def learning_rate(self) -> float:
        """In force at the next update."""
        return rate_at(self.settings, self.point.update)

    @property
    def perplexity(self) -> float:
        """By the newest judgement."""
        return perplexity_of(self.judged.nats)

    @property
    def error(self) -> float:
        """The standard error of the perplexity: that of the loss, times the slope of exp. nan for too short a text."""
        return self.perplexity * self.judgement.error

    @classmethod
    def of(
        cls,
        settings: Settings,
        point: Point,
        judged: Point,
        judgement: Judgement,
        last: Update | None,
        sample: str,
        sample_update: int,
    ) -> "View":
        """With the norms of the last update, if there was one."""
        norms = (last.grad_norm, last.clipped_norm) if last else (math.nan, math.nan)
        return cls(settings, point, judged, judgement, *norms, sample, sample_update)


def sample_of(params: Params, corpus: Corpus, settings: Settings, update: int) -> str:
    """After this update, at temperature 1: with equal networks the same text. ``ValueError`` where numbers are not finite."""
    if not corpus.is_text:  # what it predicts is not what comes next
        return ""
    rng, tokenizer = generator(settings.seed, Purpose.DISPLAY, update), corpus.tokenizer
    start = rng.integers(tokenizer.size, size=1)
    reader = RnnReader(params, settings.activation)
    return tokenizer.decode(generate(reader, prompt=start, length=LENGTH[tokenizer.unit], temperature=1.0, rng=rng))
