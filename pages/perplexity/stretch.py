"""The stretch of text, not trained on, that models read from its beginning to its end; and what the live run makes of it."""

import numpy as np

from core.analysis.perplexity import read_in_parts
from core.figures.parts.numbers import count
from core.figures.parts.symbols import kind_of
from core.models.sampling import Reader, RnnReader
from core.text.corpus import Stream
from pages.ui.results import STEADY, of_run
from pages.ui.state import Stage
from pages.ui.turns import in_turns

STRETCH = 8192  # tokens, at most
WORK = 1_000_000_000  # multiplications that reading the stretch may take: about a quarter of a second
AT_ONCE = 50_000_000  # multiplications of one turn: about 20 ms


def stretch(here: Stage) -> Stream:
    """The beginning of the held-out text, as much of it as this network reads in good time; of the training text without one."""
    stream = here.watched.held_out.source
    length = max(min(STRETCH, WORK // _work(here), len(stream)), min(2, len(stream)))
    return Stream(stream.inputs[:length], stream.targets[:length])


def where(here: Stage, tokens: int) -> str:
    """Which text that is, in words."""
    part = "training" if here.watched.held_out.on_training_text else "held-out"
    return f"the first {count(tokens)} {kind_of(here.corpus)}s of the {part} text"


def live_reader(here: Stage) -> RnnReader:
    """The live run as it is now."""
    return RnnReader(here.run.params(), here.settings.activation)


def losses(here: Stage, model: Reader, stream: Stream) -> np.ndarray:
    """-ln p of every target of a stream read from its beginning to its end, (L,), nats."""
    parts = read_in_parts(model, stream, max(AT_ONCE // _work(here), 16))
    return np.concatenate(list(in_turns(here.run, parts)))


def live_losses(here: Stage) -> np.ndarray:
    """The losses of the live run on its stretch, (L,), nats."""
    return of_run(here, "losses", lambda: losses(here, live_reader(here), stretch(here)), pace=STEADY)


def _work(here: Stage) -> int:
    """Multiplications for one token."""
    settings, V = here.settings, here.corpus.tokenizer.size
    return settings.hidden_size * (settings.hidden_size + settings.embedding_size + V)
