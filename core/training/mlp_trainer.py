"""The network without a hidden state, trained as the recurrent one is: same text, windows, beginning, and the same updates."""

import math

import numpy as np

from core.config.settings import Settings
from core.models.initialisation import first_params
from core.models.loss import cross_entropy
from core.models.mlp import Mlp, backward, forward, without_state
from core.text.corpus import Corpus, Stream
from core.text.token_stream import Windows
from core.training.optimizers import apply_weight_decay, clip_by_global_norm, make_optimizer, rate_at

PIECE = 4096  # tokens judged at a time
WORK = 2.5e10  # multiplications that a comparison is worth: about a second
FEWEST, MOST = 20, 800  # updates


class MlpTrainer:
    """Iterate it: every item is the loss of one update in nats per token. ``params`` is changed in place, ``step`` counts.

    Stops for good at a loss or gradient that is no finite number; ``params`` are then as they were before it.
    """

    def __init__(self, settings: Settings, corpus: Corpus) -> None:
        self.settings = settings
        self.step = 0
        self.params: Mlp = without_state(first_params(settings, corpus.tokenizer.size))
        self._windows = Windows(corpus.train, settings.batch_size, settings.num_steps)
        self._optimizer = make_optimizer(settings.optimizer, self.params.flat.size, self.params.flat.dtype)

    def __iter__(self) -> "MlpTrainer":
        return self

    def __next__(self) -> float:
        settings, rate = self.settings, rate_at(self.settings, self.step)
        inputs, targets = next(self._windows)
        losses, gradients = backward(self.params, inputs, targets, activation=settings.activation)
        loss = float(losses.mean(dtype=np.float64))
        length = clip_by_global_norm(gradients.flat, settings.clip_norm)
        if not (math.isfinite(loss) and math.isfinite(length)):
            raise StopIteration
        with np.errstate(all="ignore"):
            apply_weight_decay([self.params.flat], rate * settings.weight_decay)
            self._optimizer.step(self.params.flat, gradients.flat, rate)
        self.step += 1
        return loss

    def judge(self, stream: Stream) -> float:
        """Mean loss over all tokens of a stream, in nats per token; perplexity is its exponential."""
        total = 0.0
        for start in range(0, len(stream), PIECE):
            inputs, targets = (ids[start : start + PIECE, None] for ids in (stream.inputs, stream.targets))
            _, logits = forward(self.params, inputs, activation=self.settings.activation)
            total += float(cross_entropy(logits, targets).sum(dtype=np.float64))
        return total / len(stream)


def updates_worth(settings: Settings, vocab_size: int) -> int:
    """How many updates a comparison on the page is worth: as many as ``WORK`` pays for, the same on every machine."""
    tokens, H, D = settings.batch_size * settings.num_steps, settings.hidden_size, settings.embedding_size
    return int(min(max(WORK / (3 * tokens * H * (vocab_size + D)), FEWEST), MOST))
