"""What there is to see of a run after some update."""

import math
from dataclasses import dataclass

from core.config.settings import Settings
from core.models.loss import perplexity_of
from core.training.curves import Point
from core.training.optimizers import rate_at
from core.training.tbptt import Update


@dataclass(frozen=True)
class View:
    """What there is to see after some update. Perplexities in tokens to choose among, norms of the whole gradient."""

    settings: Settings
    point: Point  # where training stands; its nats are the last update's loss
    judged: Point  # the newest judgement on held-out text (or, without any, on the training text)
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

    @classmethod
    def of(cls, settings: Settings, point: Point, judged: Point, last: Update | None, sample: str, sample_update: int) -> "View":
        """With the norms of the last update, if there was one."""
        norms = (last.grad_norm, last.clipped_norm) if last else (math.nan, math.nan)
        return cls(settings, point, judged, *norms, sample, sample_update)
