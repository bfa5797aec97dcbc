"""A recurrent language model in NumPy, its training and its analyses. Nothing here draws or teaches: that is in ``pages``.

The pages draw only numbers computed by the code in this folder, which also trains the network. Nothing here needs a browser::

    from core import Settings, Trainer, load_corpus

    for update in Trainer(Settings(), load_corpus(Settings())):
        print(update.step, update.perplexity)

Symbols, the same in every module (screens, settings and URLs use the words):

======  =====================================================  =================
symbol  meaning                                                in settings
======  =====================================================  =================
T       time steps in one window = tokens per row and update   num_steps
tau     truncation length: how far back the gradient may go    truncation
N       sequences (rows) in a mini-batch                       batch_size
H       hidden units                                           hidden_size
D       width of the input vector (V when one-hot)             embedding_size
V       vocabulary size                                        (from the text)
t, k    a time step; an earlier time step
n       a row of the batch; the order of an n-gram
L       (input, target) pairs in a stream of text
======  =====================================================  =================

Losses are in nats per token (natural logarithm); perplexity is the exponential of their mean. ``dX`` is the derivative
of the loss with respect to ``X``. Arrays are time-major: ``(T, N, H)``.

Reading order: ``config`` -> ``text`` -> ``models`` -> ``training``, ``analysis``; then ``pages``. A module imports only from
stages to its left (and its own package), as import-linter checks (``pyproject.toml``).
"""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

NAMES = {  # what a notebook needs: name -> module, which is imported at the name's first use: ``import core`` imports none
    "Settings": "core.config.settings",
    "load_corpus": "core.text.corpus",
    "init_params": "core.models.initialisation",
    "forward": "core.models.rnn",
    "backward": "core.models.rnn",
    "perplexity": "core.models.loss",
    "fit": "core.models.ngram",
    "tokens_of": "core.models.ngram",
    "baselines": "core.models.ngram",
    "RnnReader": "core.models.sampling",
    "read_prompt": "core.models.sampling",
    "next_distribution": "core.models.sampling",
    "generate": "core.models.sampling",
    "Trainer": "core.training.tbptt",
    "MonitoredTrainer": "core.training.run.monitored_trainer",
    "gradient_flow": "core.analysis.gradient_flow",
}
__all__ = [*NAMES]


def __getattr__(name: str) -> Any:
    """A name of ``NAMES``, from its module. Raises ``AttributeError`` for any other."""
    if name not in NAMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = getattr(import_module(NAMES[name]), name)
    return globals()[name]


def __dir__() -> list[str]:
    return sorted({*globals(), *NAMES})
