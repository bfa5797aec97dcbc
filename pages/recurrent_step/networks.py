"""The same text read by a network without a hidden state and by the live network."""

from collections.abc import Generator
from contextlib import suppress
from itertools import islice

from core.analysis import recurrent_step as analysis
from core.analysis.displayed_text import drawn_passage
from core.config.settings import KNOBS
from core.models.loss import perplexity_of
from core.models.params import Ids, Params
from core.training.experiments.comparisons import trainer_without_state, updates_worth
from core.training.tbptt import Diverged
from pages.app.layout import elements
from pages.app.navigation.section_tabs import PageState
from pages.app.navigation.url_state import Param
from pages.app.session.session import Session
from pages.app.session.session_cache import cached_for_corpus
from pages.app.widgets.components import two_networks
from pages.figures.parts.run_card import judged_on
from pages.figures.parts.symbols import kind_of
from pages.figures.recurrent_step.networks import Judged, networks_drawing

PASSAGE = {"char": 18, "word": 9}  # tokens
CANDIDATES = 8  # random passages, of which the most varied one is shown
MOST = 1_000_000  # largest number accepted in the URL


def _places(text: str) -> tuple[int, int]:
    i, j = map(int, text.split("-"))
    if not 0 <= i < j:
        raise ValueError
    return i, j


def _draw(text: str) -> int:
    if not 0 <= int(text) <= MOST:
        raise ValueError
    return int(text)


PARAMS = {"pair": Param(None, _places, lambda pair: "-".join(map(str, pair))), "draw": Param(0, _draw)}


def show(session: Session, state: PageState) -> None:
    """Draw the same text as read by the network without a state and by the live network."""
    settings, corpus, tokenizer = session.settings, session.corpus, session.corpus.tokenizer
    plain, nats, updates = trained_without_state(session)
    tokens = passage(session, state["draw"])
    pair = state["pair"] if state["pair"] and state["pair"][1] < len(tokens) - 1 else None
    params, run = session.params(), session.snapshot().view
    other = analysis.swapped(tokens, *pair) if pair else tokens
    without = tuple(analysis.after_text(plain, ids, settings.activation) for ids in (tokens, other))
    with_state = tuple(analysis.after_text(params, ids, settings.activation) for ids in (tokens, other))
    what = judged_on(session.monitored.held_out.on_training_text)
    scene = networks_drawing(
        tokenizer.symbols(tokens),
        pair,
        without,
        with_state,
        vocabulary=tokenizer.vocab,
        kind=kind_of(corpus),
        judged=(Judged(perplexity_of(nats), what, updates), Judged(run.perplexity, what, run.judged.update)),
        memory=analysis.share_of_memory(params, tokens, settings.activation),
        activation=settings.activation,
        notation=settings.notation,
    )
    two_networks(scene, on_swap=lambda i, j: _swap(state, len(tokens), i, j))
    elements.source("networks", analysis.after_text, analysis.share_of_memory, trainer_without_state)


def passage(session: Session, draw: int) -> Ids:
    """A passage of the judged text, the ``draw``-th."""
    length = PASSAGE[session.corpus.tokenizer.unit]
    return drawn_passage(session.monitored.held_out.source.inputs, length, draw, CANDIDATES)


def trained_without_state(session: Session) -> tuple[Params, float, int]:
    """The network without a state after about a second of training, its held-out loss in nats, and its updates."""
    settings, corpus, held = session.settings, session.corpus, session.monitored.held_out

    def train() -> Generator[float, None, tuple[Params, float, int]]:
        trainer = trainer_without_state(settings, corpus)
        with suppress(Diverged):  # the trainer has restored the last finite update
            for _update in islice(trainer, updates := updates_worth(settings, corpus.tokenizer.size)):
                yield trainer.step / updates
        return trainer.params, held.judge(trainer.params, settings), trainer.step

    without = ("truncation", "carry_state")  # settings without effect on a network without a state
    names = [name for name, knob in KNOBS.items() if knob.kind != "view" and name not in without]
    return cached_for_corpus(session, "without_state", train, *(getattr(settings, name) for name in names))


def _swap(state: PageState, length: int, i: int, j: int) -> None:
    if 0 <= i < length - 1 and 0 <= j < length - 1:
        state["pair"] = min(i, j), max(i, j)
